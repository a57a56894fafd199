//! CSV from files to batches, against the `csv` crate and against all that is wrong with real files.

use arrow_array::cast::AsArray;
use proptest::prelude::*;

use super::index::mark_exactly;
use super::*;
use crate::fields::Fields;
use crate::source::unquote;

fn inputs(files: &[(&str, &str)]) -> Vec<Input> {
    // Tests are few and small: what they leak does not matter.
    let input = |(name, text): &(&str, &str)| Input::built_in(name, Vec::leak(text.as_bytes().to_vec()));
    files.iter().map(input).collect()
}

fn open(text: &str, block_bytes: usize) -> CsvSource {
    CsvSource::with_blocks(inputs(&[("t.csv", text)]), &SourceOptions::default(), block_bytes).unwrap()
}

/// The records, read as text and as cells.
fn read(source: &CsvSource, columns: &[usize]) -> Result<Vec<Vec<String>>, FileError> {
    let records = read_by(source, columns, |chunk| chunk.read(columns));
    let cells = read_by(source, columns, |chunk| chunk.read_cells(columns));
    assert_eq!(format!("{records:?}"), format!("{cells:?}"));
    records
}

fn read_by(
    source: &CsvSource,
    columns: &[usize],
    read: impl Fn(BoxedChunk<'_>) -> Result<Vec<RecordBatch>, FileError>,
) -> Result<Vec<Vec<String>>, FileError> {
    let mut records = Vec::new();
    for chunk in source.chunks()? {
        for batch in read(chunk?)? {
            assert_eq!(batch.num_columns(), columns.len());
            for row in 0..batch.num_rows() {
                let cell = |column: &arrow_array::ArrayRef| match column.as_list_view_opt::<i32>() {
                    Some(fields) => String::from_utf8(Fields::of(fields).bytes(row).to_vec()).unwrap(),
                    None => column.as_string_view().value(row).to_string(),
                };
                records.push(batch.columns().iter().map(cell).collect());
            }
        }
    }
    Ok(records)
}

fn read_all(source: &CsvSource) -> Result<Vec<Vec<String>>, FileError> {
    let columns: Vec<usize> = (0..source.schema.fields().len()).collect();
    read(source, &columns)
}

fn error_of(text: &str, block_bytes: usize) -> FileError {
    read_all(&open(text, block_bytes)).unwrap_err()
}

#[test]
fn cells_keep_their_raw_text() {
    let text = "a,b\n\"x, \"\"y\"\"\",\n z ,5\" pipe\n";
    for block_bytes in [1, 7, 1000] {
        let records = read_all(&open(text, block_bytes)).unwrap();
        assert_eq!(records, [["\"x, \"\"y\"\"\"", ""], [" z ", "5\" pipe"]]);
    }
}

#[test]
fn long_cells_are_whole() {
    let long = "0123456789".repeat(50);
    let text = format!("a,b\n{long},x\ny,\"{long}\"\n");
    let records = read_all(&open(&text, 16)).unwrap();
    assert_eq!(records, [[long.clone(), "x".into()], ["y".into(), format!("\"{long}\"")]]);
}

#[test]
fn only_the_columns_that_are_asked_for_are_read() {
    let source = open("a,b,c\n1,2,3\n4,5,6\n", 1000);
    assert_eq!(read(&source, &[0, 2]).unwrap(), [["1", "3"], ["4", "6"]]);
    assert_eq!(read(&source, &[]).unwrap(), [[""; 0], [""; 0]]);
}

#[test]
fn a_table_can_be_read_again() {
    let source = open("a,b\n1,2\n", 1000);
    assert_eq!(read_all(&source).unwrap(), read_all(&source).unwrap());
}

#[test]
fn carriage_returns_belong_to_the_line_end() {
    let source = open("a,b\r\n1,2\r\n\"3\",\"4\r\n\"\r\n5,\r\n6,7\r", 1000);
    assert_eq!(source.text(), TextStyle::Csv { delimiter: b',', crlf: true });
    assert_eq!(read_all(&source).unwrap(), [["1", "2"], ["\"3\"", "\"4\r\n\""], ["5", ""], ["6", "7"]]);
}

#[test]
fn a_header_alone_is_a_table_without_records() {
    for text in ["a,b", "a,b\n", "a,b\r\n\r\n"] {
        assert_eq!(read_all(&open(text, 1000)).unwrap(), [[""; 2]; 0]);
    }
}

#[test]
fn in_a_table_of_one_column_an_empty_line_is_an_empty_value() {
    assert_eq!(read_all(&open("a\n1\n\n\"\"\n2\n", 1000)).unwrap(), [["1"], [""], ["\"\""], ["2"]]);
}

#[test]
fn chunks_add_up_to_the_size_of_the_table() {
    let source = open("a,b\n1,2\n3,4\n5,6\n", 5);
    let chunks = source.chunks().unwrap();
    assert_eq!(chunks.map(|chunk| chunk.unwrap().bytes()).sum::<u64>(), source.bytes());
}

#[test]
fn an_error_names_the_line_whatever_the_blocks() {
    for block_bytes in [1, 5, 1000] {
        let error = error_of("a,b\n1,\"2\n3\"\n\n4,5,6\n7,8\n", block_bytes);
        assert!(matches!(error, FileError::Ragged { line: 5, expected: 2, found: 3, .. }), "{error}");
        let error = error_of("a,b\n1,2\n3\n", block_bytes);
        assert!(matches!(error, FileError::Ragged { line: 3, expected: 2, found: 1, .. }), "{error}");
        let error = error_of("a,b\n1,2\n3,\"4\n5,6\n", block_bytes);
        assert!(matches!(error, FileError::UnclosedQuote { line: 3, .. }), "{error}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_even_in_columns_that_are_not_read() {
    let input = Input::built_in("t.csv", b"a,b\n1,2\n3,\xe9\n");
    for block_bytes in [1, 1000] {
        let source = CsvSource::with_blocks(vec![input.clone()], &SourceOptions::default(), block_bytes).unwrap();
        let error = read(&source, &[0]).unwrap_err();
        assert!(matches!(error, FileError::NotUtf8 { line: 3, .. }), "{error}");
    }
}

#[test]
fn columns_of_one_name_are_refused() {
    let error = CsvSource::open(inputs(&[("t.csv", "a,b, a \n")]), &SourceOptions::default()).unwrap_err();
    assert!(matches!(error, FileError::DuplicateColumn { ref name, .. } if name == "a"), "{error}");
}

#[test]
fn files_with_one_header_are_one_table() {
    let files = [("1.csv", "a,b\n1,2\n"), ("2.csv", "\u{feff}a,\"b\"\r\n"), ("3.csv", "a,b\n3,4")];
    let source = CsvSource::open(inputs(&files), &SourceOptions::default()).unwrap();
    assert_eq!(read_all(&source).unwrap(), [["1", "2"], ["3", "4"]]);
}

#[test]
fn files_with_other_headers_are_refused() {
    let other = |text| CsvSource::open(inputs(&[("1.csv", "a,b\n"), ("2.csv", text)]), &SourceOptions::default());
    for text in ["a,c\n", "a\n", "a;b\n", "b,a\n"] {
        let error = other(text).unwrap_err();
        assert!(matches!(error, FileError::SchemaMismatch { .. }), "{error}");
    }
}

#[test]
fn without_a_header_the_first_line_is_a_record() {
    let options = SourceOptions { header: Some(false), ..Default::default() };
    let source = CsvSource::with_blocks(inputs(&[("t.csv", "\u{feff}1,2\n3,4\n")]), &options, 4).unwrap();
    assert_eq!(read_all(&source).unwrap(), [["1", "2"], ["3", "4"]]);
}

/// A raw field and whether the grammar allows it as it is: quoted, unquoted, with stray quotes.
fn raw_field() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9 é漢;]{0,20}",
        "([a-z,é\n\r]|\"\"){0,20}".prop_map(|inner| format!("\"{inner}\"")),
        "[a-z ][a-z\"]{0,6}",
        "([a-z,\n]|\"\"){0,6}".prop_flat_map(|inner| "[a-z][a-z\"]{0,3}".prop_map(move |t| format!("\"{inner}\"{t}"))),
    ]
}

#[derive(Clone, Debug)]
struct Table {
    records: Vec<Vec<String>>,
    line_end: &'static str,
    ends_with_line_end: bool,
}

impl Table {
    fn text(&self) -> String {
        let lines: Vec<String> = self.records.iter().map(|fields| fields.join(",")).collect();
        lines.join(self.line_end) + if self.ends_with_line_end { self.line_end } else { "" }
    }
}

fn table() -> impl Strategy<Value = Table> {
    (1..5usize, any::<bool>(), any::<bool>()).prop_flat_map(|(columns, crlf, ends_with_line_end)| {
        // An empty line is no record to the csv crate.
        let field = move || raw_field().prop_filter("empty line", move |f| columns > 1 || !f.is_empty());
        let record = prop::collection::vec(field(), columns);
        let line_end = if crlf { "\r\n" } else { "\n" };
        let records = prop::collection::vec(record, 1..20);
        records.prop_map(move |records| Table { records, line_end, ends_with_line_end })
    })
}

fn by_csv_crate(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(String::from).collect()).collect()
}

proptest! {
    #[test]
    fn values_are_those_of_the_csv_crate(table in table(), block_bytes in 1..80usize) {
        let text = table.text();
        let options = SourceOptions { header: Some(false), delimiter: Some(b','), ..Default::default() };
        let source = CsvSource::with_blocks(inputs(&[("t.csv", &text)]), &options, block_bytes).unwrap();
        let raw = read_all(&source).unwrap();
        prop_assert_eq!(&raw, &table.records);
        let values: Vec<Vec<String>> =
            raw.iter().map(|record| record.iter().map(|field| unquote(field).into_owned()).collect()).collect();
        prop_assert_eq!(values, by_csv_crate(&text));
    }

    #[test]
    fn raw_fields_joined_are_the_file(table in table(), block_bytes in 1..80usize) {
        let table = Table { line_end: "\n", ends_with_line_end: true, ..table };
        let text = table.text();
        let options = SourceOptions { header: Some(false), delimiter: Some(b','), ..Default::default() };
        let source = CsvSource::with_blocks(inputs(&[("t.csv", &text)]), &options, block_bytes).unwrap();
        let joined = Table { records: read_all(&source).unwrap(), ..table };
        prop_assert_eq!(joined.text(), text);
    }

    #[test]
    fn blocks_never_cut_a_record(text in "[a\",\n\r]{0,80}", block_bytes in 1..40usize) {
        let input = &inputs(&[("t.csv", &text)])[0];
        let blocks = |size| {
            let reader = BlockReader::open(input, Records::Csv { delimiter: b',' }, size).unwrap();
            reader.collect::<Result<Vec<_>, _>>()
        };
        let (Ok(one), Ok(many)) = (blocks(1000), blocks(block_bytes)) else {
            prop_assert!(blocks(1000).is_err() && blocks(block_bytes).is_err());
            return Ok(());
        };
        let fields = |blocks: &[Block]| -> Vec<Vec<u8>> {
            let mut fields = Vec::new();
            for block in blocks {
                let mut ends = Vec::new();
                mark_exactly(&block.bytes, b',', &mut ends);
                let mut start = 0;
                for end in ends {
                    fields.push(block.bytes[start..=end as usize].to_vec());
                    start = end as usize + 1;
                }
                assert_eq!(start, block.bytes.len());
            }
            fields
        };
        prop_assert_eq!(fields(&one), fields(&many));
    }
}
