//! The same recoding on another table.

use std::fs::File;
use std::path::Path;

use cutline_engine::source::Format;
use cutline_engine::{Engine, Output, RewritePlan, Treatment};
use cutline_model::recoding::{Labeler, Unknown};
use cutline_model::{Identifier, Qid, Recoding, Requirement};
use cutline_verify::Verdict;
use indexmap::IndexMap;

use crate::columns::{position, published};
use crate::error::read_text;
use crate::observer::Watching;
use crate::release::recount;
use crate::staging::{Product, Staging};
use crate::{Destination, Error, Observer, Stage};

/// A recoding to be applied.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The recoding.
    pub recoding: Recoding,
    /// What must hold in the table it is applied to, if not what held in the table it was made for.
    pub qids: Vec<Qid>,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
    /// Further identifiers.
    pub identifiers: IndexMap<String, Identifier>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What was recounted in the written table.
    pub verdict: Verdict,
}

impl Apply {
    /// A stored recoding, to be applied as it is.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let recoding =
            Recoding::from_json(&text).map_err(|source| Error::Recoding { path: path.to_owned(), source })?;
        Ok(Apply { recoding, qids: Vec::new(), unknown: Unknown::Error, identifiers: IndexMap::new() })
    }

    /// What the written table must satisfy: a recoding that fits one table may leave small groups in another.
    fn requirement(&self) -> Result<Requirement, Error> {
        let stored =
            || self.recoding.requirement.qids.iter().map(|qid| Qid { attributes: qid.attributes.clone(), k: qid.k });
        let qids = if self.qids.is_empty() { stored().collect() } else { self.qids.clone() };
        Ok(Requirement::new(qids)?)
    }

    fn plan(&self, names: &[String]) -> Result<RewritePlan, Error> {
        let mut labelers = IndexMap::new();
        for (name, attribute) in &self.recoding.attributes {
            let index = position(names, name, "masked by the recoding")?;
            labelers.insert(index, Treatment::Label(Box::new(Labeler::new(attribute, self.unknown))));
        }
        for name in self.identifiers.keys() {
            position(names, name, "named as identifier")?;
        }
        let identifier = |index: usize| {
            let name = &names[index];
            self.identifiers.get(name).or_else(|| self.recoding.identifiers.get(name)).copied()
        };
        let columns = published(names.len(), |index| labelers.get(&index).cloned(), identifier)?;
        Ok(RewritePlan { columns, nulls: self.recoding.null.clone(), required: Vec::new() })
    }
}

/// Applies a recoding to a table. The result is verified before it appears at the destination, as every table is.
pub fn apply(
    apply: &Apply,
    engine: &dyn Engine,
    format: Format,
    destination: &Destination,
    observer: &dyn Observer,
) -> Result<Applied, Error> {
    destination.check(Product::File)?;
    let requirement = apply.requirement()?;
    let names: Vec<String> = engine.schema().fields().iter().map(|field| field.name().clone()).collect();
    let plan = apply.plan(&names)?;
    let staging = Staging::new(destination, Product::File)?;
    let name = format!("table.{}", format.extension());
    let path = staging.path(&name);
    let file = File::create(&path).map_err(|source| Error::Io { path: path.clone(), action: "create", source })?;
    observer.stage(Stage::Write, Some(engine.bytes()));
    let written = engine.rewrite(&plan, Output { file, path: path.clone(), format }, &Watching(observer))?;
    let verdict = recount(&path, requirement.qids(), &written, format, observer)?;
    if let Some(finding) = verdict.findings.iter().find(|finding| !finding.holds()) {
        return Err(Error::DoesNotHold {
            qid: format!("{{{}}}", finding.attributes.join(", ")),
            anonymity: finding.anonymity,
            k: finding.k,
        });
    }
    if observer.cancelled() {
        return Err(Error::Interrupted);
    }
    staging.publish(&name)?;
    Ok(Applied { verdict })
}
