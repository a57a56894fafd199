//! What takes longer to find out: what columns give away, and why everything is masked as it is.

use cutline::model::Share;
use cutline::report::Screen;
use cutline::search::{AttributeWhy, Why};
use serde::Serialize;

use crate::fault::said;

/// What the published columns tell of persons, and why attributes are masked.
#[derive(Serialize)]
pub(crate) struct LooksView {
    pub(crate) warnings: Vec<String>,
    /// Columns that name persons and would be published: nothing can be published as long as there are any.
    pub(crate) refused: Vec<(String, &'static str)>,
    pub(crate) why: Vec<Reasons>,
}

/// Why an attribute is masked as it is.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Reasons {
    attribute: String,
    /// The label that would be refined with the highest gain, if the requirement allowed it.
    label: Option<String>,
    into: Vec<String>,
    /// What forbids it, in words.
    forbidden: Option<String>,
    /// What would allow it.
    ways: Vec<Way>,
}

/// Something that would allow more.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum Way {
    /// A budget of so much.
    Budget { share: String, records: u64 },
    /// A lower k of a QID.
    Threshold { qid: usize, k: u64 },
    /// One attribute less.
    Without { attribute: String },
    /// Without the records that lack a value.
    LeaveOut { records: u64 },
}

impl LooksView {
    pub(crate) fn new(screen: &Screen, why: &[AttributeWhy], records: u64) -> Self {
        LooksView {
            warnings: screen.warnings.iter().map(|warning| said(warning)).collect(),
            refused: screen.unwanted().map(|(name, like)| (name.to_owned(), like.words())).collect(),
            why: why.iter().map(|why| Reasons::new(why, records)).collect(),
        }
    }
}

impl Reasons {
    fn new(why: &AttributeWhy, records: u64) -> Self {
        let Some((label, left, bar)) = why.best_forbidden() else { return Reasons::none(why) };
        let broken = bar.broken.iter().map(|broken| match &broken.condition {
            None => format!("{} records would be in groups below k", broken.records),
            Some(condition) => format!("{} records would be in groups that break {condition}", broken.records),
        });
        let budget = (bar.limit < records)
            .then(|| Way::Budget { share: Share::allowing(bar.limit, records).to_string(), records: bar.limit });
        let thresholds = bar.thresholds.iter().map(|&(qid, k)| Way::Threshold { qid, k });
        let without = bar.without.iter().map(|attribute| Way::Without { attribute: attribute.clone() });
        let leave_out = bar.lacking.map(|records| Way::LeaveOut { records });
        Reasons {
            attribute: why.attribute.clone(),
            label: label.label.clone(),
            into: left.into.clone(),
            forbidden: Some(broken.collect::<Vec<_>>().join(", and ")),
            ways: budget.into_iter().chain(leave_out).chain(thresholds).chain(without).collect(),
        }
    }

    /// Nothing is forbidden.
    fn none(why: &AttributeWhy) -> Self {
        let allowed = why.labels.iter().any(|label| matches!(label.why, Why::Allowed(_)));
        let finest = why.labels.iter().all(|label| matches!(label.why, Why::Finest));
        let forbidden = match (allowed, finest) {
            (true, _) => None,
            (false, true) => Some("it is published as it is".to_owned()),
            (false, false) => Some("more detail would not help the purpose".to_owned()),
        };
        Reasons { attribute: why.attribute.clone(), label: None, into: Vec::new(), forbidden, ways: Vec::new() }
    }
}
