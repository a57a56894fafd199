//! Where are the fields of a column in a block of text?
//!
//! A column of a block is a list of bytes for each record, all of them in the bytes of the block. Views of Arrow would hold short fields
//! themselves, but making an array of them looks at each field once more.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt8Type;
use arrow_array::{Array, ArrayRef, ListViewArray, RecordBatch, StringViewArray, UInt8Array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

use crate::source::CELLS_KEY;

/// The fields of a column.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    block: &'a [u8],
    starts: &'a [i32],
    lengths: &'a [i32],
}

/// The type of a column of fields.
pub(crate) fn kind() -> DataType {
    DataType::ListView(item())
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::UInt8, false))
}

/// A column of fields of a block.
///
/// # Errors
/// If some field is not in the block, or it is larger than two gigabytes.
pub(crate) fn column(
    block: &UInt8Array,
    spans: impl ExactSizeIterator<Item = Range<usize>>,
) -> Result<ArrayRef, ArrowError> {
    if i32::try_from(block.len()).is_err() {
        return Err(ArrowError::OffsetOverflowError(block.len()));
    }
    let (mut starts, mut lengths) = (Vec::with_capacity(spans.len()), Vec::with_capacity(spans.len()));
    for span in spans {
        starts.push(span.start as i32);
        lengths.push(span.len() as i32);
    }
    let column = ListViewArray::try_new(item(), starts.into(), lengths.into(), Arc::new(block.clone()), None)?;
    Ok(Arc::new(column))
}

/// The column of a batch, if it is one of fields and says that these are cells.
pub(crate) fn cells(batch: &RecordBatch, place: usize) -> Option<&ListViewArray> {
    let are_cells = batch.schema_ref().field(place).metadata().contains_key(CELLS_KEY);
    let column = batch.column(place);
    column.as_list_view_opt::<i32>().filter(|_| are_cells && *column.data_type() == kind())
}

impl<'a> Fields<'a> {
    /// Those of a column that was [made here](column).
    pub(crate) fn of(column: &'a ListViewArray) -> Self {
        let block = column.values().as_primitive::<UInt8Type>().values();
        Fields { block, starts: column.offsets(), lengths: column.sizes() }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn bytes(&self, record: usize) -> &'a [u8] {
        let start = self.starts[record] as usize;
        &self.block[start..start + self.lengths[record] as usize]
    }

    /// The view of a field of at most twelve bytes: they are in it themselves.
    #[inline]
    pub(crate) fn view(&self, record: usize) -> Option<u128> {
        let (start, length) = (self.starts[record] as usize, self.lengths[record] as usize);
        if length > 12 {
            return None;
        }
        // As many as are ever needed, cut: a copy of constant size takes a fraction of the time of one of variable size.
        let mut window = [0; 16];
        match self.block.get(start..start + 16) {
            Some(bytes) => window.copy_from_slice(bytes),
            None => window[..length].copy_from_slice(&self.block[start..start + length]),
        }
        Some(length as u128 | (u128::from_le_bytes(window) & ((1 << (8 * length)) - 1)) << 32)
    }

    /// The fields as texts: their block was found to be one.
    pub(crate) fn texts(&self) -> StringViewArray {
        (0..self.len()).map(|record| Some(String::from_utf8_lossy(self.bytes(record)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::distinct::view_of;

    proptest! {
        #[test]
        fn fields_are_what_they_were(texts in prop::collection::vec("[aé,]{0,20}", 0..20), from in 0..5_usize) {
            let block = UInt8Array::from(texts.concat().into_bytes());
            let mut end = 0;
            let spans: Vec<Range<usize>> = texts.iter().map(|text| {
                end += text.len();
                end - text.len()..end
            }).collect();
            let whole = column(&block, spans.into_iter()).unwrap();
            let from = from.min(texts.len());
            let part = whole.slice(from, texts.len() - from);
            let fields = Fields::of(part.as_list_view());
            prop_assert_eq!(fields.len(), texts.len() - from);
            for (record, text) in texts[from..].iter().enumerate() {
                prop_assert_eq!(fields.bytes(record), text.as_bytes());
                prop_assert_eq!(fields.view(record), view_of(text).filter(|_| text.len() <= 12));
            }
            let found = fields.texts();
            prop_assert_eq!(found.iter().flatten().collect::<Vec<_>>(), &texts[from..]);
        }
    }

    #[test]
    fn a_field_that_is_not_in_the_block_is_refused() {
        assert!(column(&UInt8Array::from(vec![1, 2]), std::iter::once(1..4)).is_err());
    }
}
