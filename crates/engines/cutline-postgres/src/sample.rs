//! Some records, drawn by the server.

use cutline_engine::{EngineError, Sample, SampleColumn, SamplePlan, Unwatched, Watch};

use crate::cells::{ALIAS, Reader};
use crate::compress::Dictionary;
use crate::engine::Postgres;
use crate::look::Look;

const DRAWING: &str = "drawing records";

/// Records of a database have no positions: the generator's seed and the order in which a table is scanned decide who is drawn. The
/// same table in the same server gives the same sample, another copy of it need not.
pub(crate) fn sample(engine: &Postgres, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
    let present = engine.present(&plan.required, &plan.nulls)?;
    let filter = present.as_ref().map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let mut cells: Vec<String> = plan.columns.iter().map(|&column| engine.opened().columns[column].cell()).collect();
    cells.push("1".to_owned());
    let relation = &engine.opened().relation;
    let limit = match plan.size {
        usize::MAX => String::new(),
        size => format!(" ORDER BY random() LIMIT {size}"),
    };
    // From -1 to 1, as the generator wants it.
    let seed = plan.seed as f64 / u64::MAX as f64;
    engine.session().query(DRAWING, &Unwatched, "SELECT setseed($1)", &[&seed])?;
    let mut dictionaries: Vec<Dictionary> = plan.columns.iter().map(|_| Dictionary::default()).collect();
    let mut codes: Vec<Vec<u32>> = vec![Vec::new(); plan.columns.len()];
    let mut drawn = 0;
    let query = format!("SELECT {} FROM {relation} AS {ALIAS}{filter}{limit}", cells.join(", "));
    engine.session().counted_rows(DRAWING, watch, &query, |cells, _| {
        for ((dictionary, codes), cell) in dictionaries.iter_mut().zip(&mut codes).zip(cells) {
            codes.push(dictionary.code(cell.as_deref()));
        }
        drawn += 1;
    })?;
    let records =
        engine.session().count(DRAWING, watch, &format!("SELECT count(*) FROM {relation} AS {ALIAS}{filter}"), &[])?;
    let reader = Reader::new(&plan.nulls);
    let mut columns = Vec::with_capacity(plan.columns.len());
    for ((&column, dictionary), codes) in plan.columns.iter().zip(&dictionaries).zip(codes) {
        let look = Look::at(engine, column, &plan.nulls, present.as_deref(), watch)?;
        let (codes, texts) = merged(&codes, dictionary.texts(&reader));
        columns.push(SampleColumn { codes, texts, kind: look.kind(), range: look.range });
    }
    let dropped = engine.lacking(&plan.required, &plan.nulls, watch)?;
    watch.advance(engine.opened().records);
    Ok(Sample { columns, drawn, positions: (1..=drawn as u64).collect(), records, dropped })
}

/// One code for every text: different cells may say the same.
fn merged(codes: &[u32], texts: Vec<Option<String>>) -> (Vec<u32>, Vec<Option<String>>) {
    let mut dictionary = Dictionary::default();
    let code_of: Vec<u32> = texts.iter().map(|text| dictionary.code(text.as_deref())).collect();
    (codes.iter().map(|&code| code_of[code as usize]).collect(), dictionary.cells)
}
