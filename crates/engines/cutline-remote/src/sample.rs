//! Some records, drawn by the server.

use cutline_engine::{EngineError, Sample, SampleColumn, SamplePlan, Watch};

use crate::compress::{lacking, present};
use crate::look::seen;
use crate::{ALIAS, Coded, Dictionary, Reader, Server};

const DRAWING: &str = "drawing records";

/// Draws records. Those of a server have no positions: the generator's seed and the order in which a table is scanned decide who is drawn.
/// The same table in the same server gives the same sample, another copy of it need not.
pub fn sample<S: Server>(server: &S, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
    let present = present(server, &plan.required, &plan.nulls)?;
    let filter = present.as_ref().map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let all = &server.opened().columns;
    let cells = plan.columns.iter().enumerate().map(|(place, &column)| format!("{} AS c{place}", all[column].cell));
    let cells: Vec<String> = cells.chain(["1 AS n".to_owned()]).collect();
    let relation = &server.opened().relation;
    let limit = match plan.size {
        usize::MAX => String::new(),
        size => format!(" ORDER BY {} LIMIT {size}", server.random(plan.seed)?),
    };
    let query = format!("SELECT {} FROM {relation} AS {ALIAS}{filter}{limit}", cells.join(", "));
    let groups = server.groups(DRAWING, watch, &query, plan.columns.len())?;
    let read = |(coded, &column): (&Coded<S::Keys>, &usize)| {
        let reader = Reader::new(&plan.nulls, all[column].column.cells);
        merged(&coded.codes, &coded.cells.values(reader))
    };
    let (codes, texts): (Vec<_>, Vec<_>) = groups.columns.iter().zip(&plan.columns).map(read).unzip();
    let (records, seen) = seen(server, &plan.columns, &texts, (&plan.nulls, present.as_deref()), watch)?;
    let columns = codes.into_iter().zip(texts).zip(seen);
    let columns = columns.map(|((codes, texts), (kind, range))| SampleColumn { codes, texts, kind, range }).collect();
    let drawn = groups.counts.len();
    let dropped = lacking(server, &plan.required, &plan.nulls, watch)?;
    watch.advance(server.opened().records);
    Ok(Sample { columns, drawn, positions: (1..=drawn as u64).collect(), records, dropped })
}

/// One code for every text: different cells may say the same.
fn merged(codes: &[u32], texts: &[Option<String>]) -> (Vec<u32>, Vec<Option<String>>) {
    let mut dictionary = Dictionary::default();
    let code_of: Vec<u32> = texts.iter().map(|text| dictionary.code(text.as_deref())).collect();
    (codes.iter().map(|&code| code_of[code as usize]).collect(), dictionary.into_texts())
}
