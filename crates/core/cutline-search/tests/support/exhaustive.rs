//! Every recoding that there is, and the best of them.

use cutline_measure::loss::classification::classification;
use cutline_measure::loss::general::attribute_loss;
use cutline_measure::loss::{CodeCounts, Partition};
use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Bound, Masking, NodeId, Taxonomy};
use cutline_search::Problem;
use cutline_table::{Attribute, AttributeId, CompressedTable, Masked};

/// The least losses of all recodings that keep to a limit of suppressed records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Optimum {
    /// LM.
    pub(crate) general: f64,
    /// CM.
    pub(crate) classification: f64,
}

/// How many recodings a table has.
pub(crate) fn count(table: &CompressedTable) -> usize {
    table.attributes.iter().map(|attribute| recodings(attribute).len()).product()
}

/// The best by trying all.
pub(crate) fn optimum(problem: &Problem<'_>, limit: u64) -> Optimum {
    let choices: Vec<Vec<AttributeRecoding>> = problem.table().attributes.iter().map(recodings).collect();
    let mut best = Optimum { general: f64::INFINITY, classification: f64::INFINITY };
    let mut chosen: Vec<usize> = vec![0; choices.len()];
    loop {
        let recoding: Vec<AttributeRecoding> = choices.iter().zip(&chosen).map(|(of, &at)| of[at].clone()).collect();
        if let Some(loss) = measure(problem, &recoding, limit) {
            best.general = best.general.min(loss.general);
            best.classification = best.classification.min(loss.classification);
        }
        // Counts up, the first attribute fastest.
        let Some(next) = (0..chosen.len()).find(|&a| chosen[a] + 1 < choices[a].len()) else { return best };
        chosen[..next].fill(0);
        chosen[next] += 1;
    }
}

/// LM and CM of a recoding that suppresses no more records than it may.
fn measure(problem: &Problem<'_>, recoding: &[AttributeRecoding], limit: u64) -> Option<Optimum> {
    let table = problem.table();
    let masked = Masked::new(table, recoding).unwrap();
    let suppressed = masked.suppress(problem.qids());
    let all = || (0..table.attributes.len()).map(AttributeId);
    let loss = |id: AttributeId| {
        let attribute = &table.attributes[id.0];
        let counts = CodeCounts::new(attribute, &table.weights, &suppressed);
        attribute_loss(attribute, &recoding[id.0], masked.labels(id), &counts)
    };
    (suppressed.records <= limit).then(|| {
        let partition = Partition::new(table, &masked, &suppressed, all());
        let classification = classification(&table.labels, &partition, &table.weights).unwrap_or(f64::NAN);
        Optimum { general: all().map(loss).sum(), classification }
    })
}

/// Every way to publish an attribute.
pub(crate) fn recodings(attribute: &Attribute) -> Vec<AttributeRecoding> {
    match &attribute.masking {
        Masking::Generalize(taxonomy) => cuts_with_missing(taxonomy, attribute),
        Masking::Discretize { range, .. } => intervals(attribute, *range),
        Masking::Suppress => disclosures(attribute),
    }
}

/// Missing values are one more leaf under the root: masked with the root, published with any other cut.
fn cuts_with_missing(taxonomy: &Taxonomy, attribute: &Attribute) -> Vec<AttributeRecoding> {
    let missing = attribute.domain.missing();
    let recoding = |cut: Vec<NodeId>, missing| AttributeRecoding::Generalize {
        cut: cut.iter().map(|&node| taxonomy.label(node).to_owned()).collect(),
        missing,
        taxonomy: taxonomy.clone(),
    };
    let top = recoding(vec![taxonomy.root()], missing.map(|_| Missing::Masked));
    let refined = below(taxonomy, taxonomy.root()).into_iter();
    std::iter::once(top).chain(refined.map(|cut| recoding(cut, missing.map(|_| Missing::Published)))).collect()
}

/// All cuts below a node.
fn below(taxonomy: &Taxonomy, node: NodeId) -> Vec<Vec<NodeId>> {
    let mut all = vec![Vec::new()];
    for &child in taxonomy.children(node) {
        let mut cuts = vec![vec![child]];
        if !taxonomy.is_leaf(child) {
            cuts.extend(below(taxonomy, child));
        }
        let join = |left: &Vec<NodeId>| cuts.iter().map(|right| [&left[..], right].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(join).collect();
    }
    all
}

/// Any end points; where values are missing, their root too, which masks them and all numbers.
fn intervals(attribute: &Attribute, range: Option<(f64, f64)>) -> Vec<AttributeRecoding> {
    let missing = attribute.domain.missing();
    let (lower, upper) = (range.map(|(lower, _)| lower), range.map(|(_, upper)| upper));
    let recoding = |inner: Vec<f64>, missing| {
        let bounds = std::iter::once(lower).chain(inner.into_iter().map(Some)).chain([upper]);
        AttributeRecoding::numbers(bounds.map(Bound).collect(), missing)
    };
    let top = missing.map(|_| recoding(Vec::new(), Some(Missing::Masked)));
    let ends = attribute.domain.as_numbers().get(1..).unwrap_or_default();
    top.into_iter().chain(subsets(ends).map(|inner| recoding(inner, missing.map(|_| Missing::Published)))).collect()
}

/// Any values, of which "missing" may be one.
fn disclosures(attribute: &Attribute) -> Vec<AttributeRecoding> {
    let names: Vec<String> =
        (0..attribute.domain.known() as u32).map(|code| attribute.domain.name(code).unwrap().to_owned()).collect();
    let missing = match attribute.domain.missing() {
        Some(_) => vec![Some(Missing::Masked), Some(Missing::Published)],
        None => vec![None],
    };
    let recoding = |disclosed: Vec<String>| {
        let with = |&missing: &Option<Missing>| AttributeRecoding::Suppress { disclosed: disclosed.clone(), missing };
        missing.iter().map(with).collect::<Vec<_>>()
    };
    subsets(&names).flat_map(recoding).collect()
}

fn subsets<T: Clone>(of: &[T]) -> impl Iterator<Item = Vec<T>> {
    let chosen = |set: usize| (0..of.len()).filter(move |index| set >> index & 1 == 1);
    (0..1usize << of.len()).map(move |set| chosen(set).map(|index| of[index].clone()).collect())
}
