//! What if somebody else drew the line? A recoding that no search found, judged on the same counts.

use cutline_arrow::crew::on_threads;
use cutline_measure::loss::Losses;
use cutline_model::AttributeRecoding;
use cutline_table::{Masked, Settled, TableQid};

use crate::find::Found;
use crate::{Draft, Error};

/// What a recoding would come to. For the data steward alone: it was computed from hidden values.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The recoding as it would be published: it tells nothing of values that only suppressed records have.
    pub recoding: Vec<AttributeRecoding>,
    /// Records that may not appear under their labels.
    pub suppressed: u64,
    /// How many may be suppressed.
    pub limit: u64,
    /// The smallest group of each QID under the given labels, before anything is suppressed.
    pub smallest: Vec<u64>,
    /// What it costs.
    pub losses: Losses,
}

impl Tried {
    /// Does the requirement hold, within the budget?
    pub fn holds(&self) -> bool {
        self.suppressed <= self.limit
    }
}

impl Draft {
    /// The most records that may be suppressed.
    pub fn suppression_limit(&self) -> u64 {
        self.job.suppression.most(self.found.table.records)
    }

    /// What another recoding of the quasi attributes would come to, in the order of [`Draft::recoding`]. Nothing is read or searched.
    ///
    /// # Errors
    /// If it is no recoding of this table: a value has no label, or an attribute has none; or if the draft is refined locally.
    pub fn tried(&self, recoding: Vec<AttributeRecoding>) -> Result<Tried, Error> {
        let Found { table, .. } = &self.found;
        if self.found.outcome.regions.is_some() {
            return Err(Error::Contradiction {
                what: "with local refinement the line differs from group to group".to_owned(),
                hint: "take back ‹local› to draw one line for all".to_owned(),
            });
        }
        if recoding.len() != table.attributes.len() {
            return Err(no_recoding("it has not one entry for each quasi attribute"));
        }
        on_threads(self.job.threads, || self.judged(recoding))
    }

    fn judged(&self, recoding: Vec<AttributeRecoding>) -> Result<Tried, Error> {
        let Found { table, qids, .. } = &self.found;
        let how = self.job.suppression.how;
        let masked = Masked::new(table, &recoding).map_err(unlabelled)?;
        let smallest = |qid: &TableQid| {
            let groups = masked.groups(qid.attributes.iter().copied());
            groups.sizes(&table.weights).into_iter().min().unwrap_or(0)
        };
        let smallest = qids.iter().map(smallest).collect();
        let Settled { recoding, suppressed, meant, .. } =
            Settled::new(table, recoding, None, qids, how).map_err(unlabelled)?;
        let masked = Masked::new(table, &recoding).map_err(unlabelled)?;
        let costs = self.job.costs(table)?;
        let mut losses = Losses::measure(table, &recoding, &masked, &suppressed, qids, costs.as_ref());
        losses.weighted = self.job.weighted(table, &masked, &suppressed, costs.as_ref());
        let limit = self.suppression_limit();
        Ok(Tried { recoding, suppressed: meant.max(suppressed.records), limit, smallest, losses })
    }
}

/// The error itself would tell a value.
fn unlabelled<E>(_: E) -> Error {
    no_recoding("a value has no label")
}

fn no_recoding(what: &str) -> Error {
    Error::Contradiction {
        what: format!("this is no recoding of the table: {what}"),
        hint: "draw a line through every attribute: one node on each path, ascending bounds".to_owned(),
    }
}
