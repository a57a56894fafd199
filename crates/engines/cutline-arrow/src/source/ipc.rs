//! Arrow IPC: a chunk is a record batch.
//!
//! The file format has an index, so batches are read and decoded on any thread. The stream format
//! has none: there the sequential part decodes.

mod sizes;

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, StreamReader, read_dictionary, read_footer_length};
use arrow_ipc::{Block, Message, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use super::parquet::check_file;
use super::schema::{arrow_error, common_schema, projected, with_schema};
use super::{BoxedChunk, Chunk, Chunks, Format, Source, TextStyle, foreign};
use crate::digest::{Digest, digest};
use crate::error::FileError;
use crate::input::{Input, Stream};
use crate::reading::Reading;

const MAGIC: &[u8; 6] = b"ARROW1";

/// The length of the footer and the mark at the end of a file.
const TRAILER: u64 = 10;

/// A table in one or more Arrow IPC files.
#[derive(Debug)]
pub(super) struct IpcSource {
    files: Vec<(Input, Layout)>,
    schema: SchemaRef,
}

#[derive(Debug)]
enum Layout {
    Indexed(Index),
    Stream(SchemaRef),
}

/// What the footer of a file in the file format says.
#[derive(Debug)]
struct Index {
    schema: SchemaRef,
    version: MetadataVersion,
    batches: Vec<Block>,
    dictionaries: HashMap<i64, ArrayRef>,
    /// Where the dictionaries are.
    dictionary_blocks: Vec<Block>,
    /// Of everything that is not read again in every pass.
    digest: u64,
}

impl IpcSource {
    pub(super) fn open(inputs: Vec<Input>) -> Result<Self, FileError> {
        let files = inputs.into_iter().map(with_layout).collect::<Result<Vec<_>, _>>()?;
        let schemas: Vec<_> = files.iter().map(|(i, l)| (i, l.schema().as_ref())).collect();
        let schema = common_schema(&schemas)?;
        Ok(Self { files, schema })
    }

    fn file_chunks<'a>(&'a self, input: &'a Input, layout: &'a Layout) -> Chunks<'a> {
        match layout {
            Layout::Indexed(index) => Box::new(index.batches.iter().map(move |&block| {
                let chunk = IndexedChunk { schema: &self.schema, input, index, block, taken: None };
                Ok(Box::new(chunk) as BoxedChunk<'a>)
            })),
            Layout::Stream(schema) => match self.stream_chunks(input, schema) {
                Ok(chunks) => Box::new(chunks),
                Err(error) => Box::new(std::iter::once(Err(error))),
            },
        }
    }

    fn stream_chunks<'a>(
        &'a self,
        input: &'a Input,
        schema: &SchemaRef,
    ) -> Result<impl Iterator<Item = Result<BoxedChunk<'a>, FileError>> + Send + 'a, FileError> {
        let file = Digested { stream: BufReader::new(input.stream()?), digest: Digest::new() };
        let open = || StreamReader::try_new(file, None).map_err(|e| arrow_error(input, e));
        let mut reader = foreign::call(input, open)?;
        if reader.schema() != *schema {
            return Err(input.changed());
        }
        let mut taken = 0;
        Ok(std::iter::from_fn(move || {
            let next = || reader.next().transpose().map_err(|e| arrow_error(input, e));
            let batch = foreign::call(input, next).transpose()?;
            let before = taken;
            taken = reader.get_ref().stream.get_ref().taken();
            let (bytes, digest) = (taken - before, reader.get_ref().digest.finish());
            let chunk = |batch| StreamChunk { schema: &self.schema, input, batch, bytes, digest };
            Some(batch.map(|batch| Box::new(chunk(batch)) as BoxedChunk<'a>))
        }))
    }
}

/// A stream, and a digest of all that was read from it.
struct Digested {
    stream: BufReader<Stream>,
    digest: Digest,
}

impl Read for Digested {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.digest.add(&buffer[..read]);
        Ok(read)
    }
}

impl Layout {
    fn schema(&self) -> &SchemaRef {
        match self {
            Self::Indexed(index) => &index.schema,
            Self::Stream(schema) => schema,
        }
    }

    /// A stream is read as a whole in every pass.
    fn unchanged(&self, input: &Input) -> Result<(), FileError> {
        let Self::Indexed(index) = self else { return Ok(()) };
        let now = digest_of(&mut input.reading()?, &index.dictionary_blocks);
        if now.is_ok_and(|now| now == index.digest) { Ok(()) } else { Err(input.changed()) }
    }
}

fn with_layout(input: Input) -> Result<(Input, Layout), FileError> {
    check_file(&input)?;
    let layout = foreign::call(&input, || read_layout(&input))?;
    Ok((input, layout))
}

fn read_layout(input: &Input) -> Result<Layout, FileError> {
    let mut file = input.reading()?;
    let mut magic = [0; MAGIC.len()];
    let layout = match file.read_exact(&mut magic) {
        Ok(()) if magic == *MAGIC => read_index(&mut file).map(Layout::Indexed),
        _ => {
            let (check, read) = (input.reading()?, input.reading()?);
            let sane = sizes::check_stream(BufReader::new(check));
            let reader = sane.and_then(|()| StreamReader::try_new(BufReader::new(read), None));
            reader.map(|reader| Layout::Stream(reader.schema()))
        }
    };
    layout.map_err(|e| arrow_error(input, e))
}

fn read_index(file: &mut Reading) -> Result<Index, ArrowError> {
    let mut trailer = [0; 10];
    file.seek(SeekFrom::End(-10))?;
    file.read_exact(&mut trailer)?;
    let length = read_footer_length(trailer)?;
    file.seek(SeekFrom::End(-10 - length as i64))?;
    let mut footer = Vec::new();
    file.take(length as u64).read_to_end(&mut footer)?;
    let damaged = |what: &str| ArrowError::IpcError(format!("the footer has no {what}"));
    let footer = root_as_footer(&footer).map_err(|_| damaged("valid content"))?;
    let schema = footer.schema().ok_or_else(|| damaged("schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(ArrowError::IpcError("written on a machine of other endianness".to_string()));
    }
    let schema = Arc::new(try_fb_to_schema(schema)?);
    let batches = footer.recordBatches().ok_or_else(|| damaged("batches"))?;
    let version = footer.version();
    let mut dictionaries = HashMap::new();
    for block in footer.dictionaries().iter().flatten() {
        let (bytes, body) = read_block(file, block)?;
        let message = message(&bytes, &body)?;
        let dictionary =
            message.header_as_dictionary_batch().ok_or_else(|| ArrowError::IpcError("not a dictionary".to_string()))?;
        read_dictionary(&body, dictionary, &schema, &mut dictionaries, &message.version())?;
    }
    let batches = batches.iter().copied().collect();
    let dictionary_blocks: Vec<Block> = footer.dictionaries().iter().flatten().copied().collect();
    let digest = digest_of(file, &dictionary_blocks)?;
    Ok(Index { schema, version, batches, dictionaries, dictionary_blocks, digest })
}

/// The digest of the footer and the dictionaries, which are read only once.
fn digest_of(file: &mut Reading, dictionaries: &[Block]) -> Result<u64, ArrowError> {
    let mut digest = Digest::new();
    digest.add(&file.tail_digest(TRAILER)?.to_le_bytes());
    for block in dictionaries {
        digest.add(&read_block(file, block)?.0);
    }
    Ok(digest.finish())
}

/// The bytes of a message, and the part of them that is its body.
fn read_block(file: &mut Reading, block: &Block) -> Result<(Buffer, Buffer), ArrowError> {
    let damaged = || ArrowError::IpcError("the index points outside the file".to_string());
    let offset = u64::try_from(block.offset()).map_err(|_| damaged())?;
    let head = usize::try_from(block.metaDataLength()).map_err(|_| damaged())?;
    let body = usize::try_from(block.bodyLength()).map_err(|_| damaged())?;
    let length = head.checked_add(body).ok_or_else(damaged)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() != length {
        return Err(damaged());
    }
    let bytes = Buffer::from_vec(bytes);
    let body = bytes.slice(head);
    Ok((bytes, body))
}

/// The head of a message, which starts with its length, after a marker in files since 2019.
fn message<'a>(bytes: &'a [u8], body: &[u8]) -> Result<Message<'a>, ArrowError> {
    let damaged = || ArrowError::IpcError("a message is damaged".to_string());
    let skip = if bytes.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let message = root_as_message(bytes.get(skip..).ok_or_else(damaged)?).map_err(|_| damaged())?;
    sizes::check(&message, |place| {
        let rest = usize::try_from(place).ok().and_then(|place| body.get(place..));
        rest.and_then(|rest| rest.first_chunk().copied()).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    })?;
    Ok(message)
}

impl Source for IpcSource {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn format(&self) -> Format {
        Format::Arrow
    }

    fn text(&self) -> TextStyle {
        TextStyle::Plain
    }

    fn bytes(&self) -> u64 {
        self.files.iter().map(|(input, _)| input.bytes()).sum()
    }

    fn unchanged(&self) -> Result<(), FileError> {
        self.files.iter().try_for_each(|(input, layout)| layout.unchanged(input))
    }

    fn chunks<'a>(&'a self) -> Result<Chunks<'a>, FileError> {
        let chunks = self.files.iter().flat_map(|(input, layout)| self.file_chunks(input, layout));
        Ok(Box::new(chunks))
    }
}

struct IndexedChunk<'a> {
    schema: &'a SchemaRef,
    input: &'a Input,
    index: &'a Index,
    block: Block,
    /// Its bytes and those of its body, once they are read.
    taken: Option<(Buffer, Buffer)>,
}

impl IndexedChunk<'_> {
    fn take(&self) -> Result<(Buffer, Buffer), FileError> {
        let mut file = self.input.reading()?;
        foreign::call(self.input, || read_block(&mut file, &self.block).map_err(|e| arrow_error(self.input, e)))
    }

    fn decode(&self, (bytes, body): &(Buffer, Buffer), columns: &[usize]) -> Result<RecordBatch, FileError> {
        let decode = || {
            let message = message(bytes, body)?;
            let batch = message
                .header_as_record_batch()
                .ok_or_else(|| ArrowError::IpcError("not a record batch".to_string()))?;
            let index = self.index;
            let schema = Arc::clone(&index.schema);
            RecordBatchDecoder::try_new(body, batch, schema, &index.dictionaries, &index.version)?
                .with_projection(Some(columns))
                .read_record_batch()
        };
        decode().map_err(|e| arrow_error(self.input, e))
    }
}

impl Chunk for IndexedChunk<'_> {
    fn bytes(&self) -> u64 {
        u64::try_from(self.block.bodyLength()).unwrap_or(0)
    }

    fn digest(&mut self, _columns: &[usize]) -> Result<u64, FileError> {
        let taken = self.taken.insert(self.take()?);
        Ok(digest([&taken.0[..]]))
    }

    fn read(mut self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let wanted = projected(self.schema, columns, self.input)?;
        let taken = self.taken.take().map_or_else(|| self.take(), Ok)?;
        let batch = foreign::call(self.input, || self.decode(&taken, columns))?;
        Ok(vec![with_schema(&batch, wanted, self.input)?])
    }
}

struct StreamChunk<'a> {
    schema: &'a SchemaRef,
    input: &'a Input,
    batch: RecordBatch,
    bytes: u64,
    /// Of all bytes of the stream so far.
    digest: u64,
}

impl Chunk for StreamChunk<'_> {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn digest(&mut self, _columns: &[usize]) -> Result<u64, FileError> {
        Ok(self.digest)
    }

    fn read(self: Box<Self>, columns: &[usize]) -> Result<Vec<RecordBatch>, FileError> {
        let wanted = projected(self.schema, columns, self.input)?;
        let batch = self.batch.project(columns).map_err(|e| arrow_error(self.input, e))?;
        Ok(vec![with_schema(&batch, wanted, self.input)?])
    }
}
