//! What must hold, and what for.

use clap::{Args, ValueEnum};
use cutline::model::{Condition, Share};

use crate::clusters::QidArg;
use crate::names;

/// What must hold, and what for.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Requirement and purpose")]
pub(crate) struct RequirementArgs {
    /// A QID and its k, as in age,sex,zip:10; repeat for several (for --clusters also ks to compare: 5,20 or 5..100)
    #[arg(long, value_name = "NAMES:K")]
    pub(crate) qid: Vec<QidArg>,
    /// Attribute to predict: the purpose is classification, unless --purpose says regression
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    /// What the table is published for
    #[arg(long, value_enum)]
    pub(crate) purpose: Option<PurposeArg>,
    /// A further target and its weight, for a genetic search and the report; repeat for several
    #[arg(long, value_name = "NAME[:WEIGHT]", value_parser = names::weighted)]
    pub(crate) also_target: Vec<(String, Option<f64>)>,
    /// Weight of the target itself, beside further targets [default: 1]
    #[arg(long, value_name = "WEIGHT")]
    pub(crate) target_weight: Option<f64>,
    /// What it costs to take a class for another one [default: 1]; repeat for several
    #[arg(long, value_name = "ACTUAL,PREDICTED=COST", value_parser = names::cost)]
    pub(crate) cost: Vec<(String, String, f64)>,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    /// Accept that the target is in a QID and gets masked
    #[arg(long)]
    pub(crate) allow_target_in_qid: bool,
    /// The largest share of records that may be suppressed, as in 1% [default: 0, for genetic no limit]
    #[arg(long, value_name = "SHARE")]
    pub(crate) suppress_limit: Option<Share>,
    /// What becomes of suppressed records [default: mask]
    #[arg(long, value_enum)]
    pub(crate) suppress_how: Option<SuppressHowArg>,
}

/// What must hold of the sensitive values of every group.
#[derive(Args, Debug, Default)]
pub(crate) struct ConditionArgs {
    /// A condition on every group, as in distinct-l:diagnosis=3; repeat for several. Others: entropy-l:diagnosis=2.5,
    /// recursive-l:diagnosis=2,3, alpha:diagnosis=0.5, t-close:diagnosis=0.2, t-close-ordered:income=0.2
    #[arg(long, value_name = "NAME:ATTRIBUTE=BOUND")]
    pub(crate) condition: Vec<Condition>,
    /// No group may point to this value with more confidence; repeat for several
    #[arg(long, value_name = "ATTRIBUTE=VALUE<=SHARE", value_parser = names::bound)]
    pub(crate) bound: Vec<Condition>,
}

impl ConditionArgs {
    /// All of them.
    pub(crate) fn all(&self) -> Vec<Condition> {
        self.condition.iter().chain(&self.bound).cloned().collect()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SuppressHowArg {
    /// All their quasi values become `*` (left out if they are too few to be a group)
    Mask,
    /// They are left out
    Drop,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PurposeArg {
    Classification,
    Regression,
    Clustering,
    General,
}
