//! Some records, drawn by the server.

use cutline_engine::{EngineError, Sample, SampleColumn, SamplePlan, Watch};

use crate::compress::{lacking, present};
use crate::look::Outline;
use crate::{ALIAS, Coded, Dictionary, Opened, Reader, Server};

const DRAWING: &str = "drawing records";

/// Draws records. Those of a server have no positions: the generator's seed and the order in which a table is scanned decide who is drawn.
/// The same table in the same server gives the same sample, another copy of it need not.
pub(crate) fn sample<S: Server>(server: &S, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
    let present = present(server, &plan.required, &plan.nulls)?;
    let all = &server.opened().columns;
    let asked = (&plan.nulls[..], present.as_deref());
    let outline = Outline::of(server, &plan.columns, asked, watch)?;
    let records = outline.records;
    let draw = |part: Option<f64>| {
        let random = if plan.size == usize::MAX { None } else { Some(server.random(plan.seed)?) };
        let random = random.as_deref().map(|random| (random, plan.size));
        let query = drawing(server, &plan.columns, present.as_deref(), random, part);
        server.groups(DRAWING, watch, &query, plan.columns.len())
    };
    let mut groups = draw(part(plan.size, records).filter(|_| S::DRAWS_PARTS))?;
    if (groups.counts.len() as u64) < records.min(plan.size as u64) {
        groups = draw(None)?;
    }
    let read = |(coded, &column): (&Coded<S::Keys>, &usize)| {
        let reader = Reader::new(&plan.nulls, all[column].column.cells);
        merged(&coded.codes, &coded.cells.values(reader))
    };
    let (codes, texts): (Vec<_>, Vec<_>) = groups.columns.iter().zip(&plan.columns).map(read).unzip();
    let seen = outline.seen(server, (&plan.columns, &texts), asked, watch)?;
    let columns = codes.into_iter().zip(texts).zip(seen);
    let columns = columns
        .map(|((codes, texts), (kind, range))| SampleColumn { codes: codes.into(), texts, kind, range })
        .collect();
    let drawn = groups.counts.len();
    let dropped = lacking(server, &plan.required, &plan.nulls, watch)?;
    watch.advance(server.opened().records);
    Ok(Sample { columns, drawn, positions: (1..=drawn as u64).collect(), records, dropped })
}

/// The part of the records that are drawn first, so that few have to be sorted by chance in place of all: enough, but for a chance of one in
/// many millions.
fn part(size: usize, records: u64) -> Option<f64> {
    let enough = size as f64 + 6.0 * (size as f64).sqrt() + 20.0;
    (enough < records as f64).then(|| enough / records as f64)
}

/// A query for cells of records, each once: all of them, or so many by chance, of a part that was drawn by chance before.
pub(crate) fn drawing<S: Server>(
    server: &S,
    columns: &[usize],
    present: Option<&str>,
    random: Option<(&str, usize)>,
    part: Option<f64>,
) -> String {
    let Opened { relation, columns: all, .. } = server.opened();
    let cells = columns.iter().enumerate().map(|(place, &column)| format!("{} AS c{place}, ", all[column].cell));
    let cells: String = cells.collect();
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let Some((random, size)) = random else {
        return format!("SELECT {cells}1 AS n FROM {relation} AS {ALIAS}{filter}");
    };
    let drawn = part.map(|part| format!("{random} < {part}"));
    let filters: Vec<&str> = present.into_iter().chain(drawn.as_deref()).collect();
    let filter = if filters.is_empty() { String::new() } else { format!(" WHERE {}", filters.join(" AND ")) };
    format!("SELECT {cells}1 AS n FROM {relation} AS {ALIAS}{filter} ORDER BY {random} LIMIT {size}")
}

/// One code for every text: different cells may say the same.
fn merged(codes: &[u32], texts: &[Option<String>]) -> (Vec<u32>, Vec<Option<String>>) {
    let mut dictionary = Dictionary::default();
    let code_of: Vec<u32> = texts.iter().map(|text| dictionary.code(text.as_deref())).collect();
    (codes.iter().map(|&code| code_of[code as usize]).collect(), dictionary.into_texts())
}
