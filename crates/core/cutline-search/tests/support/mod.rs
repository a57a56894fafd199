//! Small tables for tests: rows of text cells, compressed as the engine would compress them.
#![allow(dead_code, reason = "every test binary uses another part")]
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

pub(crate) mod cases;
pub(crate) mod checks;
pub(crate) mod evolve;
pub(crate) mod exhaustive;
pub(crate) mod guard;
pub(crate) mod guarded;
pub(crate) mod naive;
pub(crate) mod naive_bottom_up;
pub(crate) mod naive_guarded;
pub(crate) mod naive_local;
pub(crate) mod naive_pinned;
pub(crate) mod naive_refine;
pub(crate) mod naive_why;
pub(crate) mod pools;
pub(crate) mod rules;
pub(crate) mod tiny;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use cutline_model::recoding::{Label, Labeler, Unknown};
use cutline_model::{AttributeRecoding, Masking, Qid, Requirement, Taxonomy};
use cutline_search::bottom_up::{BottomUp, Pruning};
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Generalization, Outcome, Problem, Refinement, Search};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind};

/// A cell; `None` is missing.
pub(crate) type Cell = Option<String>;

/// The labels of a step as a person reads them.
pub(crate) fn in_words(labels: &[Label], between: &str) -> String {
    labels.iter().map(Label::as_str).collect::<Vec<_>>().join(between)
}

/// A table of persons, record by record.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) attributes: Vec<(String, Masking)>,
    pub(crate) label: LabelKind,
    pub(crate) records: Vec<Record>,
}

/// One person.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Record {
    /// A cell for each quasi attribute.
    pub(crate) quasi: Vec<Cell>,
    /// The class or number; ignored where there is no label.
    pub(crate) target: Cell,
}

impl Sample {
    /// A table without attributes and records.
    pub(crate) fn new(label: LabelKind) -> Self {
        Sample { attributes: Vec::new(), label, records: Vec::new() }
    }

    /// The next quasi attribute.
    pub(crate) fn attribute(mut self, name: &str, masking: Masking) -> Self {
        self.attributes.push((name.to_owned(), masking));
        self
    }

    /// Further equal records. Blanks separate the cells; `?` is missing; the last cell is the target.
    pub(crate) fn records(mut self, count: usize, cells: &str) -> Self {
        let mut quasi: Vec<Cell> = cells.split_whitespace().map(cell).collect();
        let target = quasi.pop().flatten();
        assert_eq!(quasi.len(), self.attributes.len(), "{cells}");
        self.records.extend(std::iter::repeat_n(Record { quasi, target }, count));
        self
    }

    /// What a search sees of the table. It comes in two blocks, so that duplicates must be found across blocks.
    pub(crate) fn compress(&self) -> CompressedTable {
        let columns = self.attributes.len() + usize::from(self.label != LabelKind::None);
        let mut compressor = Compressor::new(columns);
        let (first, second) = self.records.split_at(self.records.len() / 2);
        compressor.add(&block(first, columns));
        compressor.add(&block(second, columns));
        let labels = [("target".to_owned(), self.label)];
        cutline_table::encode(&compressor.finish(), self.attributes.clone(), &labels, Unknown::Error).unwrap()
    }

    /// Runs a top-down search to its end.
    pub(crate) fn search(&self, requirement: &Requirement, score: Score) -> Outcome {
        self.search_with(requirement, score, &Control::unlimited())
    }

    /// Runs a top-down search for at most so many steps.
    pub(crate) fn search_steps(&self, requirement: &Requirement, score: Score, steps: usize) -> Outcome {
        let control = Control { max_steps: Some(steps), ..Control::unlimited() };
        self.search_with(requirement, score, &control)
    }

    /// Runs a top-down search that someone watches.
    pub(crate) fn search_with(&self, requirement: &Requirement, score: Score, control: &Control<'_>) -> Outcome {
        let table = self.compress();
        TopDown { score }.search(&Problem::new(&table, requirement).unwrap(), control)
    }

    /// Runs a bottom-up search that someone watches.
    pub(crate) fn climb_with(&self, requirement: &Requirement, pruning: Pruning, control: &Control<'_>) -> Outcome {
        let table = self.compress();
        BottomUp { pruning }.search(&Problem::new(&table, requirement).unwrap(), control)
    }

    /// Runs a bottom-up search for at most so many steps.
    pub(crate) fn climb_steps(&self, requirement: &Requirement, pruning: Pruning, max_steps: Option<usize>) -> Outcome {
        self.climb_with(requirement, pruning, &Control { max_steps, ..Control::unlimited() })
    }

    /// A(QID) of each QID, counted in the table that applying the recoding to the records gives.
    pub(crate) fn recount(&self, requirement: &Requirement, recoding: &[AttributeRecoding]) -> Vec<u64> {
        let masked = self.masked(recoding);
        requirement.qids().iter().map(|qid| self.smallest_group(&masked, qid)).collect()
    }

    /// The records with their published labels.
    pub(crate) fn masked(&self, recoding: &[AttributeRecoding]) -> Vec<Vec<Label>> {
        let labelers: Vec<Labeler> = recoding.iter().map(|recoding| Labeler::new(recoding, Unknown::Error)).collect();
        let published = |(cell, labeler): (&Cell, &Labeler)| {
            let label = cell.as_ref().map_or(labeler.missing(), |value| labeler.label(value).unwrap());
            labeler.labels()[label as usize].clone()
        };
        let mask = |record: &Record| record.quasi.iter().zip(&labelers).map(published).collect();
        self.records.iter().map(mask).collect()
    }

    fn smallest_group(&self, masked: &[Vec<Label>], qid: &Qid) -> u64 {
        let position = |name: &String| self.attributes.iter().position(|(other, _)| other == name);
        let columns: Vec<usize> = qid.attributes.iter().flat_map(position).collect();
        assert_eq!(columns.len(), qid.attributes.len());
        let mut groups: BTreeMap<String, u64> = BTreeMap::new();
        for record in masked {
            let labels: Vec<&Label> = columns.iter().map(|&column| &record[column]).collect();
            *groups.entry(format!("{labels:?}")).or_default() += 1;
        }
        groups.into_values().min().unwrap_or(0)
    }
}

/// Short enough to read when a random table fails a test: equal records on one line, with their number.
impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, masking) in &self.attributes {
            match masking {
                Masking::Generalize(taxonomy) => writeln!(f, "{name}:\n{}", taxonomy.to_outline())?,
                other => writeln!(f, "{name}: {other:?}")?,
            }
        }
        let mut records: Vec<&Record> = self.records.iter().collect();
        records.sort();
        for equal in records.chunk_by(|a, b| a == b) {
            let shown = |cell: &Cell| cell.clone().unwrap_or("?".to_owned());
            let quasi: Vec<String> = equal[0].quasi.iter().map(shown).collect();
            writeln!(f, "{} x {} -> {}", equal.len(), quasi.join(" "), shown(&equal[0].target))?;
        }
        Ok(())
    }
}

fn cell(text: &str) -> Cell {
    (text != "?").then(|| text.to_owned())
}

fn block(records: &[Record], columns: usize) -> Block {
    let cells = |column: usize| move |record: &Record| record.quasi.get(column).unwrap_or(&record.target).clone();
    let column = |column: usize| BlockColumn {
        codes: (0..records.len() as u32).collect(),
        texts: records.iter().map(cells(column)).collect(),
    };
    Block { records: records.len(), left_out: Vec::new(), columns: (0..columns).map(column).collect() }
}

/// The steps of a top-down search.
pub(crate) fn refinements(outcome: &Outcome) -> Vec<&Refinement> {
    outcome.steps.iter().map(|step| step.as_refinement().unwrap()).collect()
}

/// The steps of a bottom-up search.
pub(crate) fn generalizations(outcome: &Outcome) -> Vec<&Generalization> {
    outcome.steps.iter().map(|step| step.as_generalization().unwrap()).collect()
}

/// A requirement from QIDs as the command line has them: `age,sex:10`.
pub(crate) fn requirement(qids: &[&str]) -> Requirement {
    Requirement::new(qids.iter().map(|qid| qid.parse().unwrap()).collect()).unwrap()
}

/// Masking by a taxonomy, from its outline.
pub(crate) fn generalize(outline: &str) -> Masking {
    Masking::Generalize(Arc::new(Taxonomy::from_outline(outline).unwrap()))
}

/// Masking by intervals of a declared range.
pub(crate) fn within(lower: f64, upper: f64) -> Masking {
    Masking::numbers(Some((lower, upper)))
}

/// Masking by intervals whose outermost bounds nobody may know.
pub(crate) fn undeclared() -> Masking {
    Masking::numbers(None)
}
