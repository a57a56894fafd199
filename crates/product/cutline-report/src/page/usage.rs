//! How a recipient uses a release, and checks it.

use cutline_model::Recoding;
use cutline_model::recoding::Regions;
use maud::html;

use super::Section;
use crate::public::NOTES;
use crate::{ConditionReport, PublicReport, QidReport};

pub(super) fn section(report: &PublicReport, recoding: &Recoding) -> Section {
    let spec = &report.spec;
    let withheld = recoding.regions.as_ref().is_some_and(Regions::are_withheld);
    let body = html! {
        p {
            "The records are in " code { "table." (spec.format) } ". Cutline " (spec.version) " made them (search: " (spec.algorithm)
            "). Attributes of a QID show the labels above in place of their values"
            @if let Some(column) = &spec.cluster_column { "; the column " b { (column) } " has the cluster of each raw record" }
            ". " code { "recoding.json" }
            @if withheld {
                " has the labels of all groups; only the steward can mask other tables alike. "
            } @else {
                " says which values a label stands for; " code { "cutline apply" } " uses it to mask other tables alike. "
            }
            code { "report.json" } " is this page for programs."
        }
        p { "Everybody can count the groups again:" }
        pre { (check_in(&format!("table.{}", spec.format), &report.qids)) }
        h3 { "To bear in mind" }
        ul { @for note in NOTES { li { (note) } } }
    };
    Section { id: "usage", title: "How to use it", body }
}

/// The command that counts the groups of a table.
pub(super) fn check(qids: &[QidReport]) -> String {
    check_in("TABLE", qids)
}

fn check_in(table: &str, qids: &[QidReport]) -> String {
    let qid = |qid: &QidReport| format!("--qid {}", quoted(&format!("{}:{}", qid.attributes.join(","), qid.k)));
    let condition = |one: &ConditionReport| format!("--condition {}", quoted(&one.condition));
    let arguments = qids.iter().map(qid).chain(shared(qids).iter().map(condition));
    let arguments: Vec<String> = arguments.map(|argument| format!(" \\\n  {argument}")).collect();
    format!("cutline verify {table}{}", arguments.concat())
}

/// The conditions, if they are the same for all QIDs: the command asks them of every one.
fn shared(qids: &[QidReport]) -> &[ConditionReport] {
    let texts = |qid: &QidReport| qid.conditions.iter().map(|one| one.condition.clone()).collect::<Vec<_>>();
    match qids {
        [first, rest @ ..] if rest.iter().all(|qid| texts(qid) == texts(first)) => &first.conditions,
        _ => &[],
    }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.,:".contains(character);
    if argument.chars().all(plain) { argument.to_owned() } else { format!("'{}'", argument.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_can_be_pasted_into_a_shell() {
        let attributes = vec!["date of birth".to_owned(), "mother's name".to_owned()];
        let qid = QidReport { attributes, k: 5, anonymity: 7, groups: 1, ..QidReport::default() };
        assert_eq!(
            check(std::slice::from_ref(&qid)),
            "cutline verify TABLE \\\n  --qid 'date of birth,mother'\\''s name:5'"
        );
        let condition = ConditionReport { condition: "bound:ill=yes<=0.5".to_owned(), holds: true, worst: None };
        let asked = check(&[QidReport { conditions: vec![condition], ..qid.clone() }]);
        assert!(asked.ends_with(" \\\n  --condition 'bound:ill=yes<=0.5'"), "{asked}");
    }
}
