//! Columns of labels, and of other texts that are few, in Parquet: a dictionary, and for each record the number of a text in it.
//!
//! The writer of the `parquet` crate hashes and compares the bytes of every text that it gets. Labels are few and repeat, so here they come
//! with numbers, or are told apart by their views, and the two pages of a column (§ *Dictionary Encoding* and § *Run Length Encoding / Bit-Packing Hybrid* of the
//! format) are written as they are. Everything else of the file is the crate's.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, DictionaryArray, RecordBatch, StringArray, StringViewArray};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::distinct::hash_view;

/// More labels, or longer ones, are no few: such a column is like any other.
const MOST_LABELS: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 20;

/// Are labels so few that a column of them can be encoded here?
pub(crate) fn are_few(labels: &StringViewArray) -> bool {
    let bytes = labels.iter().flatten().map(|label| label.len() + size_of::<u32>()).sum::<usize>();
    labels.len() <= MOST_LABELS && bytes <= MOST_BYTES
}

/// An encoded column of a row group, to be put into the file.
pub(super) struct LabelChunk {
    pub(super) bytes: Bytes,
    pub(super) close: ColumnCloseResult,
}

/// A column of texts.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// Where it is in the batches.
    pub(super) place: usize,
    /// Whether somebody may filter by an order of its texts: then the file says which are the first and the last.
    pub(super) ordered: bool,
}

/// Encodes a column of texts of a row group; nothing if it is no column of few texts.
pub(super) fn encode(
    descriptor: ColumnDescPtr,
    batches: &[RecordBatch],
    column: Column,
    level: ZstdLevel,
) -> Result<Option<LabelChunk>, ParquetError> {
    let Some(numbered) = Numbered::new(batches, column.place) else { return Ok(None) };
    let Numbered { labels, numbers, records, levels } = numbered;
    let nulls = levels.iter().filter(|&&level| level == 0).count();
    let mut data = Vec::new();
    if descriptor.max_def_level() > 0 {
        let mut encoded = Vec::new();
        match levels.is_empty() {
            true => repeat(&mut encoded, 1, records, 1),
            false => hybrid(&mut encoded, &levels, 1),
        }
        data.extend((encoded.len() as u32).to_le_bytes());
        data.append(&mut encoded);
    }
    let width = (usize::BITS - labels.len().saturating_sub(1).leading_zeros()).max(1);
    data.push(width as u8);
    hybrid(&mut data, &numbers, width);
    let ends = if column.ordered { ends(&labels, nulls) } else { None };
    chunk(descriptor, Pages { labels: &labels, data: &data, records, ends }, level).map(Some)
}

/// The first and the last text, unless they are long.
fn ends(labels: &[String], nulls: usize) -> Option<Statistics> {
    const LONG: usize = 64;
    let (first, last) = (labels.iter().min()?, labels.iter().max()?);
    let value = |text: &String| (text.len() <= LONG).then(|| ByteArray::from(&text[..]));
    Some(Statistics::byte_array(Some(value(first)?), Some(value(last)?), None, Some(nulls as u64), false))
}

/// The texts of a column, and which one each record has.
struct Numbered {
    labels: Vec<String>,
    /// Of the records that have one.
    numbers: Vec<u32>,
    records: usize,
    /// Whether each record has one: 1, or 0 if it has none. Empty if all have.
    levels: Vec<u32>,
}

/// So many labels are looked for among those that came last.
const LAST: usize = 256;

/// Stands for the label of a record without one.
const NULL: u32 = u32::MAX;

/// No label has this number yet.
const UNTOLD: u32 = u32::MAX - 1;

/// Is each number this one? A stretch is looked at as a whole: that takes no longer than to look at one.
fn is_all(numbers: &[u32], number: u32) -> bool {
    numbers.chunks(64).all(|some| some.iter().fold(true, |same, &other| same & (other == number)))
}

impl Numbered {
    /// Nothing if there are too many texts.
    fn new(batches: &[RecordBatch], place: usize) -> Option<Self> {
        let mut dictionary = Dictionary::default();
        let mut numbers = Vec::with_capacity(batches.iter().map(RecordBatch::num_rows).sum());
        for batch in batches {
            let column = batch.column(place);
            if let Some(words) = column.as_dictionary_opt::<UInt32Type>() {
                dictionary.number_words(words, &mut numbers)?;
            } else if let Some(texts) = column.as_string_opt::<i32>() {
                // The same texts are the same bytes in the file, whatever they were in memory.
                dictionary.number_texts(texts, &mut numbers)?;
            } else {
                dictionary.number(column.as_string_view_opt()?, &mut numbers)?;
            }
        }
        let (records, mut levels) = (numbers.len(), Vec::new());
        if numbers.contains(&NULL) {
            levels = numbers.iter().map(|&number| u32::from(number != NULL)).collect();
            numbers.retain(|&number| number != NULL);
        }
        Some(Numbered { labels: dictionary.labels, numbers, records, levels })
    }
}

/// Labels in the order in which they came.
#[derive(Default)]
struct Dictionary {
    labels: Vec<String>,
    number_of: HashMap<String, u32>,
    bytes: usize,
}

impl Dictionary {
    /// Appends the number of each text; nothing if there are too many.
    fn number(&mut self, texts: &StringViewArray, numbers: &mut Vec<u32>) -> Option<()> {
        // The same view is the same text, as long as both are of one array.
        let mut last = [None; LAST];
        for (row, &view) in texts.views().iter().enumerate() {
            if texts.is_null(row) {
                numbers.push(NULL);
                continue;
            }
            let slot = &mut last[hash_view(view) as usize % LAST];
            let number = match *slot {
                Some((other, number)) if other == view => number,
                _ => self.number_of(texts.value(row))?,
            };
            *slot = Some((view, number));
            numbers.push(number);
        }
        Some(())
    }

    /// The same for texts that have no views.
    fn number_texts(&mut self, texts: &StringArray, numbers: &mut Vec<u32>) -> Option<()> {
        for text in texts {
            numbers.push(match text {
                Some(text) => self.number_of(text)?,
                None => NULL,
            });
        }
        Some(())
    }

    /// The same for texts that have numbers of their own.
    fn number_words(&mut self, words: &DictionaryArray<UInt32Type>, numbers: &mut Vec<u32>) -> Option<()> {
        let texts = words.values().as_string_opt::<i32>()?;
        let number = |labels: &mut Self, word: usize| match texts.is_null(word) {
            true => Some(NULL),
            false => labels.number_of(texts.value(word)),
        };
        let (keys, has_nulls) = (words.keys().values(), words.keys().null_count() > 0);
        if let Some(&word) = keys.first().filter(|&&first| !has_nulls && is_all(keys, first)) {
            let number = number(self, word as usize)?;
            numbers.resize(numbers.len() + keys.len(), number);
            return Some(());
        }
        let mut of_word = vec![UNTOLD; texts.len()];
        for (row, &word) in keys.iter().enumerate() {
            if has_nulls && words.keys().is_null(row) {
                numbers.push(NULL);
                continue;
            }
            let of_word = &mut of_word[word as usize];
            if *of_word == UNTOLD {
                *of_word = number(self, word as usize)?;
            }
            numbers.push(*of_word);
        }
        Some(())
    }

    fn number_of(&mut self, text: &str) -> Option<u32> {
        if let Some(&number) = self.number_of.get(text) {
            return Some(number);
        }
        let number = self.labels.len() as u32;
        self.bytes += text.len() + size_of::<u32>();
        self.labels.push(text.to_owned());
        self.number_of.insert(text.to_owned(), number);
        (self.labels.len() <= MOST_LABELS && self.bytes <= MOST_BYTES).then_some(number)
    }
}

/// What the two pages of a column have.
struct Pages<'a> {
    labels: &'a [String],
    data: &'a [u8],
    records: usize,
    /// The first and the last of the texts, if the file says them.
    ends: Option<Statistics>,
}

/// The two pages of a column, and what the file says of them.
fn chunk(descriptor: ColumnDescPtr, pages: Pages<'_>, level: ZstdLevel) -> Result<LabelChunk, ParquetError> {
    let Pages { labels, data, records, ends } = pages;
    let mut words = Vec::new();
    for label in labels {
        words.extend((label.len() as u32).to_le_bytes());
        words.extend(label.as_bytes());
    }
    let dictionary = Page::DictionaryPage {
        buf: compressed(&words, level)?,
        num_values: labels.len() as u32,
        encoding: Encoding::PLAIN,
        is_sorted: false,
    };
    let numbers = Page::DataPage {
        buf: compressed(data, level)?,
        num_values: records as u32,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    let mut file = TrackedWrite::new(Vec::new());
    let mut pages = SerializedPageWriter::new(&mut file);
    let first = pages.write_page(CompressedPage::new(dictionary, words.len()))?;
    let second = pages.write_page(CompressedPage::new(numbers, data.len()))?;
    let bytes = Bytes::from(file.into_inner()?);
    let mut offsets = OffsetIndexBuilder::new();
    offsets.append_row_count(records as i64);
    offsets.append_offset_and_size(second.offset as i64, second.compressed_size as i32);
    let mut metadata = ColumnChunkMetaData::builder(descriptor);
    if let Some(ends) = ends {
        metadata = metadata.set_statistics(ends);
    }
    let metadata = metadata
        .set_compression(Compression::ZSTD(level))
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
        .set_page_encoding_stats(vec![
            PageEncodingStats { page_type: PageType::DICTIONARY_PAGE, encoding: Encoding::PLAIN, count: 1 },
            PageEncodingStats { page_type: PageType::DATA_PAGE, encoding: Encoding::RLE_DICTIONARY, count: 1 },
        ])
        .set_total_compressed_size(bytes.len() as i64)
        .set_total_uncompressed_size((first.uncompressed_size + second.uncompressed_size) as i64)
        .set_num_values(records as i64)
        .set_dictionary_page_offset(Some(first.offset as i64))
        .set_data_page_offset(second.offset as i64)
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: bytes.len() as u64,
        rows_written: records as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: Some(offsets.build()),
    };
    Ok(LabelChunk { bytes, close })
}

fn compressed(bytes: &[u8], level: ZstdLevel) -> Result<Bytes, ParquetError> {
    let compressed = zstd::bulk::compress(bytes, level.compression_level());
    compressed.map(Bytes::from).map_err(|error| ParquetError::External(Box::new(error)))
}

/// Numbers of so many bits each: runs of the same number, and groups of eight in between.
fn hybrid(out: &mut Vec<u8>, numbers: &[u32], width: u32) {
    let is_run = |numbers: &[u32]| numbers.first_chunk::<8>().is_some_and(|some| is_all(some, some[0]));
    let mut rest = numbers;
    while !rest.is_empty() {
        if is_run(rest) {
            let run = rest.iter().take_while(|&&number| number == rest[0]).count();
            repeat(out, rest[0], run, width);
            rest = &rest[run..];
        } else {
            let mixed = |groups: &usize| groups * 8 < rest.len() && !is_run(&rest[groups * 8..]);
            let groups = (1..).find(|groups| !mixed(groups)).unwrap_or(1);
            let (packed, left) = rest.split_at(rest.len().min(groups * 8));
            varint(out, (groups << 1 | 1) as u64);
            packed.chunks(8).for_each(|group| pack(out, group, width));
            rest = left;
        }
    }
}

/// The same number so many times.
fn repeat(out: &mut Vec<u8>, number: u32, times: usize, width: u32) {
    varint(out, (times as u64) << 1);
    out.extend(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Up to eight numbers of at most 14 bits, the first in the lowest bits; what is missing is zero.
fn pack(out: &mut Vec<u8>, group: &[u32], width: u32) {
    match group.first_chunk::<8>() {
        Some(group) if width <= 8 => {
            let bits = (0..).zip(group).fold(0, |bits, (place, &number)| bits | u64::from(number) << (place * width));
            out.extend(&bits.to_le_bytes()[..width as usize]);
        }
        _ => {
            let numbers = (0..).zip(group);
            let bits = numbers.fold(0_u128, |bits, (place, &number)| bits | u128::from(number) << (place * width));
            out.extend(&bits.to_le_bytes()[..width as usize]);
        }
    }
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::ArrayRef;
    use arrow_schema::{DataType, Field, Schema};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use proptest::prelude::*;

    use super::*;
    use crate::sink::{self, TEXT_KEY, TEXT_PLAIN};
    use crate::source::TextStyle;
    use cutline_engine::Format;

    /// Writes labels as a release does, and reads them with the crate's reader.
    fn read_back(batches: &[Vec<Option<String>>], nullable: bool) -> Vec<Option<String>> {
        let noted = std::collections::HashMap::from([(TEXT_KEY.to_owned(), TEXT_PLAIN.to_owned())]);
        let field = Field::new("label", DataType::Utf8View, nullable).with_metadata(noted);
        let schema = Arc::new(Schema::new(vec![field, Field::new("number", DataType::Int64, false)]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let file = std::fs::File::create(&path).unwrap();
        let (encoder, mut writer) =
            sink::create(file, Path::new("t"), Format::Parquet, &schema, TextStyle::Plain, 2).unwrap();
        for batch in batches {
            let labels: StringViewArray = batch.iter().map(Option::as_deref).collect();
            let numbers: arrow_array::Int64Array = (0..batch.len() as i64).collect();
            let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(labels), Arc::new(numbers)]).unwrap();
            writer.write(encoder.encode(&batch).unwrap()).unwrap();
        }
        writer.finish().unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(&path).unwrap()).unwrap();
        let read = builder.build().unwrap().flat_map(|batch| {
            let labels = arrow_cast::cast(batch.unwrap().column(0), &DataType::Utf8).unwrap();
            labels.as_string::<i32>().iter().map(|label| label.map(str::to_owned)).collect::<Vec<_>>()
        });
        read.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn labels_are_read_back_as_they_were(
            batches in prop::collection::vec((0..40_usize, 1..400_usize, 1..30_usize), 0..4),
            nulls in any::<bool>(), long in any::<bool>(),
        ) {
            // Stretches of the same label, of any length, and records without one.
            let label = |row: usize, labels: usize, stretch: usize| {
                let number = (row / stretch).wrapping_mul(0x9e37_79b9) % labels;
                (!nulls || number % 5 != 3).then(|| if long { format!("a label of many letters {number}") } else { format!("l{number}") })
            };
            let batches: Vec<Vec<Option<String>>> =
                batches.iter().map(|&(rows, labels, stretch)| (0..rows * 13).map(|row| label(row, labels, stretch)).collect()).collect();
            prop_assert_eq!(read_back(&batches, nulls), batches.concat());
        }
    }

    #[test]
    fn texts_have_the_same_bytes_whatever_arrays_they_come_in() {
        let texts: Vec<Option<String>> =
            (0..5000_usize).map(|row| (row % 11 != 3).then(|| format!("text {}", row * row % 17))).collect();
        let arrays: [ArrayRef; 3] = [
            Arc::new(texts.iter().map(Option::as_deref).collect::<StringViewArray>()),
            Arc::new(texts.iter().map(Option::as_deref).collect::<StringArray>()),
            Arc::new(texts.iter().map(Option::as_deref).collect::<DictionaryArray<UInt32Type>>()),
        ];
        let numbered = arrays.map(|array| {
            let batch = RecordBatch::try_from_iter([("text", array)]).unwrap();
            let Numbered { labels, numbers, records, levels } =
                Numbered::new(&[batch.slice(0, 7), batch.slice(7, 4993)], 0).unwrap();
            (labels, numbers, records, levels)
        });
        assert_eq!(numbered[0], numbered[1]);
        assert_eq!(numbered[0], numbered[2]);
        assert_eq!((numbered[0].0.len(), numbered[0].2), (9, 5000));
    }

    #[test]
    fn few_labels_of_many_records_and_too_many_labels_are_read_back() {
        let few: Vec<Option<String>> = (0..600_000_usize).map(|row| Some(format!("l{}", row * row % 7))).collect();
        assert!(read_back(std::slice::from_ref(&few), true) == few);
        let many: Vec<Option<String>> = (0..2 * MOST_LABELS).map(|row| Some(row.to_string())).collect();
        assert!(read_back(std::slice::from_ref(&many), true) == many);
        // Of each width of their numbers, in whole groups of eight and with some left over.
        for labels in [1, 2, 100, 255, 256, 257, 5_000, MOST_LABELS] {
            let mixed = |row: usize| Some((row * 7919 % labels).to_string());
            let mixed: Vec<Option<String>> = (0..3 * labels + 5).map(mixed).collect();
            assert!(read_back(std::slice::from_ref(&mixed), false) == mixed, "{labels}");
        }
        let none: Vec<Option<String>> = vec![None; 20];
        assert!(read_back(std::slice::from_ref(&none), true) == none);
    }

    #[test]
    fn too_many_labels_are_left_to_the_crate() {
        let column = |rows: usize| -> RecordBatch {
            let texts: StringViewArray = (0..rows).map(|row| Some(row.to_string())).collect();
            RecordBatch::try_from_iter([("x", Arc::new(texts) as arrow_array::ArrayRef)]).unwrap()
        };
        assert!(Numbered::new(&[column(MOST_LABELS)], 0).is_some());
        assert!(Numbered::new(&[column(MOST_LABELS + 1)], 0).is_none());
    }
}
