//! The published records in a random order, in bounded memory.
//!
//! ```text
//!  record ──► a random number ──► the bucket of its first bits (a file without a name) ──► sorted by number, bucket by bucket
//! ```
//!
//! Numbers are drawn independently of each other, so every order is as likely as any other. They are a keyed hash of the positions: the
//! same key gives the same order on any number of threads, and without the key nobody can undo it. The key that is used follows from the
//! given one and the table ([`of_table`]): whoever uses one key for the tables of every month does not give equal positions away.

use std::fs::File;
use std::hash::Hasher;
use std::io::{BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use siphasher::sip::SipHasher13;

use crate::error::FileError;
use crate::files::io_error;

/// So many bytes of the input go to one bucket, which must fit into memory.
const BUCKET_BYTES: u64 = 64 << 20;

/// So many buckets at most: each is an open file. The buckets of an input beyond 16 GiB are larger.
const MOST_BUCKETS: u64 = 256;

/// Records that are handed out at once.
const PIECE: usize = 1 << 14;

/// The key for one table: unrelated to that of any other table, and to the given key for everybody who does not know it. Tables in memory
/// have no digests; theirs follows from the number of their pieces alone.
pub(crate) fn of_table(key: [u8; 16], digests: &[u64]) -> [u8; 16] {
    let mut hasher = siphasher::sip128::SipHasher24::new_with_key(&key);
    digests.iter().for_each(|&digest| hasher.write_u64(digest));
    siphasher::sip128::Hasher128::finish128(&hasher).as_bytes()
}

/// Takes records in their order and gives them back in another one.
pub(crate) struct Shuffle {
    key: [u8; 16],
    /// The columns, and the random number.
    schema: SchemaRef,
    buckets: Vec<StreamWriter<BufWriter<File>>>,
    /// Where these are.
    folder: PathBuf,
    records: u64,
}

impl Shuffle {
    /// A shuffle of about so many bytes, which are put aside in `folder`.
    pub(crate) fn new(key: [u8; 16], schema: &Schema, bytes: u64, folder: &Path) -> Result<Self, FileError> {
        Self::with_buckets(key, schema, bytes.div_ceil(BUCKET_BYTES).clamp(1, MOST_BUCKETS), folder)
    }

    fn with_buckets(key: [u8; 16], schema: &Schema, buckets: u64, folder: &Path) -> Result<Self, FileError> {
        let number = Arc::new(Field::new("", DataType::UInt64, false));
        let fields: Vec<_> = schema.fields().iter().cloned().chain([number]).collect();
        let schema = Arc::new(Schema::new(fields));
        let bucket = |_| {
            let file = tempfile::tempfile_in(folder).map_err(|source| io_error(folder, "write", source))?;
            StreamWriter::try_new_buffered(file, &schema).map_err(|source| failed(folder, source))
        };
        let buckets = (0..buckets).map(bucket).collect::<Result<_, _>>()?;
        Ok(Shuffle { key, schema, buckets, folder: folder.to_owned(), records: 0 })
    }

    /// Puts the next records aside.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), FileError> {
        self.scatter(batch).map_err(|source| failed(&self.folder, source))
    }

    fn scatter(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let numbers: Vec<u64> = (self.records..).take(batch.num_rows()).map(|record| self.number(record)).collect();
        self.records += numbers.len() as u64;
        let mut rows = vec![Vec::new(); self.buckets.len()];
        for (row, &number) in (0..).zip(&numbers) {
            rows[((u128::from(number) * self.buckets.len() as u128) >> 64) as usize].push(row);
        }
        let columns = batch.columns().iter().cloned().chain([Arc::new(UInt64Array::from(numbers)) as ArrayRef]);
        let numbered = RecordBatch::try_new(self.schema.clone(), columns.collect())?;
        for (bucket, rows) in self.buckets.iter_mut().zip(rows).filter(|(_, rows): &(_, Vec<u32>)| !rows.is_empty()) {
            bucket.write(&compact(&take_record_batch(&numbered, &UInt32Array::from(rows))?)?)?;
        }
        Ok(())
    }

    /// What is known of each record that was put aside, in the order in which they will be handed out.
    pub(crate) fn arrange(&self, known: &[u32]) -> Vec<u32> {
        let mut records: Vec<u64> = (0..known.len() as u64).collect();
        // Buckets are in the order of the numbers' first bits, and sorted one by one.
        records.sort_by_cached_key(|&record| self.number(record));
        records.into_iter().map(|record| known[record as usize]).collect()
    }

    /// Hands out all records.
    pub(crate) fn finish(self, mut take: impl FnMut(RecordBatch) -> Result<(), FileError>) -> Result<(), FileError> {
        for bucket in self.buckets {
            let records = sorted(bucket, &self.schema).map_err(|source| failed(&self.folder, source))?;
            let pieces = (0..records.num_rows()).step_by(PIECE);
            pieces.map(|start| records.slice(start, PIECE.min(records.num_rows() - start))).try_for_each(&mut take)?;
        }
        Ok(())
    }

    fn number(&self, record: u64) -> u64 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write_u64(record);
        hasher.finish()
    }
}

/// The records of a bucket by their numbers, which are left out.
fn sorted(bucket: StreamWriter<BufWriter<File>>, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let mut file = bucket.into_inner()?.into_inner().map_err(|error| error.into_error())?;
    file.rewind()?;
    let batches = StreamReader::try_new(BufReader::new(file), None)?.collect::<Result<Vec<_>, _>>()?;
    let records = concat_batches(schema, &batches)?;
    let columns = records.num_columns() - 1;
    let numbers = records.column(columns).as_primitive::<UInt64Type>().values();
    let mut rows: Vec<u32> = (0..records.num_rows() as u32).collect();
    rows.sort_by_key(|&row| numbers[row as usize]);
    take_record_batch(&records.project(&(0..columns).collect::<Vec<_>>())?, &UInt32Array::from(rows))
}

/// The batch without bytes that none of its rows refers to: views would write those of all buckets into each.
fn compact(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let column = |column: &ArrayRef| match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()) as ArrayRef,
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        _ => column.clone(),
    };
    RecordBatch::try_new(batch.schema(), batch.columns().iter().map(column).collect())
}

/// What is put aside fills a disk, and the input has nothing to do with that.
fn failed(folder: &Path, source: ArrowError) -> FileError {
    match source {
        ArrowError::IoError(_, source) => io_error(folder, "put records aside in", source),
        source => FileError::Arrow { path: folder.to_owned(), source },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use arrow_array::StringViewArray;

    use super::*;

    #[test]
    fn a_full_disk_is_not_the_inputs_fault() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let error = failed(Path::new("aside"), ArrowError::IoError("write".to_owned(), full));
        assert!(error.to_string().starts_with("cannot put records aside in `aside`"), "{error}");
        assert_eq!(cutline_engine::EngineFault::blame(&error), cutline_engine::Blame::Machine);
    }

    /// The records 0, 1, … in the order of a shuffle.
    fn shuffled(records: usize, batch: usize, buckets: u64, key: u8) -> Vec<usize> {
        let folder = tempfile::tempdir().unwrap();
        let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Utf8View, false)]));
        let mut shuffle = Shuffle::with_buckets([key; 16], &schema, buckets, folder.path()).unwrap();
        let numbers: Vec<usize> = (0..records).collect();
        for part in numbers.chunks(batch) {
            let texts: StringViewArray = part.iter().map(|n| Some(format!("record number {n}"))).collect();
            shuffle.add(&RecordBatch::try_new(schema.clone(), vec![Arc::new(texts)]).unwrap()).unwrap();
        }
        let arranged = shuffle.arrange(&(0..records as u32).collect::<Vec<_>>());
        let mut all = Vec::new();
        let take = |batch: RecordBatch| {
            let number = |text: Option<&str>| text.unwrap().rsplit(' ').next().unwrap().parse::<usize>().unwrap();
            all.extend(batch.column(0).as_string_view().iter().map(number));
            Ok(())
        };
        shuffle.finish(take).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left aside");
        assert!(arranged.iter().map(|&record| record as usize).eq(all.iter().copied()));
        all
    }

    #[test]
    fn every_record_comes_once_and_neither_batches_nor_buckets_matter() {
        let one = shuffled(1000, 1000, 1, 7);
        assert_eq!(shuffled(1000, 13, 5, 7), one);
        assert_ne!(shuffled(1000, 13, 5, 8), one, "another key is another order");
        let mut all = one.clone();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..1000));
        assert!(one.windows(2).filter(|pair| pair[0] < pair[1]).count() < 600, "it is no order");
    }

    #[test]
    fn tables_have_keys_of_their_own() {
        let keys =
            [of_table([1; 16], &[]), of_table([1; 16], &[7]), of_table([1; 16], &[7, 8]), of_table([2; 16], &[7])];
        assert_eq!(of_table([1; 16], &[7]), keys[1]);
        for (number, key) in keys.iter().enumerate() {
            assert!(*key != [1; 16] && !keys[..number].contains(key), "{number}");
        }
    }

    #[test]
    fn every_order_is_as_likely_as_any_other() {
        let mut counts: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        for key in 0..=239 {
            *counts.entry(shuffled(3, 2, 2, key)).or_default() += 1;
        }
        // 40 times each are expected, with a standard deviation below 6.
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (16..=64).contains(count)), "{counts:?}");
    }
}
