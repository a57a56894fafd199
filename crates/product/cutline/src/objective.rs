//! What a genetic search minimizes, from what a user said.

use cutline_measure::loss::Partition;
use cutline_measure::loss::weighted::WeighedTarget;
use cutline_search::genetic::{Dispersion, Metric, MetricKind, Objective, Term};
use cutline_table::{AttributeId, CompressedTable, Cost, Costs, Labels, Masked, Suppressed};

use crate::Error;
use crate::job::Job;
use crate::spec::{CostSpec, FurtherTarget, PurposeSpec, Spec};

/// What is said of the target, and further ones: weights above 0, costs of 0 or more.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    /// The target's own weight.
    pub(crate) weight: f64,
    pub(crate) further: Vec<FurtherTarget>,
    costs: Vec<Cost>,
}

impl Targets {
    /// Checks what can be checked without the table.
    pub(crate) fn new(spec: &Spec) -> Result<Self, Error> {
        let PurposeSpec { target, weight, further, cost, .. } = &spec.purpose;
        let refuse =
            |what: &str, hint: &str| Err(Error::Contradiction { what: what.to_owned(), hint: hint.to_owned() });
        let bad = |number: f64| !(number.is_finite() && number >= 0.0);
        let weights = || further.iter().filter_map(|further| further.weight).chain(*weight);
        if weights().any(bad) || weights().any(|weight| weight == 0.0) {
            return refuse("a weight of a target is not above 0", "write weights as in ‹also-target NAME:0.5›");
        }
        if cost.iter().any(|cost| bad(cost.cost)) {
            return refuse("a cost is below 0", "write costs as in ‹cost 'sick,healthy=5'›");
        }
        let metric = spec.search.genetic.metric;
        let needs_target = metric.is_some_and(|metric| metric != MetricKind::Lm);
        if target.is_none() && (needs_target || !further.is_empty() || !cost.is_empty()) {
            return refuse(
                "metrics of a target, further targets and costs need a target",
                "name the attribute to predict with ‹target›",
            );
        }
        let cost = |CostSpec { actual, predicted, cost }: &CostSpec| Cost {
            actual: actual.clone(),
            predicted: predicted.clone(),
            cost: *cost,
        };
        Ok(Targets {
            weight: weight.unwrap_or(1.0),
            further: further.clone(),
            costs: spec.purpose.cost.iter().map(cost).collect(),
        })
    }
}

impl Job {
    /// The cost matrix of the target's classes, if costs were said.
    pub(crate) fn costs(&self, table: &CompressedTable) -> Result<Option<Costs>, Error> {
        let said = &self.targets.costs;
        match &table.labels {
            _ if said.is_empty() => Ok(None),
            Labels::Classes { names, .. } => Costs::new(names, said).map(Some).map_err(|class| Error::Contradiction {
                what: format!("a cost is said for `{class}`, which is no class of the target"),
                hint: "write costs as ‹cost 'ACTUAL,PREDICTED=COST'› with classes as they are in the table".to_owned(),
            }),
            _ => Err(Error::Contradiction {
                what: "costs are said, but the purpose is no classification".to_owned(),
                hint: "leave out ‹cost›, or use ‹purpose classification›".to_owned(),
            }),
        }
    }

    /// LM, or the metric of the target and those of further targets by their weights.
    pub(crate) fn objective(&self, table: &CompressedTable) -> Result<Objective, Error> {
        if self.metric == Some(MetricKind::Lm) || matches!(table.labels, Labels::None) {
            return Ok(Objective::new(Metric::General));
        }
        let costs = self.costs(table)?;
        let metric_of_target = metric(&table.labels, 0, self.metric, costs)?;
        let mut terms = vec![Term { weight: self.targets.weight, metric: metric_of_target }];
        for (index, (further, labels)) in self.targets.further.iter().zip(&table.further).enumerate() {
            terms.push(Term { weight: further.weight.unwrap_or(1.0), metric: metric(labels, index + 1, None, None)? });
        }
        Ok(Objective { terms })
    }

    /// The weighted average of the metrics of all targets, where there are several.
    pub(crate) fn weighted(
        &self,
        table: &CompressedTable,
        masked: &Masked<'_>,
        suppressed: &Suppressed,
        costs: Option<&Costs>,
    ) -> Option<f64> {
        let Targets { weight, further, .. } = &self.targets;
        if further.is_empty() {
            return None;
        }
        let main = WeighedTarget { costs, ..WeighedTarget::new(0, *weight) };
        let further = further.iter().enumerate();
        let further = further.map(|(index, further)| WeighedTarget::new(index + 1, further.weight.unwrap_or(1.0)));
        let targets: Vec<WeighedTarget<'_>> = std::iter::once(main).chain(further).collect();
        let all = (0..table.attributes.len()).map(AttributeId);
        cutline_measure::loss::weighted::weighted(table, &Partition::new(table, masked, suppressed, all), &targets)
    }
}

fn metric(labels: &Labels, target: usize, kind: Option<MetricKind>, costs: Option<Costs>) -> Result<Metric, Error> {
    let dispersion = if kind == Some(MetricKind::RmMedian) { Dispersion::Deviation } else { Dispersion::Variance };
    match (labels, kind) {
        (Labels::Classes { .. }, None | Some(MetricKind::Cm)) => Ok(Metric::Classification { target, costs }),
        (Labels::Numbers { .. }, None | Some(MetricKind::Rm | MetricKind::RmMedian)) => {
            Ok(Metric::Regression { target, dispersion })
        }
        _ => Err(Error::Contradiction {
            what: "the metric does not fit the purpose".to_owned(),
            hint: "cm is for classification, rm and rm-median for regression, lm for any purpose".to_owned(),
        }),
    }
}
