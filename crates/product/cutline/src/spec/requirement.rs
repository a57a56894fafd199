//! What must hold.

use std::str::FromStr;

use cutline_model::conditions::ConditionError;
use cutline_model::{Condition, Qid, RequirementError};
use cutline_settings::{Setting, Shape, Value, Wrong};

use super::Spec;

/// What must hold in the published table.
pub(super) const SETTINGS: &[Setting<Spec>] = &[
    Setting {
        name: "qid",
        key: "qid",
        shape: Shape::Entries,
        placeholder: "NAMES:K",
        help: "A QID and its k, as in age,sex,zip:10; repeat for several (for ‹clusters› also ks to compare: 5,20 or 5..100)",
        doc: "A set of attributes that an attacker may know together, and how many records must share every combination of their masked \
              values. A name with a comma or a colon in it stands in double quotes. In a spec every QID is a table of its own, with its \
              `attributes`, its `k` and, if it has some, its `conditions`: `[[qid]]`.",
        example: "age,sex,zip:10",
        set: set_qids,
        ..Setting::BLANK
    },
    Setting {
        name: "person",
        key: "person",
        shape: Shape::Text,
        placeholder: "NAME",
        default: "every record is a person of its own",
        help: "The column that says which person a record is about: k counts persons, not records",
        doc: "Twenty visits of one patient protect nobody. A person counts once in every group; records without a value of the column \
              count as one person together. The column is not published, unless ‹tokenize› or ‹keep› names it. Conditions, suppression \
              and what the search is for go on looking at records.",
        example: "patient_id",
        set: |spec, value| {
            spec.person = Some(value.text()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "weight",
        key: "weight",
        shape: Shape::Text,
        placeholder: "NAME",
        default: "every record counts the same",
        help: "The column of survey weights: how many persons of a population a record stands for",
        doc: "Weights are for what the table is published for: gains and losses count by them, and the risk in the population is told. \
              Protection counts records: k weights of one record protect nobody. A genetic search looks at records. Weights that are \
              not whole numbers count in millionths of the largest one. The column is published as it is.",
        example: "fnlwgt",
        set: |spec, value| {
            spec.weight = Some(value.text()?);
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "sampling-fraction",
        key: "sampling_fraction",
        shape: Shape::Number,
        placeholder: "SHARE",
        default: "follows from the weights, if there are some",
        help: "The share of the population that is in the table, as in 0.05: the risk in the population is told",
        doc: "How many persons of the population share a group is guessed by a negative binomial distribution. The requirement does not \
              look at it: that nobody knows who is in the table is no protection from those who do.",
        example: "0.05",
        set: |spec, value| value.number(&mut spec.sampling_fraction),
        ..Setting::BLANK
    },
    Setting {
        name: "condition",
        key: "conditions",
        shape: Shape::Entries,
        placeholder: "NAME:ATTRIBUTE=BOUND",
        help: "A condition on every group, as in distinct-l:diagnosis=3; repeat for several. Others: entropy-l:diagnosis=2.5, \
               recursive-l:diagnosis=2,3, alpha:diagnosis=0.5, t-close:diagnosis=0.2, t-close-ordered:income=0.2",
        doc: "What must hold of the sensitive values of the groups of every QID. The attribute is published as it is and is in no QID.",
        example: "distinct-l:diagnosis=3",
        clear: |spec| spec.conditions.clear(),
        set: |spec, value| {
            for text in value.entries('=')? {
                spec.conditions.push(text.parse().map_err(Wrong::new)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "bound",
        key: "conditions",
        shape: Shape::Entries,
        placeholder: "ATTRIBUTE=VALUE<=SHARE",
        help: "No group may point to this value with more confidence; repeat for several",
        doc: "A condition like others; in a spec it is one of the `conditions`, with `bound:` before it.",
        example: "diagnosis=HIV<=0.2",
        clear: |spec| spec.conditions.clear(),
        set: |spec, value| {
            for text in value.texts()? {
                spec.conditions.push(bound(&text).map_err(Wrong::new)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
];

/// A QID with its k, or with several to compare: `age,sex:10`, `age,sex:5,20,100`, `age,sex:5..100`.
#[derive(Clone, Debug)]
struct ComparedQid {
    qid: Qid,
    thresholds: Vec<u64>,
}

impl FromStr for ComparedQid {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let split = text.rsplit_once(':').and_then(|(names, ks)| Some((names, thresholds(ks)?)));
        match split {
            Some((names, thresholds)) => {
                Ok(ComparedQid { qid: format!("{names}:{}", thresholds[0]).parse()?, thresholds })
            }
            None => Ok(ComparedQid { qid: text.parse()?, thresholds: Vec::new() }),
        }
    }
}

/// `5,20,100`, or `5..100`, which doubles from the first to the last.
fn thresholds(text: &str) -> Option<Vec<u64>> {
    if let Some((low, high)) = text.split_once("..") {
        let (low, high): (u64, u64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        let doubled = std::iter::successors(Some(low), |k| k.checked_mul(2)).take_while(|&k| k < high);
        return (0 < low && low < high).then(|| doubled.chain([high]).collect());
    }
    let list: Option<Vec<u64>> = text.split(',').map(|k| k.trim().parse().ok()).collect();
    list.filter(|list| list.len() > 1)
}

/// Thresholds that are compared take the place of every k, so all QIDs must say the same.
fn set_qids(spec: &mut Spec, value: &Value) -> Result<(), Wrong> {
    let texts = value.entries(':')?;
    let qids = texts.iter().map(|text| text.parse()).collect::<Result<Vec<ComparedQid>, _>>().map_err(Wrong::new)?;
    let compared = qids.first().map(|qid| qid.thresholds.clone()).unwrap_or_default();
    if qids.iter().any(|qid| qid.thresholds != compared) {
        let hint = "give every QID the same list, as in ‹qid age,sex:5..100› ‹qid zip:5..100›";
        let what = "the QIDs are to be compared with different thresholds".to_owned();
        return Err(Wrong { what, hint: Some(hint.to_owned()) });
    }
    if !compared.is_empty() {
        spec.purpose.clustering.thresholds = compared;
    }
    spec.qid = qids.into_iter().map(|qid| qid.qid).collect();
    Ok(())
}

/// `ATTRIBUTE=VALUE<=SHARE`, a condition without its name.
fn bound(text: &str) -> Result<Condition, ConditionError> {
    format!("bound:{text}").parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qid_has_one_threshold_or_several() {
        let ks = |text: &str| text.parse::<ComparedQid>().map(|qid| (qid.qid.k, qid.thresholds)).ok();
        assert_eq!(ks("a,b:10"), Some((10, vec![])));
        assert_eq!(ks("a,b:5,20,100"), Some((5, vec![5, 20, 100])));
        assert_eq!(ks("a,b:5..100"), Some((5, vec![5, 10, 20, 40, 80, 100])));
        for bad in ["a,b", "a,b:", "a:5..", "a:100..5", "a:5,x", "a:0..4"] {
            assert_eq!(ks(bad), None, "{bad}");
        }
    }

    #[test]
    fn all_qids_are_compared_alike() {
        let compared = |texts: &[&str]| {
            let mut spec = Spec::default();
            let value = Value::List(texts.iter().map(|&text| text.into()).collect());
            set_qids(&mut spec, &value).map(|()| spec.purpose.clustering.thresholds)
        };
        assert_eq!(compared(&["a:2,3", "b:2,3"]).unwrap(), [2, 3]);
        assert!(compared(&["a:2,3", "b:2"]).is_err());
        assert_eq!(compared(&["a:2", "b:3"]).unwrap(), [0; 0]);
    }
}
