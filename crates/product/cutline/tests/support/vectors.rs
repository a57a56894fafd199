//! Records in vectors. Everything is counted as SQL would: filter, group by, count, project; and everything that is asked and answered
//! goes through JSON, as if the vectors were far away.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cutline::engine::{
    CellKind, Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, Format, Order, Place, RecordOrder,
    RewritePlan, Sample, SampleColumn, SamplePlan, Treatment, Watch, Written,
};
use cutline::model::recoding::Label;
use cutline::model::{Kind, parse_number};
use cutline_table::{AttributeId, BlockColumn, Mask, RawTable};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) struct Vectors {
    columns: Vec<Column>,
    rows: Vec<Vec<Option<String>>>,
}

type Row = Vec<Option<String>>;

impl Vectors {
    pub(crate) fn new(names: [&str; 3], rows: impl Iterator<Item = Vec<String>>) -> Self {
        let column = |name: &str| Column { name: name.to_owned(), cells: CellKind::Text };
        let cell = |text: String| (!text.is_empty()).then_some(text);
        let rows = rows.map(|row| row.into_iter().map(cell).collect()).collect();
        Vectors { columns: names.map(column).to_vec(), rows }
    }

    /// WHERE no required column is missing.
    fn counted<'a>(&'a self, required: &'a [usize]) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(|row| required.iter().all(|&column| row[column].is_some()))
    }
}

/// What arrives of something that is sent: all of it, to the last bit.
fn sent<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(what: &T) -> T {
    let arrived = serde_json::from_str(&serde_json::to_string(what).unwrap()).unwrap();
    assert_eq!(arrived, *what);
    arrived
}

fn dictionary(cells: impl Iterator<Item = Option<String>>) -> BlockColumn {
    let (mut codes, mut texts): (Vec<u32>, Vec<Option<String>>) = Default::default();
    for cell in cells {
        let known = texts.iter().position(|text| *text == cell);
        codes.push(known.unwrap_or(texts.len()) as u32);
        texts.extend(known.is_none().then_some(cell));
    }
    BlockColumn { codes, texts }
}

fn cluster(rule: &cutline::engine::ClusterColumn, row: &Row) -> u32 {
    let cells: Vec<BlockColumn> = rule.columns.iter().map(|&c| dictionary([row[c].clone()].into_iter())).collect();
    rule.rule.assign(1, &cells.iter().collect::<Vec<_>>()).unwrap()[0]
}

impl Engine for Vectors {
    fn name(&self) -> &str {
        "vectors"
    }

    fn size(&self) -> u64 {
        self.rows.len() as u64
    }

    fn format(&self) -> Option<Format> {
        None
    }

    fn order(&self) -> Order {
        Order::Kept
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn profile(&self, _nulls: &[String], _watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        Ok(Vec::new())
    }

    /// SELECT columns: the whole table, because it is small.
    fn sample(&self, plan: &SamplePlan, _watch: &dyn Watch) -> Result<Sample, EngineError> {
        let plan = sent(plan);
        let rows: Vec<&Row> = self.counted(&plan.required).collect();
        let column = |&column: &usize| {
            let BlockColumn { codes, texts } = dictionary(rows.iter().map(|row| row[column].clone()));
            let numbers: Option<Vec<f64>> = texts.iter().flatten().map(|text| parse_number(text)).collect();
            let ends = |numbers: &[f64]| {
                let least = numbers.iter().copied().reduce(f64::min)?;
                Some((least, numbers.iter().copied().reduce(f64::max)?))
            };
            let kind = if numbers.is_some() { Kind::Continuous } else { Kind::Categorical };
            SampleColumn { codes: codes.into(), texts, kind, range: numbers.as_deref().and_then(ends) }
        };
        let (drawn, records) = (rows.len(), rows.len() as u64);
        let columns = plan.columns.iter().map(column).collect();
        let positions = (1..=records).collect();
        Ok(sent(&Sample { columns, drawn, positions, records, dropped: self.size() - records }))
    }

    /// SELECT columns, COUNT(*) GROUP BY columns.
    fn compress(&self, plan: &CompressPlan, _watch: &dyn Watch) -> Result<Counted, EngineError> {
        let plan = sent(plan);
        let mut groups: BTreeMap<Row, u64> = BTreeMap::new();
        for row in self.counted(&plan.required) {
            let mut key: Row = plan.columns.iter().map(|&column| row[column].clone()).collect();
            if let Some((at, rule)) = &plan.cluster {
                key.insert(*at, Some(cluster(rule, row).to_string()));
            }
            *groups.entry(key).or_default() += 1;
        }
        let width = plan.columns.len() + usize::from(plan.cluster.is_some());
        let column = |column: usize| dictionary(groups.keys().map(|key| key[column].clone()));
        let columns: Vec<BlockColumn> = (0..width).map(column).collect();
        let counts: Vec<u64> = groups.values().copied().collect();
        let dropped = self.size() - counts.iter().sum::<u64>();
        let (columns, counts) = sent(&(columns, counts));
        Ok(RawTable::from_groups(&columns, &counts, dropped).unwrap().into())
    }

    /// SELECT label(column), …
    fn rewrite(&self, plan: &RewritePlan, place: &Place, _watch: &dyn Watch) -> Result<Written, EngineError> {
        let (plan, place) = (sent(plan), sent(place));
        let Place::File { location, .. } = &place else { return Err(place.refused("vectors are written to files")) };
        if plan.order != RecordOrder::Kept {
            return Err(EngineError::Order(self.name().to_owned()));
        }
        let mask = Mask::new(&plan.mask);
        let source = |a: usize| {
            let masked = plan.columns.iter().find(|column| column.how == Treatment::Mask(a));
            masked.map_or(0, |column| column.source)
        };
        let names: Vec<&str> = plan.columns.iter().map(|column| &self.columns[column.source].name[..]).collect();
        let mut csv = names.join(",") + "\n";
        let (mut records, mut suppressed) = (0, 0);
        for row in self.counted(&plan.required) {
            let number = |a: usize| mask.number(AttributeId(a), row[source(a)].as_deref()).unwrap();
            let record = mask.records((0..plan.mask.attributes.len()).map(|a| vec![number(a)]).collect());
            suppressed += u64::from(record.suppressed[0]);
            if record.left_out(0) {
                continue;
            }
            let label =
                |a: usize| mask.labels(AttributeId(a)).nth(record.numbers[a][0] as usize).and_then(Label::into_text);
            let cell = |column: &cutline::engine::OutputColumn| match column.how {
                Treatment::Mask(a) => label(a).unwrap_or_default(),
                _ => row[column.source].clone().unwrap_or_default(),
            };
            let cells: Vec<String> = plan.columns.iter().map(cell).collect();
            writeln!(csv, "{}", cells.join(",")).unwrap();
            records += 1;
        }
        std::fs::write(location, csv).unwrap();
        let dropped = self.size() - self.counted(&plan.required).count() as u64;
        Ok(sent(&Written { place, records, dropped, suppressed, delimiter: Some(b','), persons: None }))
    }
}
