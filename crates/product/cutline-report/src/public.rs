//! What may be told of a release to everybody.
//!
//! [`PublicReport::new`] is the only way to make one. It is given what [`cutline_verify`] counted in the *published* table, the
//! recoding as it is stored, and those settings that a recipient may know. Nothing that was computed from raw values comes near it,
//! so two inputs that give the same table and recoding give the same public report, byte for byte, whatever they hide.

use cutline_model::recoding::{Local, Suppression};
use cutline_model::{AttributeRecoding, Recoding, Role};
use cutline_verify::{Risk, Verdict};
use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::report::{QidReport, RedundantReport};

/// Those settings of a release that a recipient may know. Paths, seeds, limits of time and the number of threads are not among them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PublicSpec {
    /// The version of Cutline that made the release.
    pub version: String,
    /// What the table is published for.
    pub purpose: String,
    /// The search algorithm.
    pub algorithm: String,
    /// The format of the table, which is the extension of its file.
    pub format: String,
    /// QIDs that were given, but follow from others.
    pub redundant: Vec<RedundantReport>,
    /// The published columns with what they are said to be.
    #[serde(skip)]
    pub columns: Vec<PublicColumn>,
    /// The column by which groups were counted in persons, if k counts those. It need not be published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The column of the raw clusters, if they are published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_column: Option<String>,
}

/// A published column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicColumn {
    /// Its name.
    pub name: String,
    /// What it is said to be: quasi attributes are masked, identifiers are tokens, everything else is published as it is.
    pub role: Role,
}

/// `public/report.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicReport {
    pub(crate) format: Cow<'static, str>,
    pub(crate) spec: PublicSpec,
    pub(crate) records: u64,
    pub(crate) qids: Vec<QidReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) union_risk: Option<Risk>,
    #[serde(default)]
    pub(crate) columns: Vec<PublicColumn>,
    pub(crate) attributes: Vec<PublicAttribute>,
    /// How the labels of groups lie to each other, if groups have labels of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) local: Option<Local>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) suppression: Option<Suppression>,
    pub(crate) notes: Vec<Cow<'static, str>>,
}

/// What is published of a quasi attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicAttribute {
    name: String,
    operation: Cow<'static, str>,
    /// The labels that a published record may have.
    labels: Vec<String>,
    /// Is nothing of it left?
    top: bool,
}

/// What a recipient and the publisher of another table should bear in mind.
pub(crate) const NOTES: [&str; 2] = [
    "Releases of tables that share persons can be compared: what differs between two of them may tell the records of a few. Before \
     publishing another table about some of the same persons, compare the two releases.",
    "Columns that are in no QID are published as they are, and the requirement says nothing about someone who knows them.",
];

impl PublicReport {
    /// The `format` entry of this version.
    pub const FORMAT: &'static str = "cutline-public-report/1";

    /// What is public of a release, and nothing else: what the verifier counted in the published table, the stored recoding and public settings.
    ///
    /// ```
    /// use cutline_report::{PublicReport, PublicSpec};
    /// use cutline_model::Recoding;
    /// use cutline_verify::Verdict;
    ///
    /// let recoding = Recoding::from_json(r#"{
    ///     "format": "cutline-recoding/1",
    ///     "attributes": { "sex": { "operation": "suppress", "disclosed": [] } },
    ///     "requirement": { "qids": [] }
    /// }"#)?;
    /// let verdict = Verdict { records: 34, findings: Vec::new(), union: None };
    /// let report = PublicReport::new(&verdict, &recoding, &PublicSpec::default());
    /// assert!(report.to_json().contains("\"records\": 34"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(verdict: &Verdict, recoding: &Recoding, spec: &PublicSpec) -> Self {
        // How many persons share something is told by no published table.
        let union = verdict.union.as_ref().filter(|_| !verdict.counts_persons());
        PublicReport {
            format: Self::FORMAT.into(),
            spec: spec.clone(),
            records: verdict.records,
            qids: verdict.findings.iter().map(QidReport::public).collect(),
            union_risk: union.map(|union| union.risk.clone()),
            columns: spec.columns.clone(),
            attributes: recoding.attributes.iter().zip(recoding.labels()).map(attribute).collect(),
            local: recoding.regions.as_ref().map(|regions| regions.local),
            suppression: recoding.suppression,
            notes: NOTES.map(Cow::from).to_vec(),
        }
    }

    /// Reads `public/report.json`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let report: PublicReport = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match report.format == Self::FORMAT {
            true => Ok(report),
            false => Err(format!("`{}` is another format than {}", report.format, Self::FORMAT)),
        }
    }

    /// The published columns with what they are said to be.
    pub fn columns(&self) -> &[PublicColumn] {
        &self.columns
    }

    /// The text of `public/report.json`.
    pub fn to_json(&self) -> String {
        crate::json(self)
    }
}

fn attribute(((name, recoding), labels): ((&String, &AttributeRecoding), Vec<String>)) -> PublicAttribute {
    PublicAttribute { name: name.clone(), operation: recoding.operation().into(), labels, top: recoding.is_top() }
}
