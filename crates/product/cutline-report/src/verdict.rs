//! The verdict for programs.

use cutline_verify::{ConditionFinding, Confidence, Finding, PersonFinding, ValueConfidence, Verdict};
use serde_json::{Value, json};

/// A verdict as JSON, with what looks dangerous beside it: what `cutline verify --json` prints.
pub fn verdict_json(verdict: &Verdict, warnings: &[String]) -> Value {
    let mut value = json!({
        "records": verdict.records,
        "holds": verdict.holds(),
        "qids": verdict.findings.iter().map(finding).collect::<Vec<_>>(),
        "warnings": warnings,
    });
    if let Some(union) = &verdict.union {
        value["union"] = json!({ "attributes": union.attributes, "risk": union.risk });
    }
    value
}

fn finding(finding: &Finding) -> Value {
    let mut value = of_records(finding);
    if let Some(PersonFinding { smallest, violating_groups, violating_records, risk, .. }) = &finding.persons {
        value["persons"] = json!({
            "smallest": smallest, "violating_groups": violating_groups, "violating_records": violating_records, "risk": risk,
        });
    }
    if let Some(population) = &finding.population {
        value["population"] = json!(population);
    }
    value
}

fn of_records(finding: &Finding) -> Value {
    let worst = finding.worst.iter().map(|group| json!({ "size": group.size, "values": group.values }));
    json!({
        "attributes": finding.attributes, "k": finding.k, "anonymity": finding.anonymity, "groups": finding.groups,
        "violating_groups": finding.violating_groups, "violating_records": finding.violating_records,
        "holds": finding.holds(), "worst": worst.collect::<Vec<_>>(),
        "conditions": finding.conditions.iter().map(condition).collect::<Vec<_>>(),
        "confidences": finding.confidences.iter().map(confidence).collect::<Vec<_>>(),
        "risk": finding.risk(),
    })
}

/// A worst figure that is infinite (nothing to compare with) has no number in JSON, and is null.
fn condition(finding: &ConditionFinding) -> Value {
    json!({
        "condition": finding.condition.to_string(), "holds": finding.holds(), "worst": finding.worst,
        "violating_groups": finding.violating_groups, "violating_records": finding.violating_records,
    })
}

fn confidence(confidence: &Confidence) -> Value {
    let values = confidence.values.as_ref().map(|values| {
        let value = |value: &ValueConfidence| {
            json!({
                "value": value.value, "highest_confidence": value.highest_confidence, "base_rate": value.base_rate,
            })
        };
        values.iter().map(value).collect::<Vec<_>>()
    });
    json!({
        "attribute": confidence.attribute, "highest_confidence": confidence.highest_confidence,
        "homogeneous_groups": confidence.homogeneous_groups, "homogeneous_records": confidence.homogeneous_records, "values": values,
    })
}
