//! Every format through `open`: files on disk to batches.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::data_type::{ByteArray, ByteArrayType};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::DataType;

use super::*;

type Write = fn(&Path, &RecordBatch);

fn batch(ages: &[i64], names: &[Option<&str>]) -> RecordBatch {
    let codes: DictionaryArray<Int32Type> = names.iter().copied().collect();
    let columns: [(&str, ArrayRef); 3] = [
        ("age", Arc::new(Int64Array::from(ages.to_vec()))),
        ("name", Arc::new(StringArray::from(names.to_vec()))),
        ("code", Arc::new(codes)),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, name != "age"))).unwrap()
}

fn one() -> RecordBatch {
    batch(&[30, 40, 50], &[Some("a"), None, Some("b")])
}

fn write_parquet(path: &Path, batch: &RecordBatch) {
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(2)).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn write_ipc(path: &Path, batch: &RecordBatch) {
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), &batch.schema()).unwrap();
    for row in 0..batch.num_rows() {
        writer.write(&batch.slice(row, 1)).unwrap();
    }
    writer.finish().unwrap();
}

fn write_stream(path: &Path, batch: &RecordBatch) {
    let mut writer = StreamWriter::try_new(File::create(path).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch.slice(0, 1)).unwrap();
    writer.write(&batch.slice(1, 2)).unwrap();
    writer.finish().unwrap();
}

fn open_at(path: &Path) -> Result<Box<dyn Source>, FileError> {
    open(path.to_str().unwrap(), &SourceOptions::default(), 2)
}

fn read(source: &dyn Source, columns: &[usize]) -> RecordBatch {
    let chunks = source.chunks().unwrap();
    let batches: Vec<RecordBatch> = chunks.flat_map(|chunk| chunk.unwrap().read(columns).unwrap()).collect();
    let schema = Arc::new(source.schema().project(columns).unwrap());
    for batch in &batches {
        assert_eq!(batch.schema(), schema);
    }
    arrow_select::concat::concat_batches(&schema, &batches).unwrap()
}

fn ages(batch: &RecordBatch) -> Vec<i64> {
    batch.column_by_name("age").unwrap().as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn parquet_and_arrow_keep_their_types_and_order() {
    let folder = tempfile::tempdir().unwrap();
    let writers: [(&str, Write); 3] =
        [("a.parquet", write_parquet), ("a.arrow", write_ipc), ("a.arrows", write_stream)];
    for (name, write) in writers {
        let path = folder.path().join(name);
        write(&path, &one());
        let source = open_at(&path).unwrap();
        assert_eq!(source.text(), TextStyle::Plain);
        let kinds = source.schema().fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>();
        let mut expected: Vec<_> = one().columns().iter().map(|column| column.data_type().clone()).collect();
        if name == "a.parquet" {
            expected[1] = DataType::Utf8View;
        }
        assert_eq!(kinds, expected, "{name}");
        let all = read(source.as_ref(), &[0, 1, 2]);
        assert_eq!(ages(&all), [30, 40, 50], "{name}");
        assert_eq!(&arrow_cast::cast(all.column(1), &DataType::Utf8).unwrap(), one().column(1), "{name}");
        let some = read(source.as_ref(), &[2]);
        let codes = arrow_cast::cast(some.column(0), one().column(1).data_type()).unwrap();
        assert_eq!(&codes, one().column(1), "{name}");
        let chunks: Vec<_> = source.chunks().unwrap().collect::<Result<_, _>>().unwrap();
        assert!(chunks.len() > 1, "{name}");
        assert!(chunks.iter().map(|chunk| chunk.bytes()).sum::<u64>() <= source.bytes(), "{name}");
    }
}

#[test]
fn a_large_row_group_is_read_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let records = 300_001;
    let name = |n: usize| (!n.is_multiple_of(7)).then(|| format!("name {}", n % 40_000));
    let names: StringArray = (0..records).map(name).collect();
    let columns: [(&str, ArrayRef); 2] =
        [("age", Arc::new(Int64Array::from_iter_values(0..records as i64))), ("name", Arc::new(names.clone()))];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let source = open_at(&path).unwrap();
    let chunks: Vec<_> = source.chunks().unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks.iter().map(|chunk| chunk.bytes()).sum::<u64>(), source.bytes());
    let all = read(source.as_ref(), &[0, 1]);
    assert_eq!(ages(&all), (0..records as i64).collect::<Vec<_>>());
    assert_eq!(arrow_cast::cast(all.column(1), &DataType::Utf8).unwrap().as_string::<i32>(), &names);
    assert_eq!(read(source.as_ref(), &[]).num_rows(), records);
}

#[test]
fn without_columns_records_are_still_counted() {
    let folder = tempfile::tempdir().unwrap();
    for (name, write) in [("a.parquet", write_parquet as Write), ("a.arrow", write_ipc)] {
        let path = folder.path().join(name);
        write(&path, &one());
        let source = open_at(&path).unwrap();
        let chunks = source.chunks().unwrap();
        let count = chunks.flat_map(|c| c.unwrap().read(&[]).unwrap()).map(|b| b.num_rows()).sum::<usize>();
        assert_eq!(count, 3, "{name}");
    }
}

#[test]
fn the_files_of_a_folder_are_one_table() {
    for (extension, write) in [("parquet", write_parquet as Write), ("arrow", write_ipc)] {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join(format!("1.{extension}")), &one());
        write(&folder.path().join(format!("2.{extension}")), &batch(&[60], &[Some("c")]));
        assert_eq!(ages(&read(open_at(folder.path()).unwrap().as_ref(), &[0, 1])), [30, 40, 50, 60]);
        let other = RecordBatch::try_from_iter([("age", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]).unwrap();
        write(&folder.path().join(format!("3.{extension}")), &other);
        assert!(matches!(open_at(folder.path()), Err(FileError::SchemaMismatch { .. })));
    }
}

#[test]
fn csv_and_json_lines_are_read_from_packed_files() {
    let folder = tempfile::tempdir().unwrap();
    let pack = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
        open_at(&path).unwrap()
    };
    let csv = pack("a.csv.zst", "age,name\n30,a\n40,\n");
    assert_eq!(
        read(csv.as_ref(), &[0]).column(0).as_string_view().iter().collect::<Vec<_>>(),
        [Some("30"), Some("40")]
    );
    let json = pack("a.jsonl.zst", "{\"age\":30}\n{\"age\":40,\"name\":\"x\"}\n");
    assert_eq!(ages(&read(json.as_ref(), &[0, 1])), [30, 40]);
}

#[test]
fn a_built_in_table_is_a_table() {
    let files: [(&str, &'static [u8]); 2] = [("1.csv", b"a\n1\n"), ("2.csv", b"a\n2\n")];
    let source = open_builtin(&files, &SourceOptions::default()).unwrap();
    assert_eq!(read(source.as_ref(), &[0]).num_rows(), 2);
    assert!(matches!(open_builtin(&[], &SourceOptions::default()), Err(FileError::NothingToRead { .. })));
}

#[test]
fn damaged_files_are_errors_with_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let error_of = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = open_at(&path).err().unwrap();
        assert!(error.to_string().contains(name), "{error}");
        error
    };
    assert!(matches!(error_of("a.parquet", b"PAR1 no"), FileError::Parquet { .. }));
    assert!(matches!(error_of("a.arrow", b"ARROW1\0\0no"), FileError::Arrow { .. }));
    assert!(matches!(error_of("b.arrow", b"nonsense"), FileError::Arrow { .. }));
    assert!(matches!(error_of("b.parquet", b""), FileError::Empty { .. }));
    assert!(matches!(error_of("c.arrow", b""), FileError::Empty { .. }));
    assert!(matches!(error_of("c.csv", b""), FileError::Empty { .. }));
    assert!(matches!(error_of("d.parquet.gz", b"x"), FileError::Unsupported { .. }));
    assert!(matches!(error_of("e.csv.gz", b"not gzip"), FileError::Io { .. }));
}

#[test]
fn an_arrow_file_that_ends_early_is_an_error_not_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arrow");
    write_ipc(&path, &one().project(&[0, 1]).unwrap());
    let bytes = fs::read(&path).unwrap();
    // Only the footer is left: it points at batches which are not there.
    let trailer = bytes.len() - 10;
    let footer = read_footer_length(bytes[trailer..].try_into().unwrap()).unwrap();
    let damaged = [&bytes[..8], &bytes[trailer - footer..]].concat();
    fs::write(&path, damaged).unwrap();
    let outcome = open_at(&path).and_then(|source| source.chunks()?.try_for_each(|chunk| chunk?.read(&[0]).map(drop)));
    assert!(matches!(outcome, Err(FileError::Arrow { .. })));
}

/// Everything that can be read of a file.
fn read_all(path: &Path) -> Result<(), FileError> {
    let source = open_at(path)?;
    let columns: Vec<usize> = (0..source.schema().fields().len()).collect();
    source.chunks()?.try_for_each(|chunk| chunk?.read(&columns).map(drop))
}

#[test]
fn a_damaged_byte_makes_an_error_or_another_table_but_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (mut errors, mut given_up) = (0, 0);
    for (extension, write) in [("parquet", write_parquet as Write), ("arrow", write_ipc)] {
        let path = folder.path().join(format!("a.{extension}"));
        write(&path, &one());
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= [0xff, 0x80, 0x01][at % 3];
            fs::write(&path, &bytes).unwrap();
            match read_all(&path) {
                Ok(()) => {}
                Err(FileError::Damaged { .. }) => given_up += 1,
                Err(_) => errors += 1,
            }
        }
    }
    assert!(errors > 100 && given_up > 0, "{errors} errors, {given_up} panics that became errors");
}

/// Texts of another kind, as DuckDB writes its JSON: the reader of Parquet gives no words of them.
#[test]
fn texts_that_parquet_calls_json_are_read_by_every_pass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let kind = ::parquet::schema::parser::parse_message_type("message m { required binary v (JSON); }").unwrap();
    let file = File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(file, Arc::new(kind), Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values = ["{}", "[1]", "{}"].map(|text| ByteArray::from(text.as_bytes().to_vec()));
    column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let source = open_at(&path).unwrap();
    let expected = vec![Some("{}"), Some("[1]"), Some("{}")];
    for chunk in source.chunks().unwrap() {
        let batches = chunk.unwrap().read_cells(&[0]).unwrap();
        assert_eq!(batches[0].column(0).as_string_view().iter().collect::<Vec<_>>(), expected);
    }
    assert_eq!(read(source.as_ref(), &[0]).column(0).as_string_view().iter().collect::<Vec<_>>(), expected);
}
