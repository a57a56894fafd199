//! Which columns identify persons, or give masked ones away?

use std::fmt;

use super::Aligned;
use crate::number::{count, percent};
use crate::{Screen, ScreenedColumn};

/// A screen in tables and sentences.
#[derive(Clone, Copy, Debug)]
pub struct ScreenSummary<'a>(pub &'a Screen);

impl fmt::Display for ScreenSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let screen = self.0;
        if screen.is_sample() {
            let (drawn, all) = (count(screen.looked_at), count(screen.records));
            writeln!(
                f,
                "{drawn} of {all} records were drawn and looked at: among them more seem to be alone than are"
            )?;
        }
        write!(f, "\n{}", columns(screen))?;
        if !screen.qids.is_empty() {
            write!(f, "\n{}", qids(screen))?;
        }
        if !screen.proposals.is_empty() {
            write!(f, "\n{}", proposals(screen))?;
        }
        if !screen.warnings.is_empty() {
            writeln!(f)?;
        }
        screen.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

fn columns(screen: &Screen) -> Aligned {
    let rare = format!("fewer than {}", screen.k);
    let heads = ["column", "role", "distinct", "alone", &rare, "smallest with QID", "gives away"];
    Aligned::new(heads).numbers(&[2, 3, 4, 5]).rows(screen.columns.iter().map(|column| row(screen, column)))
}

fn row(screen: &Screen, column: &ScreenedColumn) -> Vec<String> {
    let rare = column.rare_records as f64 / screen.looked_at.max(1) as f64;
    let given = column.reveals.iter().map(|told| match told.share > 0.0 {
        true => format!("{} {}", told.attribute, percent(told.share)),
        false => format!("{} nearly {}", told.attribute, percent(told.nearly)),
    });
    vec![
        column.name.clone(),
        column.role.to_string(),
        count(column.distinct),
        percent(column.unique_share),
        percent(rare),
        column.with_qid.map_or(String::new(), |with| count(with.smallest)),
        given.collect::<Vec<_>>().join(", "),
    ]
}

fn qids(screen: &Screen) -> Aligned {
    let heads = ["QID", "k", "smallest group", "records below k"];
    let rows = screen
        .qids
        .iter()
        .map(|qid| vec![qid.attributes.join(", "), count(qid.k), count(qid.smallest), count(qid.records_below_k)]);
    Aligned::new(heads).numbers(&[1, 2, 3]).rows(rows)
}

fn proposals(screen: &Screen) -> Aligned {
    let rows = screen.proposals.iter().map(|set| vec![set.attributes.join(", "), percent(set.unique_share)]);
    Aligned::new(["who knows", "singles out"]).numbers(&[1]).rows(rows)
}
