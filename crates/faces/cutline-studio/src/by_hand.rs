//! A line that somebody moved by hand, as a recoding.

use std::collections::BTreeMap;

use cutline::model::recoding::Missing;
use cutline::model::{AttributeRecoding, Bound, Masking, NodeId, Taxonomy};
use cutline::search::with_missing;
use cutline::{Draft, Error};
use cutline_table::Attribute;
use serde::Deserialize;

/// Where the line is drawn through an attribute.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Line {
    /// Nodes of its taxonomy.
    Cut(Vec<String>),
    /// Bounds between its intervals.
    Cuts(Vec<f64>),
    /// Values that are told.
    Told(Vec<String>),
}

/// The lines that were moved, by attribute.
pub(crate) type Lines = BTreeMap<String, Line>;

/// The recoding of a draft, but for the lines that were moved.
pub(crate) fn moved(draft: &Draft, lines: &Lines) -> Result<Vec<AttributeRecoding>, Error> {
    let table = draft.compressed();
    let found: Vec<AttributeRecoding> = draft.recoding().map(|(_, recoding)| recoding.clone()).collect();
    let found = with_missing(table, &found);
    let each = table.attributes.iter().zip(found);
    each.map(|(attribute, found)| match lines.get(&attribute.name) {
        Some(line) => drawn(attribute, found, line),
        None => Ok(found),
    })
    .collect()
}

fn drawn(attribute: &Attribute, found: AttributeRecoding, line: &Line) -> Result<AttributeRecoding, Error> {
    let recoding = match (&attribute.masking, line, found) {
        (Masking::Generalize(taxonomy), Line::Cut(labels), _) => {
            let cut = cut(taxonomy, labels)?;
            let top = cut == [taxonomy.root()];
            let missing = attribute.domain.missing().map(|_| if top { Missing::Masked } else { Missing::Published });
            AttributeRecoding::Generalize {
                cut: cut.iter().map(|&node| taxonomy.label(node).to_owned()).collect(),
                missing,
                taxonomy: taxonomy.as_ref().clone(),
            }
        }
        (Masking::Discretize { .. }, Line::Cuts(cuts), AttributeRecoding::Discretize { bounds, scale, .. }) => {
            let bounds = bounds_with(&bounds, cuts)?;
            let top = bounds.len() <= 2;
            let missing = attribute.domain.missing().map(|_| if top { Missing::Masked } else { Missing::Published });
            AttributeRecoding::Discretize { bounds, scale, missing }
        }
        (Masking::Suppress, Line::Told(told), AttributeRecoding::Suppress { missing, .. }) => {
            let names = (0..attribute.domain.known() as u32).filter_map(|code| attribute.domain.name(code));
            let disclosed = names.filter(|name| told.iter().any(|told| told == name)).map(str::to_owned).collect();
            AttributeRecoding::Suppress { disclosed, missing }
        }
        _ => return Err(no_line(&format!("`{}` is not masked in that way", attribute.name))),
    };
    Ok(recoding)
}

fn cut(taxonomy: &Taxonomy, labels: &[String]) -> Result<Vec<NodeId>, Error> {
    let nodes: Option<Vec<NodeId>> = labels.iter().map(|label| taxonomy.node(label)).collect();
    let mut nodes = nodes.ok_or_else(|| no_line("a node is not in the taxonomy"))?;
    nodes.sort_unstable();
    if taxonomy.is_cut(&nodes) { Ok(nodes) } else { Err(no_line("a path has no node on it, or two")) }
}

/// The same outer bounds, and others between them.
fn bounds_with(bounds: &[Bound], cuts: &[f64]) -> Result<Vec<Bound>, Error> {
    let (Some(&first), Some(&last)) = (bounds.first(), bounds.last()) else { return Err(no_line("there is no range")) };
    let mut cuts = cuts.to_vec();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let inside =
        |cut: &f64| cut.is_finite() && first.0.is_none_or(|low| low < *cut) && last.0.is_none_or(|high| *cut < high);
    if !cuts.iter().all(inside) {
        return Err(no_line("a bound is outside of the range"));
    }
    Ok(std::iter::once(first).chain(cuts.into_iter().map(|cut| Bound(Some(cut)))).chain([last]).collect())
}

fn no_line(what: &str) -> Error {
    Error::Contradiction {
        what: format!("this is no line: {what}"),
        hint: "one node on each path, bounds within the range".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stay_within_the_range() {
        let range = [Bound(Some(0.0)), Bound(Some(100.0))];
        let bounds = bounds_with(&range, &[50.0, 20.0, 50.0]).unwrap();
        assert_eq!(bounds, [Some(0.0), Some(20.0), Some(50.0), Some(100.0)].map(Bound));
        for outside in [0.0, 100.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(bounds_with(&range, &[outside]).is_err(), "{outside}");
        }
        assert_eq!(bounds_with(&[Bound(None), Bound(None)], &[7.0]).unwrap().len(), 3);
    }

    #[test]
    fn a_line_crosses_every_path_once() {
        let taxonomy = Taxonomy::parse("Any\n  North\n    Kiel\n    Bonn\n  South\n").unwrap();
        let labels = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect::<Vec<_>>();
        assert!(cut(&taxonomy, &labels(&["South", "North"])).is_ok());
        for wrong in [&["North"][..], &["North", "Kiel", "South"], &["Rome"], &[]] {
            assert!(cut(&taxonomy, &labels(wrong)).is_err(), "{wrong:?}");
        }
    }
}
