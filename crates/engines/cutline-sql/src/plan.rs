//! What is to be written, checked once.

use cutline_model::recoding::{Labeler, SuppressHow, Unknown};
use cutline_model::{AttributeRecoding, Identifier, Qid, Recoding, Requirement, Share};

use crate::suppress::Suppress;
use crate::{Dialect, Form, SqlError, TableName};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose SQL.
    pub dialect: Dialect,
    /// What the statements make.
    pub form: Form,
    /// The table to mask.
    pub table: TableName,
    /// What to make of it; for labels, the schema of the masking functions.
    pub into: TableName,
    /// Columns to publish beside those that are masked or looked at by conditions. Those that are masked may be among them: then they
    /// are published in this order.
    pub columns: Vec<String>,
    /// For a merge: the column that tells which record is which.
    pub key: Option<String>,
    /// What to do with values that a taxonomy does not contain.
    pub unknown: Unknown,
    /// What must hold beside what was promised of the table that the recoding was made for; a QID of it that is said again has another
    /// threshold.
    pub qids: Vec<Qid>,
}

impl Request {
    /// The masked columns alone, beside the table.
    pub fn new(dialect: Dialect, form: Form, table: TableName) -> Self {
        let into = form.usual_name(&table);
        let (columns, key, unknown, qids) = (Vec::new(), None, Unknown::Error, Vec::new());
        Request { dialect, form, table, into, columns, key, unknown, qids }
    }
}

/// A request that makes sense for its recoding.
pub(crate) struct Plan<'a> {
    pub(crate) recoding: &'a Recoding,
    pub(crate) request: &'a Request,
    pub(crate) requirement: Requirement,
    /// The published columns in order.
    pub(crate) columns: Vec<Column<'a>>,
    pub(crate) suppress: Option<Suppress<'a>>,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
}

/// A published column.
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) masked: Option<Masked<'a>>,
}

/// How a column is masked.
pub(crate) struct Masked<'a> {
    pub(crate) recoding: &'a AttributeRecoding,
    pub(crate) labeler: Labeler,
    pub(crate) unknown: Unknown,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(recoding: &'a Recoding, request: &'a Request) -> Result<Self, SqlError> {
        if request.form == Form::Labels && request.dialect != Dialect::Postgres {
            return Err(SqlError::NoSuchForm { form: request.form, dialect: request.dialect });
        }
        if recoding.regions.is_some() {
            return Err(SqlError::Regions);
        }
        if request.form == Form::Labels && !recoding.required.is_empty() {
            return Err(SqlError::Required);
        }
        if let Some(person) = &recoding.requirement.person {
            return Err(SqlError::Persons(person.clone()));
        }
        let requirement = requirement(recoding, request)?;
        let columns = columns(recoding, request)?;
        for qid in requirement.qids() {
            let needed = qid.attributes.iter().map(String::as_str).chain(qid.conditions.iter().map(|c| c.attribute()));
            let lacking = needed.into_iter().find(|name| !columns.iter().any(|column| column.name == *name));
            if let Some(column) = lacking {
                let (qid, column) = (qid.attributes.join(", "), column.to_owned());
                return Err(SqlError::NotPublished { qid, column });
            }
        }
        let suppress = suppress(recoding, request, &requirement)?;
        Ok(Plan { recoding, request, requirement, suppress, notes: notes(recoding, request, &columns), columns })
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.request.dialect
    }

    /// The masked columns.
    pub(crate) fn masked(&self) -> impl Iterator<Item = (&'a str, &Masked<'a>)> {
        self.columns.iter().filter_map(|column| Some((column.name, column.masked.as_ref()?)))
    }
}

fn requirement(recoding: &Recoding, request: &Request) -> Result<Requirement, SqlError> {
    Ok(Requirement::new(recoding.requirement.asked_of(&request.qids))?)
}

/// The masked columns and those that conditions look at, unless they are among those that are named; then those.
fn columns<'a>(recoding: &'a Recoding, request: &'a Request) -> Result<Vec<Column<'a>>, SqlError> {
    let named = || request.columns.iter().map(String::as_str);
    let conditions = recoding.requirement.qids.iter().chain([]).flat_map(|qid| &qid.conditions);
    let conditions = conditions.chain(request.qids.iter().flat_map(|qid| &qid.conditions));
    let mut names: Vec<&str> = request.key.iter().map(String::as_str).collect();
    let implied =
        recoding.attributes.keys().map(String::as_str).chain(conditions.map(|condition| condition.attribute()));
    for name in implied {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.retain(|name| !named().any(|other| other == *name));
    names.extend(named());
    names.into_iter().map(|name| column(recoding, request, name)).collect()
}

fn column<'a>(recoding: &'a Recoding, request: &Request, name: &'a str) -> Result<Column<'a>, SqlError> {
    if request.columns.iter().filter(|other| *other == name).count() > 1 {
        return Err(SqlError::Twice(name.to_owned()));
    }
    if name.to_lowercase().starts_with("cutline_") {
        return Err(SqlError::Reserved(name.to_owned()));
    }
    let masked = recoding.attributes.get(name).map(|attribute| masked(recoding, request, name, attribute));
    match (&masked, recoding.identifiers.get(name)) {
        (None, Some(Identifier::Drop)) => Err(SqlError::Dropped(name.to_owned())),
        (None, Some(Identifier::Tokenize)) => Err(SqlError::Tokenized(name.to_owned())),
        (None, Some(Identifier::Shift)) => Err(SqlError::Shifted(name.to_owned())),
        _ => Ok(Column { name, masked }),
    }
}

fn masked<'a>(recoding: &Recoding, request: &Request, name: &str, attribute: &'a AttributeRecoding) -> Masked<'a> {
    let unknown = recoding.unknown_of(name, request.unknown);
    Masked { recoding: attribute, labeler: Labeler::new(attribute, unknown), unknown }
}

/// How a statement finds the records that are suppressed. Of several QIDs it cannot: a record that leaves a group of one may leave too
/// few in a group of another, and so on.
fn suppress<'a>(
    recoding: &'a Recoding,
    request: &Request,
    requirement: &Requirement,
) -> Result<Option<Suppress<'a>>, SqlError> {
    let Some(suppression) = recoding.suppression.filter(|suppression| suppression.limit > Share::NONE) else {
        return Ok(None);
    };
    let refuse = |why| Err(SqlError::Suppression(why));
    // A QID with columns that the recoding does not mask is only recounted.
    let name = |name: &String| recoding.attributes.get_key_value(name).map(|(name, _)| name.as_str());
    let masked = |qid: &Qid| Some((qid.attributes.iter().map(name).collect::<Option<Vec<_>>>()?, qid.clone()));
    let mut qids: Vec<_> = requirement.qids().iter().filter_map(masked).collect();
    match (qids.pop(), qids.is_empty()) {
        (None, _) => Ok(None),
        (Some(_), false) => refuse("with several QIDs no single statement finds them"),
        (Some((_, qid)), true) if !qid.conditions.is_empty() => {
            refuse("with conditions on sensitive values no single statement finds them")
        }
        (Some(_), true) if request.form == Form::Labels => refuse("a rule for one column does not know the others"),
        (Some((attributes, qid)), true) => Ok(Some(Suppress {
            attributes,
            k: qid.k,
            limit: suppression.limit,
            mask: suppression.how == SuppressHow::Mask,
        })),
    }
}

fn notes(recoding: &Recoding, request: &Request, columns: &[Column<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    let published = |name: &str| columns.iter().any(|column| column.name == name);
    for (name, how) in &recoding.identifiers {
        if *how == Identifier::Tokenize && !published(name) {
            notes.push(format!("the identifier `{name}` is left out: statements make no tokens"));
        }
    }
    for (name, _) in recoding.attributes.iter().filter(|(name, _)| recoding.has_private_taxonomy(name)) {
        notes.push(format!(
            "only labels of `{name}` are known, because its taxonomy is private: give it with ‹taxonomy›"
        ));
    }
    if request.dialect == Dialect::Snowflake {
        notes.push("names are written with quotes, so capitals must be as they are in the server".to_owned());
    }
    if request.form == Form::View {
        notes.push("a view changes with its table: run the verification again when the table has changed".to_owned());
    }
    if matches!(request.form, Form::Table | Form::Merge) {
        notes.push(
            "rows lie in the order in which they are written, and readers may see it: if that of the table tells something, sort them by \
             chance"
                .to_owned(),
        );
    }
    notes
}
