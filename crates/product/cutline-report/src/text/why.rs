//! Why is it masked?

use std::fmt;

use cutline_search::{AttributeWhy, Why};

use super::Aligned;
use crate::Report;
use crate::number::{count, counted};
use crate::why::{Way, forbidden, gain, ways};

/// Attributes that stand in the way, beyond this number, are counted.
const MOST_DROPS: usize = 3;

/// A line for each attribute of which nothing is told. Settings are mentioned as in messages: `‹suppress-limit 1%›`.
#[derive(Clone, Copy, Debug)]
pub struct WhyLines<'a>(pub &'a Report);

impl fmt::Display for WhyLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked =
            |why: &&AttributeWhy| self.0.attributes.iter().any(|other| other.top && other.name == why.attribute);
        let rows: Vec<Vec<String>> = self.0.why.iter().filter(masked).map(|why| self.row(why)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        write!(f, "\nwhy is it masked?\n{}", Aligned::default().rows(rows))
    }
}

impl WhyLines<'_> {
    fn row(&self, why: &AttributeWhy) -> Vec<String> {
        vec![why.attribute.clone(), self.sentence(why)]
    }

    fn sentence(&self, why: &AttributeWhy) -> String {
        let report = self.0;
        if let Some((_, left, bar)) = why.best_forbidden() {
            let forbidden = forbidden(bar, &report.qids);
            let begin = match bar.lacking {
                Some(lacking) => format!("{} no value, and to tell them from others leaves {forbidden}", have(lacking)),
                None => format!("to refine it gains {}, but leaves {forbidden}", gain(report, left)),
            };
            return format!("{begin}; {}", allowed(ways(report, bar)));
        }
        match why.labels.first().map(|label| &label.why) {
            Some(Why::Allowed(left)) => {
                format!(
                    "it could still be refined, for {}: the search ended before, or hides too much by it",
                    gain(report, left)
                )
            }
            Some(Why::NothingToGain) => "nothing is gained: its records do not differ in the target".to_owned(),
            _ => "all records have the same value".to_owned(),
        }
    }
}

fn have(records: u64) -> String {
    if records == 1 { "1 record has".to_owned() } else { format!("{} records have", count(records)) }
}

/// What would allow it, with settings as messages mention them.
fn allowed(ways: Vec<Way<'_>>) -> String {
    let way = |way: Way<'_>| match way {
        Way::Limit(limit) => format!("‹suppress-limit {limit}›"),
        Way::LeaveOut => "‹missing drop›".to_owned(),
        Way::Threshold { k, qid: None } => format!("k = {}", count(k)),
        Way::Threshold { k, qid: Some(qid) } => format!("k = {} for QID {qid}", count(k)),
        Way::Without(attribute) => format!("‹drop {attribute}›"),
    };
    let (drops, others): (Vec<_>, Vec<_>) = ways.into_iter().partition(|way| matches!(way, Way::Without(_)));
    let more = drops.len().saturating_sub(MOST_DROPS);
    let mut ways: Vec<String> = others.into_iter().chain(drops.into_iter().take(MOST_DROPS)).map(way).collect();
    ways.extend((more > 0).then(|| format!("or {} (see the report)", counted(more as u64, "further attribute"))));
    match &ways[..] {
        [] => "nothing would allow it".to_owned(),
        [way] => format!("{way} would allow it"),
        ways => format!("any of these would allow it: {}", ways.join(", ")),
    }
}
