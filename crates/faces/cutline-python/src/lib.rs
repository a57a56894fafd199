//! The extension module of the Python package: what `cutline` (in `python/cutline/`) is made of.
//!
//! | file | question |
//! | --- | --- |
//! | `records` | How do records come in and go out? As Arrow streams, without copies |
//! | `settings` | How does a keyword become a setting? |
//! | `work` | How does Python stay awake while the library works? Progress, notes, Ctrl-C |
//! | `errors` | Which exception is an error? |
//! | `release` | A release in memory, and in a folder |
//! | `labels` | What would a recoding make of these records? |
//! | `taxonomy` | Trees |
//! | `studies` | verify, screen, inspect, attack, evaluate, compare |
//!
//! Everything here is plain and complete; the friendly face is written in Python. Reports cross as JSON.

mod errors;
mod labels;
mod records;
mod release;
mod settings;
mod studies;
mod taxonomy;
mod work;

use pyo3::prelude::*;

/// What the package `cutline` is made of.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<records::Batches>()?;
    module.add_class::<records::Source>()?;
    module.add_class::<release::Release>()?;
    module.add_class::<taxonomy::Taxonomy>()?;
    module.add_function(wrap_pyfunction!(settings::settings, module)?)?;
    module.add_function(wrap_pyfunction!(release::anonymize, module)?)?;
    module.add_function(wrap_pyfunction!(release::apply, module)?)?;
    module.add_function(wrap_pyfunction!(labels::label, module)?)?;
    module.add_function(wrap_pyfunction!(labels::restore_taxonomy, module)?)?;
    module.add_function(wrap_pyfunction!(taxonomy::build_taxonomy, module)?)?;
    module.add_function(wrap_pyfunction!(studies::verify, module)?)?;
    module.add_function(wrap_pyfunction!(studies::screen, module)?)?;
    module.add_function(wrap_pyfunction!(studies::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(studies::attack, module)?)?;
    module.add_function(wrap_pyfunction!(studies::compare, module)?)?;
    module.add_function(wrap_pyfunction!(studies::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(studies::evaluate_pair, module)?)
}
