//! What could a column be?

use cutline_engine::{ColumnProfile, SampleColumn};
use cutline_model::{Kind, Role, Scale, parse_number};
use cutline_report::{LooksLike, ScreenedColumn};

use super::words::{known_to_others, not_to_be_learned};
use super::{MissingMarker, Proposal};
use crate::screen::is_date;

/// A column that tells a masked one of so many records is proposed to be masked too.
const TELLS: f64 = 0.5;

/// A column in which so many records are alone is not proposed to be masked.
const ALONE: f64 = 0.1;

/// A role by what the values look like, by the name, and by what the values are.
pub(super) fn propose(
    profile: ColumnProfile,
    column: &SampleColumn,
    seen: &ScreenedColumn,
    nulls: &[MissingMarker],
) -> Proposal {
    let texts = || column.texts.iter().flatten().filter(|text| nulls.iter().all(|null| null.text != **text));
    let all_dates = texts().next().is_some() && texts().all(|text| Scale::dates().read(text).is_some());
    let (kind, kind_reason) = match all_dates {
        true => (Kind::Date, None),
        false => kind(&profile, texts().filter(|text| parse_number(text).is_some()).count()),
    };
    let dates = texts().filter(|text| is_date(text)).count() * 100 >= texts().count() * 80 && texts().next().is_some();
    let (role, reason) = role(&profile.name, seen.looks_like, dates);
    Proposal { profile, role, kind, reason, kind_reason, findings: Vec::new() }
}

fn role(name: &str, looks_like: Option<LooksLike>, dates: bool) -> (Role, String) {
    match looks_like {
        Some(like) => (Role::Identifier, format!("it looks like {}", like.words())),
        None if known_to_others(name) => (Role::Quasi, "its name: others may know it".to_owned()),
        None if not_to_be_learned(name) => (Role::Sensitive, "its name: what others should not learn".to_owned()),
        None if dates => (Role::Quasi, "its values are dates: others may know them".to_owned()),
        None => (Role::Other, "nothing speaks for another role".to_owned()),
    }
}

/// The kind, and why numbers are taken for names if they are. `numbers` is how many different numbers there are.
fn kind(profile: &ColumnProfile, numbers: usize) -> (Kind, Option<String>) {
    let names = profile.distinct.saturating_sub(numbers);
    match (profile.numeric, profile.padded) {
        (true, false) => (Kind::Continuous, None),
        (true, true) => (Kind::Categorical, Some("its numbers have leading zeros, so they are codes".to_owned())),
        (false, _) if numbers > names => {
            (Kind::Categorical, Some(format!("it has numbers, but also {names} different values that are none")))
        }
        (false, _) => (Kind::Categorical, None),
    }
}

impl Proposal {
    /// Takes in what was found of the column beside those that are masked.
    pub(super) fn found(&mut self, seen: &ScreenedColumn) {
        // What hardly anybody shares is better left out than masked.
        let shared = seen.unique_share < ALONE;
        let tells = seen.reveals.iter().find(|told| told.share >= TELLS);
        if let (Role::Other, true, Some(told)) = (self.role, shared, tells) {
            self.role = Role::Quasi;
            self.reason = format!("it gives {} away: {}", told.attribute, told.how_sure());
            return;
        }
        let told = seen.reveals.iter().map(|told| format!("gives {} away: {}", told.attribute, told.how_sure()));
        self.findings.extend(told);
        if !shared && matches!(self.role, Role::Other | Role::Sensitive) {
            self.findings.push(format!("singles out {:.0} % of the records by itself", seen.unique_share * 100.0));
        }
    }
}
