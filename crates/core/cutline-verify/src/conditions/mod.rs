//! Which conditions must the sensitive values of every group satisfy?
//!
//! One file a condition. To add one: a file with a [`Rule`] and a [`ConditionKind`], and its name in [`KINDS`].

mod alpha;
mod bound;
mod distinct;
mod entropy;
mod recursive;
mod t_close;
mod t_close_ordered;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::sensitive::{Cell, Sensitive, Values, size};
use crate::{Absent, VerifyError};

/// All conditions.
const KINDS: &[&ConditionKind] = &[
    &distinct::KIND,
    &entropy::KIND,
    &recursive::KIND,
    &alpha::KIND,
    &bound::KIND,
    &t_close::KIND,
    &t_close_ordered::KIND,
];

/// How far a figure may be beyond a real bound: shares of whole records differ by much more, rounding by much less. So
/// another implementation agrees however it rounds. (It may accept a group a billionth worse than the bound.)
const TOLERANCE: f64 = 1e-9;

/// A kind of condition.
struct ConditionKind {
    /// What its text starts with.
    name: &'static str,
    /// How it is written.
    form: &'static str,
    /// Reads what is behind the attribute's `=`, or says what is wrong with it.
    parse: fn(&str) -> Result<Arc<dyn Rule>, &'static str>,
}

/// What a condition asks of a group.
///
/// # Guarantee
///
/// If two groups of a table satisfy a rule, so does their union. (Searches prune on it; `tests.rs` checks it.)
trait Rule: Send + Sync {
    /// What is behind the attribute's `=`; it is read back as the same rule.
    fn parameter(&self) -> String;

    /// The judge of the groups of a table with these values.
    fn judge<'a>(&'a self, table: &'a Values<'_>) -> Judge<'a>;

    /// Which of the groups' figures is the worst.
    fn worst(&self) -> Worst;

    /// The value that the rule is about, if it is about one.
    fn value(&self) -> Option<&str> {
        None
    }
}

/// Judges a group, perhaps one without records.
type Judge<'a> = Box<dyn Fn(&[Cell]) -> Judged + 'a>;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Judged {
    holds: bool,
    figure: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worst {
    Smallest,
    Largest,
}

/// A condition on the values of one sensitive attribute, written as a text and read by [`FromStr`]:
///
/// | text | in every group | figure |
/// | --- | --- | --- |
/// | `distinct-l:ATTR=3` | at least 3 distinct values | their number |
/// | `entropy-l:ATTR=2.5` | the entropy of the values' shares is at least log 2.5 | exp(entropy) |
/// | `recursive-l:ATTR=2,3` | with counts r1 ≥ r2 ≥ …, r1 < 2·(r3 + r4 + …) | r1 / (r3 + r4 + …), perhaps infinite |
/// | `alpha:ATTR=0.5` | no value has a share above 0.5 | the highest share |
/// | `bound:ATTR=VALUE<=0.2` | the share of VALUE is at most 0.2 | its share |
/// | `t-close:ATTR=0.2` | the equal distance from the whole table's shares is at most 0.2 | the distance |
/// | `t-close-ordered:ATTR=0.2` | the ordered distance from the whole table's shares is at most 0.2 | the distance |
///
/// ATTR is anything without `=`; VALUE ends at the last `<=`, and an empty one is the missing value. Blanks around a part do not
/// matter. Values are texts without blanks around them; texts of the same number (`1000`, `1000.0`) are one value, and so are all
/// missing values. A missing value never adds diversity: **every condition must hold twice**, with "missing" as a value like others,
/// and of the records whose value is known, compared with those of the table; the worse figure is told. So `distinct-l` counts
/// known values; `alpha` and `bound` take shares of the known (and `alpha` that of "missing" among all); `entropy-l`, `recursive-l` and both
/// distances are the worse one of two. A group without known values has no diversity, and no distance from others. A bound on a
/// value that no record has is an error, unless [`Options::absent`](crate::Options::absent) allows it. Real bounds are tolerant by 1e-9, except the
/// one of `recursive-l`: it is strict, and a tolerant `<` would be a `≤`.
#[derive(Clone)]
pub struct Condition {
    kind: &'static ConditionKind,
    attribute: String,
    rule: Arc<dyn Rule>,
}

impl Condition {
    /// The sensitive attribute.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// The name of the condition's kind, such as `distinct-l`.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// How the conditions are written, such as `distinct-l:ATTR=3`, one example a kind.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|kind| kind.form)
    }

    /// Asks for the condition in every group.
    pub(crate) fn check(&self, sensitive: &Sensitive<'_>, absent: Absent) -> Result<ConditionFinding, VerifyError> {
        let table = &sensitive.table;
        let lacking = self.rule.value().filter(|value| table.records() > 0 && table.lacks(value));
        if lacking.is_some_and(|_| absent == Absent::Refuse) {
            // Which values records have is not told.
            return Err(VerifyError::AbsentValue { condition: self.to_string() });
        }
        let known = table.known();
        let judge = self.rule.judge(table);
        let judge_known = known.as_ref().map(|known| (known, self.rule.judge(known)));
        let mut finding = ConditionFinding {
            condition: self.clone(),
            violating_groups: 0,
            violating_records: 0,
            worst: None,
            absent: lacking.is_some(),
        };
        for group in sensitive.groups() {
            let all = judge(group);
            let known = judge_known.as_ref().map_or(all, |(known, judge)| judge(known.of(group)));
            let figure = self.worse(all.figure, known.figure);
            finding.worst = Some(finding.worst.map_or(figure, |worst| self.worse(worst, figure)));
            if !(all.holds && known.holds) {
                finding.violating_groups += 1;
                finding.violating_records += size(group);
            }
        }
        Ok(finding)
    }

    fn worse(&self, a: f64, b: f64) -> f64 {
        match self.rule.worst() {
            Worst::Smallest => a.min(b),
            Worst::Largest => a.max(b),
        }
    }
}

impl FromStr for Condition {
    type Err = VerifyError;

    fn from_str(text: &str) -> Result<Self, VerifyError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let Some(&kind) = KINDS.iter().find(|kind| kind.name == name.trim()) else {
            let forms = Condition::forms().map(str::to_owned).collect();
            return Err(VerifyError::UnknownCondition { condition: text.to_owned(), forms });
        };
        let bad = |problem| VerifyError::BadCondition { condition: text.to_owned(), problem, form: kind.form };
        let (attribute, parameter) = rest.split_once('=').ok_or_else(|| bad("there is no `=` behind an attribute"))?;
        let attribute = attribute.trim().to_owned();
        if attribute.is_empty() {
            return Err(bad("it names no attribute"));
        }
        let rule = (kind.parse)(parameter.trim()).map_err(bad)?;
        Ok(Condition { kind, attribute, rule })
    }
}

/// As it is read.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", self.kind.name, self.attribute, self.rule.parameter())
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({self})")
    }
}

/// Conditions with the same text are equal: numbers are written so that they read back as the same.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Condition {}

/// The recount of one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionFinding {
    /// The condition.
    pub condition: Condition,
    /// The number of groups that do not satisfy it.
    pub violating_groups: u64,
    /// The number of records in these groups.
    pub violating_records: u64,
    /// The figure of the group that is farthest from satisfying it, see [`Condition`]; `None` if there are no groups.
    pub worst: Option<f64>,
    /// Whether it is about a value that no record has, so that it holds whatever the groups are ([`Absent::Allow`]).
    pub absent: bool,
}

impl ConditionFinding {
    /// Whether all groups satisfy the condition.
    pub fn holds(&self) -> bool {
        self.violating_groups == 0
    }
}

/// The share of some records; 0 of none.
fn share(part: u64, group: &[Cell]) -> f64 {
    part as f64 / size(group).max(1) as f64
}

/// The judgement where a figure must not exceed a bound.
fn at_most(bound: f64, figure: f64) -> Judged {
    Judged { holds: figure <= bound + TOLERANCE, figure }
}

/// Reads a share or a distance.
fn zero_to_one(text: &str) -> Option<f64> {
    // Adding zero turns `-0` into `0`.
    text.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share)).map(|share| share + 0.0)
}
