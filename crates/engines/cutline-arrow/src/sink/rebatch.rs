//! Batches of a fixed number of records, whatever those of the source were.
//!
//! A source's batches tell of what is not published: one that lost a record is shorter than its neighbours, and those of a CSV file
//! follow the length of fields that are masked. Formats that keep batches (Arrow) or whose pages follow them (Parquet) get batches that
//! follow from the published records alone, and so do their bytes.

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat_batches;

/// Records of every batch but the last: a multiple of eight, so that bits end with bytes.
pub(crate) const BATCH_RECORDS: usize = 1 << 14;

/// Takes batches of any length and gives back batches of [`BATCH_RECORDS`].
#[derive(Debug)]
pub(crate) struct Rebatch {
    schema: SchemaRef,
    pending: Vec<RecordBatch>,
    records: usize,
}

impl Rebatch {
    pub(crate) fn new(schema: SchemaRef) -> Self {
        Rebatch { schema, pending: Vec::new(), records: 0 }
    }

    /// Takes the next records, and gives back the batches that are full.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut full = Vec::new();
        let mut start = 0;
        while start < batch.num_rows() {
            let length = (BATCH_RECORDS - self.records).min(batch.num_rows() - start);
            self.pending.push(batch.slice(start, length));
            self.records += length;
            start += length;
            if self.records == BATCH_RECORDS {
                full.extend(self.rest()?);
            }
        }
        Ok(full)
    }

    /// The records that are left, if any are.
    pub(crate) fn rest(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let (pending, records) = (std::mem::take(&mut self.pending), std::mem::take(&mut self.records));
        if records == 0 {
            return Ok(None);
        }
        let batch = match &pending[..] {
            [one] => one.clone(),
            several => concat_batches(&self.schema, several)?,
        };
        let columns = batch.columns().iter().map(cleared).collect::<Result<Vec<_>, _>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(records));
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &options).map(Some)
    }
}

/// The column without what its memory has beside its values: a slot that is null keeps the bytes of the value that once was there, and
/// the last byte of a bitmap the bits of records beyond the end. The Arrow format would write them along.
fn cleared(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let has_bits = column.data_type().is_nested() || *column.data_type() == DataType::Boolean;
    if !has_bits && column.nulls().is_none() {
        return Ok(column.clone());
    }
    cleared_data(&column.to_data()).map(make_array)
}

fn cleared_data(data: &ArrayData) -> Result<ArrayData, ArrowError> {
    let mut fresh = MutableArrayData::try_new(vec![data], false, data.len())?;
    let valid = data.nulls().map_or_else(|| vec![(0, data.len())], |nulls| nulls.valid_slices().collect());
    let mut end = 0;
    for (start, stop) in valid.into_iter().chain([(data.len(), data.len())]) {
        if start > end {
            fresh.try_extend_nulls(start - end)?;
        }
        fresh.try_extend(0, start, stop)?;
        end = stop;
    }
    let fresh = fresh.freeze();
    if fresh.child_data().is_empty() {
        return Ok(fresh);
    }
    let children = fresh.child_data().iter().map(cleared_data).collect::<Result<_, _>>()?;
    fresh.into_builder().child_data(children).build()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int64Type;
    use arrow_array::{BooleanArray, Int64Array, ListArray, StructArray};
    use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
    use arrow_schema::{Field, Schema};

    use super::*;

    /// The numbers 0, 1, …, in batches of these lengths, and then as they come out.
    fn rebatched(lengths: &[usize]) -> Vec<Vec<i64>> {
        let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Int64, true)]));
        let mut rebatch = Rebatch::new(schema.clone());
        let (mut next, mut batches) = (0, Vec::new());
        for &length in lengths {
            let numbers = Int64Array::from_iter_values(next..next + length as i64);
            next += length as i64;
            batches
                .extend(rebatch.add(&RecordBatch::try_new(schema.clone(), vec![Arc::new(numbers)]).unwrap()).unwrap());
        }
        batches.extend(rebatch.rest().unwrap());
        let numbers = |batch: &RecordBatch| {
            let column = batch.column(0).to_data();
            Int64Array::from(column).values().to_vec()
        };
        batches.iter().map(numbers).collect()
    }

    #[test]
    fn batches_have_the_same_length_whatever_came_in() {
        let all = BATCH_RECORDS * 2 + 100;
        let one = rebatched(&[all]);
        assert_eq!(one.iter().map(Vec::len).collect::<Vec<_>>(), [BATCH_RECORDS, BATCH_RECORDS, 100]);
        assert!(one.iter().flatten().copied().eq(0..all as i64));
        assert_eq!(rebatched(&[5, 0, BATCH_RECORDS, BATCH_RECORDS - 5, 100]), one);
        assert_eq!(rebatched(&vec![100; all / 100]).concat(), one.concat()[..all / 100 * 100]);
        assert!(rebatched(&[]).is_empty() && rebatched(&[0, 0]).is_empty());
    }

    /// Numbers, of which those that are not valid stay in memory.
    fn numbers(values: &[i64], valid: &[bool]) -> Int64Array {
        Int64Array::new(ScalarBuffer::from(values.to_vec()), Some(NullBuffer::from(valid.to_vec())))
    }

    #[test]
    fn no_value_is_left_where_a_column_is_null() {
        let column = cleared(&(Arc::new(numbers(&[7, 99, 8], &[true, false, true])) as ArrayRef)).unwrap();
        assert_eq!(Int64Array::from(column.to_data()).values().to_vec(), [7, 0, 8]);
        assert_eq!(column.null_count(), 1);
    }

    #[test]
    fn no_value_is_left_inside_of_nested_columns() {
        let inner = Arc::new(numbers(&[1, 99, 98, 2], &[true, false, true, true])) as ArrayRef;
        let field = Arc::new(Field::new("x", DataType::Int64, true));
        // The third record is null as a whole, the second one has a null in it.
        let valid = Some(NullBuffer::from(vec![true, true, false, true]));
        let record = StructArray::new(vec![field.clone()].into(), vec![inner.clone()], valid.clone());
        let left = StructArray::from(cleared(&(Arc::new(record) as ArrayRef)).unwrap().to_data());
        assert_eq!(Int64Array::from(left.column(0).to_data()).values().to_vec(), [1, 0, 0, 2]);
        assert_eq!((left.is_null(2), left.column(0).is_null(1)), (true, true));
        let item = Arc::new(Field::new_list_field(DataType::Int64, true));
        let list = ListArray::new(item, OffsetBuffer::from_lengths([1, 1, 1, 1]), inner, valid);
        let left = ListArray::from(cleared(&(Arc::new(list) as ArrayRef)).unwrap().to_data());
        let expected = [Some(vec![Some(1)]), Some(vec![None]), None, Some(vec![Some(2)])];
        assert_eq!(left, ListArray::from_iter_primitive::<Int64Type, _, _>(expected));
        assert_eq!(Int64Array::from(left.values().to_data()).values().to_vec(), [1, 0, 2]);
    }

    #[test]
    fn no_bit_is_left_beyond_the_end() {
        let bits = BooleanArray::from(vec![true; 16]).slice(8, 3);
        let left = cleared(&(Arc::new(bits) as ArrayRef)).unwrap().to_data();
        assert_eq!(left.buffers()[0].as_slice()[0], 0b111);
    }
}
