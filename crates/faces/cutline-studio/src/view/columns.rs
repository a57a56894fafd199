//! The columns of a table: what each could be, and how its values are distributed.

use cutline::engine::{Sample, SampleColumn};
use cutline::model::{Kind, Role, Scale};
use cutline::report::{ProposedQid, RevealedByPair};
use cutline::spec::Spec;
use cutline::{Error, Inspection, Proposal};
use serde::Serialize;

/// Bars of a distribution.
const BARS: usize = 28;

/// Names that are shown, the most frequent first.
const NAMES: usize = 8;

/// A table at first sight.
#[derive(Serialize)]
pub(crate) struct ColumnsView {
    records: u64,
    /// Records that the distributions were drawn from.
    drawn: usize,
    columns: Vec<ColumnView>,
    missing: Vec<MarkerView>,
    pairs: Vec<RevealedByPair>,
    singled_out: Vec<ProposedQid>,
    /// What was proposed, or what was opened.
    spec: Spec,
    /// Was it opened rather than proposed?
    given: bool,
}

/// A text that looks like a missing value.
#[derive(Serialize)]
struct MarkerView {
    text: String,
    columns: Vec<String>,
}

#[derive(Serialize)]
struct ColumnView {
    name: String,
    role: Role,
    kind: Kind,
    reason: String,
    kind_reason: Option<String>,
    findings: Vec<String>,
    distinct: usize,
    missing: u64,
    sketch: Sketch,
}

/// How values are distributed.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum Sketch {
    /// Records by equal parts of a range; of dates, numbers are days since 1970-01-01.
    Numbers { low: f64, high: f64, bars: Vec<u64>, dates: bool },
    /// The most frequent names, and the records of all others.
    Names { names: Vec<(String, u64)>, others: u64 },
    /// Values that name persons are not shown.
    Hidden,
}

impl ColumnsView {
    pub(crate) fn new(inspection: &Inspection, sample: &Sample, spec: Spec, given: bool) -> Result<Self, Error> {
        let location = spec.input.path.clone().unwrap_or_default();
        let spec = if given { spec } else { proposed(inspection, &location, &spec)? };
        let columns = inspection.columns.iter().zip(&sample.columns).map(|(said, seen)| ColumnView::new(said, seen));
        let marker =
            |marker: &cutline::MissingMarker| MarkerView { text: marker.text.clone(), columns: marker.columns.clone() };
        Ok(ColumnsView {
            records: inspection.records,
            drawn: sample.drawn,
            columns: columns.collect(),
            missing: inspection.missing.iter().map(marker).collect(),
            pairs: inspection.pairs.clone(),
            singled_out: inspection.singled_out.clone(),
            spec,
            given,
        })
    }
}

/// The spec that `init` writes: what it proposes is proposed here too.
fn proposed(inspection: &Inspection, location: &str, spec: &Spec) -> Result<Spec, Error> {
    let text = inspection.spec(location, &spec.input);
    toml::from_str(&text)
        .map_err(|error| Error::Defect(format!("the proposed spec cannot be read: {}", error.message())))
}

impl ColumnView {
    fn new(said: &Proposal, seen: &SampleColumn) -> Self {
        let sketch = if said.role == Role::Identifier { Sketch::Hidden } else { Sketch::of(seen, said.kind) };
        ColumnView {
            name: said.profile.name.clone(),
            role: said.role,
            kind: said.kind,
            reason: said.reason.clone(),
            kind_reason: said.kind_reason.clone(),
            findings: said.findings.clone(),
            distinct: said.profile.distinct,
            missing: said.profile.missing,
            sketch,
        }
    }
}

impl Sketch {
    fn of(column: &SampleColumn, kind: Kind) -> Self {
        let mut counts = vec![0_u64; column.texts.len()];
        column.codes.iter().for_each(|code| counts[code as usize] += 1);
        let known = || column.texts.iter().zip(&counts).filter_map(|(text, &count)| Some((text.as_deref()?, count)));
        let read = |scale: Scale| known().filter_map(|(text, count)| Some((scale.read(text)?, count))).collect();
        match kind {
            Kind::Continuous => Sketch::numbers(read(Scale::Numbers), false),
            Kind::Date => Sketch::numbers(read(Scale::dates()), true),
            Kind::Categorical => Sketch::names(known().collect()),
        }
    }

    fn numbers(values: Vec<(f64, u64)>, dates: bool) -> Self {
        let low = values.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
        let high = values.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
        if !low.is_finite() || !high.is_finite() {
            return Sketch::Numbers { low: 0.0, high: 0.0, bars: Vec::new(), dates };
        }
        Sketch::Numbers { low, high, bars: bars(&values, low, high, BARS), dates }
    }

    fn names(mut values: Vec<(&str, u64)>) -> Self {
        values.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        let others = values.iter().skip(NAMES).map(|(_, count)| count).sum();
        Sketch::Names {
            names: values.into_iter().take(NAMES).map(|(text, count)| (text.to_owned(), count)).collect(),
            others,
        }
    }
}

/// Records by equal parts of a range.
pub(super) fn bars(values: &[(f64, u64)], low: f64, high: f64, number: usize) -> Vec<u64> {
    let mut bars = vec![0; number];
    let width = high - low;
    for &(value, count) in values {
        let place = if width > 0.0 { (value - low) / width * number as f64 } else { 0.0 };
        bars[(place as usize).min(number - 1)] += count;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_bar() {
        let values = [(0.0, 1), (5.0, 2), (10.0, 4)];
        assert_eq!(bars(&values, 0.0, 10.0, 4), [1, 0, 2, 4]);
        assert_eq!(bars(&[(3.0, 7)], 3.0, 3.0, 2), [7, 0]);
    }

    #[test]
    fn frequent_names_come_first_and_the_rest_is_counted() {
        let names: Vec<String> = (0..12).map(|n| format!("n{n:02}")).collect();
        let values = names.iter().zip(1..).map(|(name, count)| (&name[..], count)).collect();
        let Sketch::Names { names, others } = Sketch::names(values) else { panic!("no names") };
        assert_eq!((names.len(), &names[0], others), (NAMES, &("n11".to_owned(), 12), 1 + 2 + 3 + 4));
    }
}
