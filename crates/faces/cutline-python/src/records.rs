//! How do records come in and go out?

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, RecordBatchReader,
    StringArray, UInt64Array,
};
use arrow_pyarrow::PyArrowType;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use cutline::engine::Engine;
use cutline::{Table, cores, source_options};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::errors::{exception, raised};
use crate::settings::spec;

/// What messages call a table in memory.
pub(crate) const TABLE: &str = "the table";

/// Records in Arrow's memory. Whatever understands Arrow's stream interface can take them.
#[pyclass(frozen, module = "cutline._native")]
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

#[pymethods]
impl Batches {
    /// The protocol allows to ignore which types are asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let reader = RecordBatchIterator::new(self.batches.clone().into_iter().map(Ok), self.schema.clone());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The columns as lists, for where no library understands Arrow: truth values, numbers, and everything else as text.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lists = PyDict::new(py);
        for (place, field) in self.schema.fields().iter().enumerate() {
            let columns = self.batches.iter().map(|batch| batch.column(place));
            let list = columns.map(|column| cells(py, column)).collect::<PyResult<Vec<_>>>()?;
            lists.set_item(field.name(), PyList::new(py, list.into_iter().flatten())?)?;
        }
        Ok(lists)
    }

    /// The same records with these columns only.
    fn select(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Batches> {
        let place = |name: &String| self.schema.index_of(name);
        let selected = names.iter().map(place).collect::<Result<Vec<_>, _>>().and_then(|places| {
            let batches = self.batches.iter().map(|batch| batch.project(&places));
            Ok(Batches { schema: Arc::new(self.schema.project(&places)?), batches: batches.collect::<Result<_, _>>()? })
        });
        selected.map_err(|error| raised(py, "arguments", &error.to_string(), None))
    }
}

impl Batches {
    /// One column of numbers.
    pub(crate) fn of_numbers(name: &str, numbers: Vec<u64>) -> Result<Self, ArrowError> {
        let schema = Arc::new(Schema::new(vec![Field::new(name, DataType::UInt64, false)]));
        let column: ArrayRef = Arc::new(UInt64Array::from(numbers));
        Ok(Batches { batches: vec![RecordBatch::try_new(schema.clone(), vec![column])?], schema })
    }
}

/// A table that can be masked or looked at.
#[pyclass(frozen, module = "cutline._native")]
pub(crate) struct Source {
    pub(crate) table: Table,
    pub(crate) records: Records,
}

/// Where the records of a table are.
pub(crate) enum Records {
    Memory { schema: SchemaRef, batches: Vec<RecordBatch> },
    File(String),
}

#[pymethods]
impl Source {
    /// What an object with Arrow's stream interface hands out. Nothing is copied.
    #[staticmethod]
    #[pyo3(signature = (data, threads=None))]
    fn of_stream(
        py: Python<'_>,
        data: PyArrowType<RecordBatchStreamReader>,
        threads: Option<usize>,
    ) -> PyResult<Source> {
        let schema = data.0.schema();
        let batches = py.detach(|| data.0.collect::<Result<Vec<_>, _>>());
        let batches = batches.map_err(|error| raised(py, "data", &error.to_string(), None))?;
        Source::of_batches(py, schema, batches, threads)
    }

    /// Columns as lists of truth values, whole numbers, numbers or texts, with None where a value is missing.
    #[staticmethod]
    #[pyo3(signature = (names, columns, threads=None))]
    fn of_columns(
        py: Python<'_>,
        names: Vec<String>,
        columns: Vec<Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Source> {
        let arrays = columns.iter().map(array).collect::<PyResult<Vec<_>>>()?;
        let fields = names.iter().zip(&arrays).map(|(name, array)| Field::new(name, array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let batch = RecordBatch::try_new(schema.clone(), arrays);
        let batch = batch.map_err(|error| raised(py, "arguments", &error.to_string(), None))?;
        Source::of_batches(py, schema, vec![batch], threads)
    }

    /// A file, the files of a folder, or those that match a pattern.
    #[staticmethod]
    fn open(py: Python<'_>, location: String, said: &Bound<'_, PyDict>) -> PyResult<Source> {
        let spec = spec(said)?;
        let opened = py.detach(|| {
            let threads = spec.search.threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
            Table::open(&location, &source_options(&spec)?, threads)
        });
        let table = opened.map_err(|error| exception(py, &error))?;
        Ok(Source { table, records: Records::File(location) })
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.table.columns().iter().map(|column| column.name.clone()).collect()
    }
}

impl Source {
    fn of_batches(
        py: Python<'_>,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
        threads: Option<usize>,
    ) -> PyResult<Source> {
        let threads = threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
        let table = Table::of_batches(TABLE, schema.clone(), batches.clone(), threads);
        let table = table.map_err(|error| exception(py, &error))?;
        Ok(Source { table, records: Records::Memory { schema, batches } })
    }
}

/// A list as the first type that all its values have.
fn array(list: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(values) = list.extract::<Vec<Option<bool>>>() {
        return Ok(Arc::new(BooleanArray::from(values)));
    }
    if let Ok(values) = list.extract::<Vec<Option<i64>>>() {
        return Ok(Arc::new(Int64Array::from(values)));
    }
    if let Ok(values) = list.extract::<Vec<Option<f64>>>() {
        return Ok(Arc::new(Float64Array::from(values)));
    }
    Ok(Arc::new(list.extract::<Vec<Option<String>>>()?.into_iter().collect::<StringArray>()))
}

/// The cells of a column as Python's own values.
fn cells<'py>(py: Python<'py>, column: &ArrayRef) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
    fn made<'py, T: IntoPyObjectExt<'py>>(
        py: Python<'py>,
        values: impl Iterator<Item = Option<T>>,
    ) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        values.map(|value| value.map(|value| value.into_bound_py_any(py)).transpose()).collect()
    }
    match column.data_type() {
        DataType::Boolean => made(py, column.as_boolean().iter()),
        DataType::Float64 => made(py, column.as_primitive::<Float64Type>().iter()),
        DataType::Int64 => made(py, column.as_primitive::<Int64Type>().iter()),
        DataType::UInt32 => made(py, column.as_primitive::<UInt32Type>().iter()),
        DataType::UInt64 => made(py, column.as_primitive::<UInt64Type>().iter()),
        _ => {
            let text = arrow_cast::cast(column, &DataType::Utf8View);
            let text = text.map_err(|error| raised(py, "data", &error.to_string(), None))?;
            made(py, text.as_string_view().iter())
        }
    }
}
