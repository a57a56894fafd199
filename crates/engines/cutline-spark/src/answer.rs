//! An answer that comes in several messages, and perhaps in several streams.

use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;

use crate::error::Failure;
use crate::proto::{Answer, ArrowBatch, ExecutePlanResponse};

/// What was read of an answer.
pub(crate) struct Answered {
    /// The last message.
    pub(crate) last: Option<String>,
    rows: i64,
    /// When the stream was begun.
    pub(crate) since: Instant,
    /// Streams in a row of which nothing was heard.
    pub(crate) attempts: u32,
}

impl Default for Answered {
    fn default() -> Self {
        Answered { last: None, rows: 0, since: Instant::now(), attempts: 0 }
    }
}

impl Answered {
    /// Takes a message; says whether it was the last one.
    pub(crate) fn take(
        &mut self,
        response: ExecutePlanResponse,
        each: &mut impl FnMut(RecordBatch) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        self.attempts = 0;
        if !response.response_id.is_empty() {
            self.last = Some(response.response_id);
        }
        match response.answer {
            Some(Answer::Complete(_)) => return Ok(true),
            Some(Answer::Batch(batch)) => self.rows += rows(batch, self.rows, each)?,
            None => {}
        }
        Ok(false)
    }
}

/// Reads the rows of a message; none may be missing before them, and as many must be in it as it says.
fn rows(
    batch: ArrowBatch,
    before: i64,
    each: &mut impl FnMut(RecordBatch) -> Result<(), Failure>,
) -> Result<i64, Failure> {
    if batch.start_offset.is_some_and(|offset| offset != before) {
        return Err(Failure::Answer("rows are missing"));
    }
    if batch.chunks.is_some_and(|chunks| chunks > 1) {
        return Err(Failure::Answer("rows come in pieces that were not asked for"));
    }
    let unreadable = |_| Failure::Answer("rows are not in Arrow's format");
    let mut found = 0;
    let reader = StreamReader::try_new(&batch.data[..], None).map_err(unreadable)?;
    let schema = reader.schema();
    for batch in reader {
        let batch = batch.map_err(unreadable)?;
        found += batch.num_rows() as i64;
        each(batch)?;
    }
    if found == 0 {
        each(RecordBatch::new_empty(schema))?;
    }
    if found == batch.row_count { Ok(found) } else { Err(Failure::Answer("rows are missing")) }
}
