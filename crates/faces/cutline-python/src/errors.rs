//! Which exception is an error?

use cutline::settings::{Shape, all, mentions};
use cutline::{Blame, Error};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// What `python/cutline/_errors.py` has a class for.
fn blame(error: &Error) -> &'static str {
    match error.blame() {
        Blame::Requirement => "requirement",
        Blame::Setting => "setting",
        Blame::Arguments | Blame::Interrupted => "arguments",
        Blame::Data => "data",
        Blame::Machine => "machine",
        Blame::Defect => "defect",
    }
}

/// The exception of an error: its message and its hint name settings as Python's keywords.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if error.blame() == Blame::Interrupted {
        return PyKeyboardInterrupt::new_err("nothing was published");
    }
    let message = keywords(&error.to_string());
    let hint = match error {
        // The library's hint is about files.
        Error::NoRecords(_) => Some("is this the right table?".to_owned()),
        Error::UnknownColumn { columns, .. } if columns.is_empty() => Some(keywords(
            "look at the spelling: a name with a comma in it stands in double quotes; if a file has no header line, say so with ‹no-header›",
        )),
        _ => error.hint().map(|hint| keywords(&hint)),
    };
    raised(py, blame(error), &message, hint.as_deref())
}

/// An exception by who can put it right.
pub(crate) fn raised(py: Python<'_>, blame: &str, message: &str, hint: Option<&str>) -> PyErr {
    let made = py.import("cutline._errors").and_then(|module| module.call_method1("make", (blame, message, hint)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The text with every setting in it as a keyword.
pub(crate) fn keywords(text: &str) -> String {
    mentions(text, keyword)
}

fn keyword(name: &str, value: Option<&str>) -> String {
    let is_flag = all().iter().any(|setting| setting.name == name && setting.shape == Shape::Flag) || name == "force";
    let keyword = name.replace('-', "_");
    match value {
        Some(value) => format!("{keyword}=\"{value}\""),
        None if is_flag => format!("{keyword}=True"),
        None => keyword,
    }
}
