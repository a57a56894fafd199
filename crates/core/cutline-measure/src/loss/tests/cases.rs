//! Random tables with taxonomies, intervals, value suppression, missing values and two targets.

use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Masking};
use cutline_table::{LabelKind, TableQid};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

use super::sample::{Cell, Sample, by_taxonomy, cut, disclose, intervals, qid};

/// Even, uneven, a chain, and a single value.
const TAXONOMIES: [&str; 4] = [
    "Any\n  A\n    a\n    b\n  B\n    c\n    d\n",
    "Any\n  a\n  B\n    C\n      b\n      c\n    d\n",
    "Any\n  All\n    Both\n      a\n      b\n",
    "Any\n  a\n",
];

/// How an attribute is masked and recoded.
#[derive(Clone, Debug)]
struct Column {
    masking: Masking,
    recoding: AttributeRecoding,
    values: Vec<&'static str>,
}

fn missing() -> impl Strategy<Value = Option<Missing>> {
    select(vec![None, Some(Missing::Masked), Some(Missing::Published)])
}

fn generalized() -> impl Strategy<Value = Column> {
    (select(TAXONOMIES.to_vec()), any::<u32>(), missing()).prop_map(|(outline, refine, missing)| {
        let masking = by_taxonomy(outline);
        let Masking::Generalize(taxonomy) = &masking else { unreachable!() };
        // Each bit says whether the cut goes below a node.
        let mut nodes = vec![taxonomy.root()];
        while let Some(at) = nodes.iter().position(|&node| !taxonomy.is_leaf(node) && refine >> node.index() & 1 == 1) {
            nodes.splice(at..=at, taxonomy.children(nodes[at]).iter().copied());
        }
        let labels: Vec<&str> = nodes.iter().map(|&node| taxonomy.label(node)).collect();
        let recoding = cut(&masking, &labels, missing);
        let values = ["a", "b", "c", "d"][..taxonomy.leaves().len().min(4)].to_vec();
        Column { masking, recoding, values }
    })
}

fn suppressed() -> impl Strategy<Value = Column> {
    let values = vec!["*", "p", "q", "r", "s"];
    (subsequence(values.clone(), 0..=5), missing()).prop_map(move |(disclosed, missing)| {
        let recoding = disclose(&disclosed, missing);
        Column { masking: Masking::Suppress, recoding, values: values.clone() }
    })
}

fn discretized() -> impl Strategy<Value = Column> {
    let values = vec!["-7.5", "0", "1", "2", "2.0", "3", "30"];
    let inner = subsequence(vec![0.0, 1.0, 1.5, 2.0, 2.5, 30.0], 0..=4);
    (inner, missing()).prop_map(move |(inner, missing)| {
        let masking = Masking::numbers(None);
        Column { masking, recoding: intervals(&inner, missing), values: values.clone() }
    })
}

/// Cells for a column: how many of its values occur is random too, so that some columns are constant.
fn cells(values: Vec<&'static str>, records: usize) -> impl Strategy<Value = Vec<Cell>> {
    (1..=values.len(), 0..3_usize).prop_flat_map(move |(distinct, missing)| {
        let known = values[..distinct].to_vec();
        let cell = any::<Index>().prop_map(move |index| {
            let at = index.index(known.len() * 2 + missing);
            (at < known.len() * 2).then(|| known[at / 2].to_owned())
        });
        vec(cell, records)
    })
}

/// A table, its recoding and requirement, and nine costs.
pub(crate) type Case = (Sample, Vec<AttributeRecoding>, Vec<TableQid>, Vec<f64>);

/// Random tables with random recodings.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let column = prop_oneof![generalized(), suppressed(), discretized()];
    let columns = vec(column, 1..4);
    let shape = (columns, 0..40_usize, select(vec![LabelKind::Classes, LabelKind::Numbers]));
    let case = shape.prop_flat_map(|(columns, records, first)| {
        let targets = match first {
            LabelKind::Classes => {
                [(first, vec!["no", "perhaps", "yes"]), (LabelKind::Numbers, vec!["1", "2", "4", "9.5"])]
            }
            _ => [(first, vec!["1000000", "1000001", "1000003"]), (LabelKind::Classes, vec!["no", "yes"])],
        };
        let values = columns.iter().map(|column| column.values.clone()).chain(targets.iter().map(|(_, v)| v.clone()));
        let data: Vec<_> = values.map(|values| cells(values, records)).collect();
        let qids = vec((subsequence((0..columns.len()).collect::<Vec<_>>(), 1..=columns.len()), 1..6_u64), 1..3);
        let kinds: Vec<LabelKind> = targets.iter().map(|&(kind, _)| kind).collect();
        (Just(columns), Just(kinds), data, qids, vec(0.0..9.0, 9))
    });
    case.prop_map(|(columns, kinds, data, qids, costs)| {
        let records = (0..data[0].len()).map(|record| data.iter().map(|column| column[record].clone()).collect());
        let maskings = columns.iter().map(|column| column.masking.clone()).collect();
        let sample = Sample { records: records.collect(), ..Sample::new(maskings, &kinds) };
        let qids = qids.into_iter().map(|(attributes, k)| qid(&attributes, k)).collect();
        (sample, columns.into_iter().map(|column| column.recoding).collect(), qids, costs)
    })
}
