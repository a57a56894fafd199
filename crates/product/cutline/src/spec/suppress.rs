//! May records be suppressed?

use cutline_model::Share;
use cutline_model::recoding::SuppressHow;
use cutline_settings::{Choice, Setting, Shape};
use serde::{Deserialize, Serialize};

/// May records in groups that are too small be suppressed?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuppressSpec {
    /// The largest share of the records, as in `"1%"`. A genetic search has no limit unless one is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Share>,
    /// What becomes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<SuppressHow>,
}

const HOW: &[Choice] = &[
    Choice { name: "mask", help: "All their quasi values become `*` (left out if they are too few to be a group)" },
    Choice { name: "drop", help: "They are left out" },
];

/// Records that are not published under their labels.
pub(super) const SETTINGS: &[Setting<SuppressSpec>] = &[
    Setting {
        name: "suppress-limit",
        key: "limit",
        shape: Shape::Share,
        default: "0, for genetic no limit",
        help: "The largest share of records that may be suppressed, as in 1%",
        doc: "One odd record should not force the masking of everyone else: a search may leave up to this share of the records in groups \
              that are too small or break a condition. A genetic search weighs suppression against other losses.",
        example: "1%",
        set: |suppress, value| value.put(&mut suppress.limit),
        ..Setting::BLANK
    },
    Setting {
        name: "suppress-how",
        key: "how",
        shape: Shape::Choice(HOW),
        placeholder: "HOW",
        default: "mask",
        help: "What becomes of suppressed records",
        doc: "Masked, they are one more group that must satisfy everything.",
        example: "drop",
        set: |suppress, value| value.put(&mut suppress.how),
        ..Setting::BLANK
    },
];
