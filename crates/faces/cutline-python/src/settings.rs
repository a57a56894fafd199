//! How does a keyword become a setting?

use cutline::Error;
use cutline::settings::{Value, all};
use cutline::spec::Spec;
use indexmap::IndexMap;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors::exception;

/// All settings as JSON: their names, shapes, defaults and docs.
#[pyfunction]
pub(crate) fn settings() -> String {
    // Plain data: writing it as JSON cannot fail.
    serde_json::to_string(all()).unwrap_or_default()
}

/// What keywords say, over a spec.
pub(crate) fn over(mut spec: Spec, said: &Bound<'_, PyDict>) -> PyResult<Spec> {
    let mut values = Vec::new();
    for (keyword, value) in said {
        if !value.is_none() {
            let name = keyword.extract::<String>()?.replace('_', "-");
            values.push((name, read(&value)?));
        }
    }
    let set = spec.set_all(values.iter().map(|(name, value)| (name.as_str(), value)));
    set.map_err(|error| exception(said.py(), &Error::Setting(error)))?;
    Ok(spec)
}

/// A spec of keywords alone.
pub(crate) fn spec(said: &Bound<'_, PyDict>) -> PyResult<Spec> {
    over(Spec::default(), said)
}

/// A value as Python has it. Negative whole numbers are numbers: no setting counts below zero.
fn read(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(said) = value.cast::<PyBool>() {
        return Ok(Value::Flag(said.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().map(Value::Whole).or_else(|_| value.extract().map(Value::Number));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Number(value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::Text(text.extract()?));
    }
    if let Ok(map) = value.cast::<PyDict>() {
        let pair = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok((name.extract()?, read(&value)?));
        return map.iter().map(pair).collect::<PyResult<IndexMap<String, Value>>>().map(Value::Map);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|one| read(&one?)).collect::<PyResult<_>>().map(Value::List);
    }
    Err(PyTypeError::new_err(format!("a setting is no {}", value.get_type().name()?)))
}
