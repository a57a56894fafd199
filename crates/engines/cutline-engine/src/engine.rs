//! What can be asked of the records, wherever they are.

use serde::{Deserialize, Serialize};

use crate::{
    Column, ColumnProfile, CompressPlan, Counted, EngineError, ExplainPlan, Format, Place, RewritePlan, Sample,
    SamplePlan, Statement, Watch, Written,
};

/// Where the records are.
///
/// ```text
///             compress: GROUP BY columns, count(*)
///   records ───────────────────────────────────────► Counted         only counts leave the engine
///
///             rewrite:  SELECT label(column), ...
///   records ───────────────────────────────────────► a Place         where it can be recounted
/// ```
///
/// `cutline-arrow` streams Arrow batches through this process. An engine for a database or a cluster sends both as statements and keeps
/// the records where they are: *compress* returns groups and counts (`RawTable::from_groups`), *rewrite* is a projection whose labels
/// follow from the recoding of each attribute ([`cutline_table::MaskPlan`]), which SQL can express as CASE or as a join with a small table;
/// suppressed records are found by a semi-join with the combinations of labels that are too rare.
///
/// # Contract
/// - `compress` counts every record exactly once, or reports it as dropped.
/// - Blanks around a value are no part of it; a value is missing if nothing is left of it, or one of the plan's null markers. All passes
///   agree on that.
/// - `rewrite` writes exactly the records that `compress` counted, less suppressed ones that are to be left out; in the order that the
///   plan says. A random one is asked only of engines that say they can ([`Order::KeptOrRandom`]); others refuse it.
/// - Both passes see the same table. If it changed in between, `rewrite` is an error.
pub trait Engine: Send + Sync {
    /// The table's name, for messages.
    fn name(&self) -> &str;

    /// The work of one pass, for progress: bytes if the records are read here, records elsewhere.
    fn size(&self) -> u64;

    /// The format that the records are stored in, if it is one that can be written too.
    fn format(&self) -> Option<Format>;

    /// Do the records have an order, and can they be published in another one?
    fn order(&self) -> Order;

    /// The table's columns.
    fn columns(&self) -> &[Column];

    /// A look at each column that has values, by itself, for proposals and guesses.
    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError>;

    /// Draws some records, and looks at all values of their columns.
    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError>;

    /// Groups the records by the given columns and counts; looks for what the plan asks for on the way.
    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError>;

    /// Would `compress` give more than so many combinations of values? Nothing if that is not known without fetching them.
    fn exceeds(&self, _plan: &CompressPlan, _most: u64, _watch: &dyn Watch) -> Result<Option<bool>, EngineError> {
        Ok(None)
    }

    /// The same as `compress` for several plans that group the same records. An engine that can, looks at them once. The least of their limits
    /// is that of all rows together.
    fn compress_all(&self, plans: &[CompressPlan], watch: &dyn Watch) -> Result<Vec<Counted>, EngineError> {
        plans.iter().map(|plan| self.compress(plan, watch)).collect()
    }

    /// `compress` and `sample`. An engine that reads all records for either does both at once.
    fn compress_and_sample(
        &self,
        plan: &CompressPlan,
        drawn: &SamplePlan,
        watch: &dyn Watch,
    ) -> Result<(Counted, Sample), EngineError> {
        Ok((self.compress(plan, watch)?, self.sample(drawn, watch)?))
    }

    /// The statements that a release would send; none where the records are read by this process.
    fn explain(&self, _plan: &ExplainPlan, _watch: &dyn Watch) -> Result<Vec<Statement>, EngineError> {
        Ok(Vec::new())
    }

    /// Masks every record and writes the table.
    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError>;
}

/// Do records have an order that both passes and the published table keep?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Records come in one order, in which they are published.
    Kept,
    /// Records come in one order. They are published in it, or in a random one if that is asked for.
    KeptOrRandom,
    /// The records are a set. What looks like an order where they are written tells nothing of the one that they came in.
    None,
}
