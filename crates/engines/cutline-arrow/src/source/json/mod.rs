//! JSON lines: a first pass over all lines finds the columns; then a chunk is a block of lines,
//! decoded on any thread.

mod infer;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_json::ReaderBuilder;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use memchr::memchr_iter;

use self::infer::{JsonKind, Keys, add_line, fields};
use super::blocks::{BLOCK_BYTES, Block, BlockReader, Records, blocks_of};
use super::schema::projected;
use super::{BoxedChunk, Chunk, Chunks, Format, Source, TextStyle};
use crate::digest::digest;
use crate::error::FileError;
use crate::input::Input;
use crate::parallel::ordered;

/// A table in one or more files with a JSON object on every line.
#[derive(Debug)]
pub(super) struct JsonSource {
    inputs: Vec<Input>,
    schema: SchemaRef,
    block_bytes: usize,
}

impl JsonSource {
    pub(super) fn open(inputs: Vec<Input>, threads: usize) -> Result<Self, FileError> {
        Self::with_blocks(inputs, BLOCK_BYTES, threads)
    }

    fn with_blocks(inputs: Vec<Input>, block_bytes: usize, threads: usize) -> Result<Self, FileError> {
        let keys = infer_keys(&inputs, block_bytes, threads)?;
        if keys.is_empty() {
            let path = inputs.first().map(|input| input.path().into()).unwrap_or_default();
            return Err(FileError::Empty { path });
        }
        Ok(Self { inputs, schema: Arc::new(Schema::new(fields(&keys))), block_bytes })
    }
}

fn blocks(inputs: &[Input], block_bytes: usize) -> impl Iterator<Item = Result<(&Input, Block), FileError>> + Send {
    blocks_of(inputs.iter().map(move |input| (input, BlockReader::open(input, Records::Lines, block_bytes))))
}

fn infer_keys(inputs: &[Input], block_bytes: usize, threads: usize) -> Result<Keys, FileError> {
    let mut all = JsonKind::Object(Keys::default());
    let work = |(input, block): (_, Block)| {
        let mut kind = JsonKind::Object(Keys::default());
        add_block(&mut kind, &block, input)?;
        Ok((input, block, kind))
    };
    ordered(threads, blocks(inputs, block_bytes), work, |(input, block, kind)| {
        if all.merge(kind, "").is_err() {
            // The lines of the block agree with each other, but one does not with those before it: find it.
            add_block(&mut all, &block, input)?;
        }
        Ok(())
    })?;
    match all {
        JsonKind::Object(keys) => Ok(keys),
        _ => Ok(Keys::default()),
    }
}

fn add_block(kind: &mut JsonKind, block: &Block, input: &Input) -> Result<(), FileError> {
    let text = std::str::from_utf8(&block.bytes).map_err(|error| {
        let (line, byte) = block.place_of(error.valid_up_to());
        FileError::NotUtf8 { path: input.path().into(), line, byte }
    })?;
    for (line, number) in text.split('\n').zip(block.first_line..) {
        if !line.trim_ascii().is_empty() {
            add_line(kind, line).map_err(|problem| FileError::Json {
                path: input.path().into(),
                line: number,
                problem,
            })?;
        }
    }
    Ok(())
}

impl Source for JsonSource {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn format(&self) -> Format {
        Format::JsonLines
    }

    fn text(&self) -> TextStyle {
        TextStyle::Plain
    }

    fn bytes(&self) -> u64 {
        self.inputs.iter().map(Input::bytes).sum()
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        let schema = &self.schema;
        Ok(Box::new(blocks(&self.inputs, self.block_bytes).map(move |item| {
            let (input, block) = item?;
            Ok(Box::new(JsonChunk { schema, input, block }) as BoxedChunk<'a>)
        })))
    }
}

struct JsonChunk<'a> {
    schema: &'a SchemaRef,
    input: &'a Input,
    block: Block,
}

impl JsonChunk<'_> {
    /// The first line that does not decode. What Arrow says about it may hold its values.
    fn error(&self, schema: &SchemaRef) -> FileError {
        let lines = self.block.bytes.split_inclusive(|&byte| byte == b'\n');
        let mut numbered = lines.zip(self.block.first_line..);
        let damaged = numbered.find(|(line, _)| decode(schema, line).is_err());
        FileError::Json {
            path: self.input.path().into(),
            line: damaged.map_or(self.block.first_line, |(_, number)| number),
            problem: "a value does not fit its column".to_string(),
        }
    }
}

fn decode(schema: &SchemaRef, lines: &[u8]) -> Result<Option<RecordBatch>, ArrowError> {
    let records = memchr_iter(b'\n', lines).count();
    let mut decoder = ReaderBuilder::new(Arc::clone(schema))
        .with_coerce_primitive(true)
        .with_batch_size(records.max(1))
        .build_decoder()?;
    decoder.decode(lines)?;
    decoder.flush()
}

impl Chunk for JsonChunk<'_> {
    fn bytes(&self) -> u64 {
        self.block.stored_bytes
    }

    fn digest(&mut self, _columns: &[usize]) -> Result<u64, FileError> {
        Ok(digest([&self.block.bytes[..]]))
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let wanted = projected(self.schema, columns, self.input)?;
        let batch = decode(&wanted, &self.block.bytes).map_err(|_| self.error(&wanted))?;
        Ok(batch.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    use super::*;

    fn open(text: &'static str, block_bytes: usize) -> Result<JsonSource, FileError> {
        JsonSource::with_blocks(vec![Input::built_in("a.jsonl", text.as_bytes())], block_bytes, 2)
    }

    fn read(source: &JsonSource, columns: &[usize]) -> Vec<RecordBatch> {
        let chunks = source.chunks().unwrap();
        chunks.flat_map(|chunk| chunk.unwrap().read(columns).unwrap()).collect()
    }

    #[test]
    fn lines_become_records_in_order() {
        let text = "{\"n\":1,\"s\":\"x\"}\n\n{\"s\":2,\"n\":null}\n{\"n\":3,\"t\":true}";
        for block_bytes in [1, 20, 1000] {
            let source = open(text, block_bytes).unwrap();
            let names: Vec<_> = source.schema().fields().iter().map(|f| f.name().clone()).collect();
            assert_eq!(names, ["n", "s", "t"]);
            let batches = read(&source, &[0, 1]);
            let n = batches.iter().flat_map(|b| b.column(0).as_primitive::<Int64Type>().iter());
            assert_eq!(n.collect::<Vec<_>>(), [Some(1), None, Some(3)]);
            let s = batches.iter().flat_map(|b| b.column(1).as_string::<i32>().iter());
            assert_eq!(s.collect::<Vec<_>>(), [Some("x"), Some("2"), None]);
            assert_eq!(read(&source, &[]).iter().map(|b| b.num_rows()).sum::<usize>(), 3);
        }
    }

    #[test]
    fn a_problem_names_its_line_whatever_the_blocks() {
        let line_of = |text: &'static str, block_bytes| match open(text, block_bytes) {
            Err(FileError::Json { line, .. } | FileError::NotUtf8 { line, .. }) => line,
            other => panic!("{other:?}"),
        };
        for block_bytes in [1, 20, 1000] {
            assert_eq!(line_of("{\"a\":1}\n\n{\"a\":[1]}\n", block_bytes), 3);
            assert_eq!(line_of("{\"a\":1}\n{\"a\":2}\n{\"a\"\n", block_bytes), 3);
        }
    }

    #[test]
    fn a_file_without_records_is_empty() {
        assert!(matches!(open("", 10), Err(FileError::Empty { .. })));
        assert!(matches!(open("\n \n", 10), Err(FileError::Empty { .. })));
    }
}
