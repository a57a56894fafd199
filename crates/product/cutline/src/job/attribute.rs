//! What is known of one attribute.

use std::path::Path;
use std::sync::Arc;

use cutline_model::{Axis, Classification, Identifier, Kind, Requirement, Role, Scale, Taxonomy};

use super::axis;
use crate::Error;
use crate::error::read_text;
use crate::spec::AttributeSpec;

/// What is known of one attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeJob {
    pub(crate) identifier: Option<Identifier>,
    pub(crate) kind: Option<Kind>,
    pub(crate) taxonomy: Option<Arc<Taxonomy>>,
    /// A classification whose tree follows from the codes of the table.
    pub(crate) coded: Option<&'static Classification>,
    /// Is what is below the cut of the taxonomy in no file of the release?
    pub(crate) private: bool,
    pub(crate) range: Option<(f64, f64)>,
    /// How values are numbers, and where they may be told apart, if that was said.
    pub(crate) axis: Option<Axis>,
    /// Is it meant to be published as it is?
    pub(crate) keep: bool,
    /// Is it told how surely groups tell its values?
    pub(crate) sensitive: bool,
    /// Where the line must be open, and where it must stay closed.
    pub(crate) open: Vec<String>,
    pub(crate) closed: Vec<String>,
}

impl AttributeJob {
    /// Checks what a spec says of an attribute and reads its taxonomy.
    pub(crate) fn new(name: &str, spec: &AttributeSpec, requirement: &Requirement) -> Result<Self, Error> {
        check(name, spec, requirement)?;
        let identifier = identifier(spec);
        let coded = spec.taxonomy.as_deref().map(coded).transpose()?.flatten();
        let file = spec.taxonomy.as_deref().filter(|_| coded.is_none());
        let taxonomy = file.map(|path| read_taxonomy(name, path).map(Arc::new)).transpose()?;
        // The codes of a table are values of records.
        let private = spec.private == Some(true) || coded.is_some();
        let (keep, sensitive) = (spec.keep == Some(true), spec.role == Some(Role::Sensitive));
        let axis = axis::of(name, spec)?;
        let (open, closed) = (spec.open.clone(), spec.closed.clone());
        let (kind, range) = (spec.kind, spec.range);
        Ok(AttributeJob { identifier, kind, taxonomy, coded, private, range, axis, keep, sensitive, open, closed })
    }
}

impl AttributeJob {
    /// How its dates are written, if they are moved.
    pub(crate) fn moved_dates(&self) -> Option<Scale> {
        let said = || self.axis.as_ref().map(|axis| axis.scale.clone());
        (self.identifier == Some(Identifier::Shift)).then(|| said().unwrap_or(Scale::dates()))
    }

    /// What says how the attribute is masked, if anything does.
    pub(crate) fn masking(&self) -> Option<&'static str> {
        let axis = || self.axis.as_ref().map(axis::said);
        let tree = self.taxonomy.as_ref().map(|_| "taxonomy").or(self.coded.map(|_| "taxonomy"));
        tree.or(self.range.map(|_| "range")).or_else(axis)
    }

    /// Numbers have no taxonomy.
    pub(crate) fn check_categorical(&self, name: &str) -> Result<(), Error> {
        check_taxonomy(name, self.kind, self.range)
    }
}

fn identifier(spec: &AttributeSpec) -> Option<Identifier> {
    spec.identifier.or((spec.role == Some(Role::Identifier)).then_some(Identifier::Drop))
}

/// Do two things that are said of the attribute contradict each other?
fn check(name: &str, spec: &AttributeSpec, requirement: &Requirement) -> Result<(), Error> {
    let quasi = requirement.attributes().contains(&name);
    let contradiction = |what: String, hint: &str| Err(Error::Contradiction { what, hint: hint.to_owned() });
    if quasi && spec.identifier == Some(Identifier::Shift) {
        return contradiction(
            format!("`{name}` is in a QID, but its dates are also to be moved"),
            "dates of a QID are masked along the calendar, which needs no shift; take back one of them",
        );
    }
    if quasi && identifier(spec).is_some() {
        return contradiction(
            format!("`{name}` is in a QID, but also an identifier that is dropped or tokenized"),
            "take it out of the QID: what is not published cannot be linked",
        );
    }
    check_published(name, spec, quasi)?;
    let pinned = !spec.open.is_empty() || !spec.closed.is_empty();
    if pinned && !quasi {
        return contradiction(
            format!("the line through `{name}` is pinned, but it is in no QID: it is not masked"),
            "take back what is pinned, or name it in a ‹qid›",
        );
    }
    if spec.taxonomy.is_some() {
        check_taxonomy(name, spec.kind, spec.range)?;
    }
    if spec.range.is_some() && spec.kind == Some(Kind::Categorical) {
        return contradiction(format!("`{name}` has a range, but is declared categorical"), "leave out one of them");
    }
    if let Some((lower, upper)) = spec.range
        && !(lower.is_finite() && upper.is_finite() && lower < upper)
    {
        return contradiction(
            format!("the range of `{name}` is empty"),
            "write ‹range NAME=LOW..HIGH› with LOW below HIGH",
        );
    }
    check_private(name, spec)
}

/// Only what is published as it is can be kept or watched.
fn check_published(name: &str, spec: &AttributeSpec, quasi: bool) -> Result<(), Error> {
    let (keep, sensitive) = (spec.keep == Some(true), spec.role == Some(Role::Sensitive));
    let instead = if quasi { "masked: it is in a QID" } else { "an identifier that is dropped, tokenized or shifted" };
    let hidden = quasi || identifier(spec).is_some();
    match (hidden, keep, sensitive) {
        (true, true, _) => Err(Error::Contradiction {
            what: format!("`{name}` is to be kept as it is, but also {instead}"),
            hint: format!("take back ‹keep {name}›, or the other"),
        }),
        (true, _, true) => Err(Error::Contradiction {
            what: format!("`{name}` is sensitive, but also {instead}"),
            hint:
                "what a group tells of an attribute can be watched if its values are published; take back one of them"
                    .to_owned(),
        }),
        _ => Ok(()),
    }
}

fn check_taxonomy(name: &str, kind: Option<Kind>, range: Option<(f64, f64)>) -> Result<(), Error> {
    if kind != Some(Kind::Continuous) && range.is_none() {
        return Ok(());
    }
    let (declared, hint) = match range {
        Some(_) => ("has a range", "give it a taxonomy or a range, not both"),
        None => ("is declared continuous", "take back ‹continuous›: numbers may be the leaves of a taxonomy"),
    };
    Err(Error::Contradiction { what: format!("`{name}` has a taxonomy, but {declared}"), hint: hint.to_owned() })
}

/// Without a taxonomy there is nothing to be private.
fn check_private(name: &str, spec: &AttributeSpec) -> Result<(), Error> {
    if spec.private != Some(true) || spec.taxonomy.is_some() {
        return Ok(());
    }
    Err(Error::Contradiction {
        what: format!("the taxonomy of `{name}` is to be private, but it has none"),
        hint: format!("give it one with ‹taxonomy {name}=FILE›, or leave out ‹private-taxonomy {name}›"),
    })
}

/// The classification that a path stands for, if its tree follows from the codes of a table.
pub(crate) fn coded(path: &Path) -> Result<Option<&'static Classification>, Error> {
    Ok(classification(path)?.filter(|classification| !classification.is_listed()))
}

/// The classification that a path stands for, as in `builtin:countries`.
fn classification(path: &Path) -> Result<Option<&'static Classification>, Error> {
    match path.to_str().and_then(Classification::of) {
        None => Ok(None),
        Some(Some(classification)) => Ok(Some(classification)),
        Some(None) => {
            let names: Vec<&str> = Classification::all().iter().map(|classification| classification.name).collect();
            Err(Error::Contradiction {
                what: format!("there is no `{}`", path.display()),
                hint: format!("`builtin:` is followed by one of {}", names.join(", ")),
            })
        }
    }
}

/// The taxonomy of an attribute from its file, or one that comes with the program.
///
/// # Errors
/// If it cannot be read, or follows from the codes of a table.
pub fn read_taxonomy(attribute: &str, path: &Path) -> Result<Taxonomy, Error> {
    let taxonomy = match classification(path)? {
        None => Taxonomy::parse(&read_text(path)?),
        Some(classification) if classification.is_listed() => classification.taxonomy([], &[]),
        Some(classification) => {
            return Err(Error::Contradiction {
                what: format!("the tree of `{}` follows from the codes of a table", path.display()),
                hint: format!("name it as the taxonomy of a column: {}", classification.example),
            });
        }
    };
    taxonomy.map_err(|source| Error::Taxonomy {
        attribute: attribute.to_owned(),
        path: path.to_owned(),
        source: Box::new(source),
    })
}
