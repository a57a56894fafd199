//! What a genetic search minimizes, from what a user said.

use cutline_measure::loss::Partition;
use cutline_measure::loss::weighted::Target;
use cutline_search::genetic::{Dispersion, Genetic, Metric, Objective, Term};
use cutline_table::{AttributeId, CompressedTable, Cost, Costs, Labels, Masked, Suppressed};

use crate::Error;
use crate::job::Job;
use crate::spec::{GeneticSpec, MetricKind, PurposeSpec, Spec};

/// Checks what can be checked without the table.
pub(crate) fn check(spec: &Spec) -> Result<(), Error> {
    let GeneticSpec { metric, population, iterations, mutation, bias, .. } = &spec.search.genetic;
    let refuse = |what: String, hint: &str| Err(Error::Contradiction { what, hint: hint.to_owned() });
    if population.is_some_and(|population| population < 2) {
        return refuse("a population needs at least two candidates".to_owned(), "leave out --population, or use 200");
    }
    if *iterations == Some(0) {
        return refuse("no candidate is to be evaluated".to_owned(), "leave out --iterations, or use 50000");
    }
    if mutation.is_some_and(|rate| !(0.0..=1.0).contains(&rate)) {
        return refuse("the mutation rate is no probability".to_owned(), "use a number from 0 to 1, as in 0.01");
    }
    if bias.is_some_and(|bias| !(1.0..=2.0).contains(&bias)) {
        return refuse(
            "the bias is not between 1 and 2".to_owned(),
            "1 chooses parents at random, 2 favours the best most",
        );
    }
    let PurposeSpec { target, weight, further, cost, .. } = &spec.purpose;
    let bad = |number: f64| !(number.is_finite() && number >= 0.0);
    let weights = || further.iter().filter_map(|further| further.weight).chain(*weight);
    if weights().any(bad) || weights().any(|weight| weight == 0.0) {
        return refuse("a weight of a target is not above 0".to_owned(), "write weights as in --also-target NAME:0.5");
    }
    if cost.iter().any(|cost| bad(cost.cost)) {
        return refuse("a cost is below 0".to_owned(), "write costs as in --cost 'sick,healthy=5'");
    }
    let needs_target = *metric != Some(MetricKind::Lm) && metric.is_some();
    if target.is_none() && (needs_target || !further.is_empty() || !cost.is_empty()) {
        return refuse(
            "metrics of a target, further targets and costs need a target".to_owned(),
            "name the attribute to predict with --target",
        );
    }
    Ok(())
}

/// The cost matrix of the target's classes, if costs were said.
pub(crate) fn costs(job: &Job, table: &CompressedTable) -> Result<Option<Costs>, Error> {
    let said: Vec<Cost> = job
        .spec
        .purpose
        .cost
        .iter()
        .map(|cost| Cost { actual: cost.actual.clone(), predicted: cost.predicted.clone(), cost: cost.cost })
        .collect();
    match &table.labels {
        _ if said.is_empty() => Ok(None),
        Labels::Classes { names, .. } => Costs::new(names, &said).map(Some).map_err(|class| Error::Contradiction {
            what: format!("a cost is said for `{class}`, which is no class of the target"),
            hint: "write costs as --cost 'ACTUAL,PREDICTED=COST' with classes as they are in the table".to_owned(),
        }),
        _ => Err(Error::Contradiction {
            what: "costs are said, but the purpose is no classification".to_owned(),
            hint: "leave out --cost, or use --purpose classification".to_owned(),
        }),
    }
}

/// The genetic search of a job.
pub(crate) fn genetic(job: &Job, table: &CompressedTable) -> Result<Genetic, Error> {
    let spec = &job.spec.search.genetic;
    let standard = Genetic::default();
    Ok(Genetic {
        objective: Some(objective(job, table)?),
        population: spec.population.unwrap_or(standard.population),
        iterations: spec.iterations.unwrap_or(standard.iterations),
        mutation: spec.mutation,
        bias: spec.bias.unwrap_or(standard.bias),
        seed: job.spec.search.seed.unwrap_or(standard.seed),
        seeded: spec.seeded.unwrap_or(standard.seeded),
    })
}

/// LM, or the metric of the target and those of further targets by their weights.
fn objective(job: &Job, table: &CompressedTable) -> Result<Objective, Error> {
    let kind = job.spec.search.genetic.metric;
    if kind == Some(MetricKind::Lm) || matches!(table.labels, Labels::None) {
        return Ok(Objective::new(Metric::General));
    }
    let costs = costs(job, table)?;
    let purpose = &job.spec.purpose;
    let mut terms =
        vec![Term { weight: purpose.weight.unwrap_or(1.0), metric: metric(&table.labels, 0, kind, costs)? }];
    for (index, (further, labels)) in purpose.further.iter().zip(&table.further).enumerate() {
        terms.push(Term { weight: further.weight.unwrap_or(1.0), metric: metric(labels, index + 1, None, None)? });
    }
    Ok(Objective { terms })
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

/// The weighted average of the metrics of all targets, where there are several.
pub(crate) fn weighted(
    job: &Job,
    table: &CompressedTable,
    masked: &Masked<'_>,
    suppressed: &Suppressed,
    costs: Option<&Costs>,
) -> Option<f64> {
    let purpose = &job.spec.purpose;
    if purpose.further.is_empty() {
        return None;
    }
    let main = Target { costs, ..Target::new(0, purpose.weight.unwrap_or(1.0)) };
    let further = purpose.further.iter().enumerate();
    let further = further.map(|(index, further)| Target::new(index + 1, further.weight.unwrap_or(1.0)));
    let targets: Vec<Target<'_>> = std::iter::once(main).chain(further).collect();
    let all = (0..table.attributes.len()).map(AttributeId);
    cutline_measure::loss::weighted::weighted(table, &Partition::new(table, masked, suppressed, all), &targets)
}
