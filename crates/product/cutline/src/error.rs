//! What can go wrong in a release, and who is to blame.

mod blame;

use std::path::{Path, PathBuf};

use cutline_engine::{CHANGED, EngineError};
use cutline_model::recoding::{LabelError, RecodingError, RegionsError};
use cutline_model::{RequirementError, TaxonomyError};
use cutline_report::LooksLike;
use cutline_search::genetic::ParamsError;
use cutline_search::{SearchError, Stopped};
use cutline_settings::SettingError;
use cutline_table::{RecordNumber, TableError};
use cutline_verify::VerifyError;
use thiserror::Error;

/// An error of a release. Nothing was left at the destination.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// No masking satisfies the requirement.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A table that was to be published as it is, or after applying a recoding, does not satisfy the requirement.
    #[error("the requirement does not hold: {0}; nothing was published")]
    DoesNotHold(String),
    /// More records are in groups that are too small than may be suppressed.
    #[error("{suppressed} records are in groups that are too small, {limit} may be suppressed; nothing was published")]
    SuppressLimit {
        /// Records in groups that are too small.
        suppressed: u64,
        /// How many may be suppressed.
        limit: u64,
    },
    /// Whoever has an earlier release too would learn more of a few persons than k allows.
    #[error(
        "compared with the earlier release, {} in {} of {{{}}} would stand out: fewer than {k} appear or vanish there; nothing was published",
        counted(*records, "record"), counted(*groups, "group"), qid.join(", ")
    )]
    Comparable {
        /// The attributes of the QID.
        qid: Vec<String>,
        /// Its threshold.
        k: u64,
        /// Groups in which too few records differ.
        groups: u64,
        /// These records.
        records: u64,
    },
    /// Earlier releases tell more than the requirement allows, whatever else is published.
    #[error(
        "the earlier releases together tell {} in {} of {{{}}} apart that have fewer than {k} persons, the smallest {smallest}: no further \
         release can take that back",
        counted(*persons, "person"), counted(*groups, "group"), qid.join(", ")
    )]
    AlreadyTold {
        /// The attributes of the QID.
        qid: Vec<String>,
        /// Its threshold.
        k: u64,
        /// Trajectories that too few persons share.
        groups: u64,
        /// These persons.
        persons: u64,
        /// The fewest of one trajectory.
        smallest: u64,
    },
    /// After earlier releases, more records would stand out than may be held back.
    #[error(
        "after the earlier releases, {held_back} of {records} records would stand out however they are masked, {limit} may be held back; \
         nothing was published"
    )]
    HeldBack {
        /// Records that would stand out.
        held_back: u64,
        /// All records.
        records: u64,
        /// How many may be held back.
        limit: u64,
    },
    /// A search that must run to its end was stopped.
    #[error("the search was stopped ({0}) before the requirement held; nothing was published")]
    Unfinished(Stopped),

    /// A setting cannot be set to a value.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Settings of the genetic search make no sense.
    #[error(transparent)]
    Genetic(#[from] ParamsError),
    /// The requirement makes no sense.
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// The spec file cannot be read.
    #[error("{}: {message}", path.display())]
    Spec {
        /// The file.
        path: PathBuf,
        /// What the parser says, with line and column.
        message: String,
    },
    /// Something necessary is not said.
    #[error("{what}")]
    NotSaid {
        /// What is missing.
        what: String,
        /// How to say it.
        hint: &'static str,
    },
    /// Two things that were said contradict each other.
    #[error("{what}")]
    Contradiction {
        /// What contradicts what.
        what: String,
        /// How to resolve it.
        hint: String,
    },
    /// The table has no such column.
    #[error("the table has no column `{name}` ({named_by})")]
    UnknownColumn {
        /// The name.
        name: String,
        /// Who named it.
        named_by: String,
        /// The column that was probably meant.
        nearest: Option<String>,
        /// All columns, unless what is taken for their names may be the values of a record.
        columns: Vec<String>,
    },
    /// A taxonomy file cannot be used.
    #[error("taxonomy of `{attribute}`, {}: {source}", path.display())]
    Taxonomy {
        /// The attribute.
        attribute: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<TaxonomyError>,
    },
    /// A value that nothing was said about.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value is missing where none may be.
    #[error("attribute `{attribute}`, {record}: the value is missing")]
    MissingValue {
        /// The attribute.
        attribute: String,
        /// The first such record.
        record: RecordNumber,
    },
    /// There is a header, but no record.
    #[error("`{0}` has no records")]
    NoRecords(String),
    /// A stored recoding cannot be used.
    #[error("{}: {source}", path.display())]
    Recoding {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: RecodingError,
    },
    /// A stored report cannot be used.
    #[error("{}: {message}", path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A value may be below the cut of a private taxonomy, or not in it at all.
    #[error("attribute `{attribute}`: {error}")]
    BelowPrivateCut {
        /// The attribute.
        attribute: String,
        /// What is wrong with the value.
        error: LabelError,
    },
    /// A recoding is applied to a table with columns that its release did not have.
    #[error("the release did not have the columns {}, so they are not published unasked", named(.0))]
    FurtherColumns(Vec<String>),
    /// Columns that would be published as they are name persons.
    #[error("{}; nothing was published", identifiers(.0))]
    Identifiers(Vec<(String, LooksLike)>),
    /// A strict job, and something to warn of.
    #[error("{} in a strict release; nothing was published\n{}", counted(.0.len() as u64, "warning"), listed(.0))]
    Warned(Vec<String>),
    /// The destination is there already.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// The destination is there and is not ours to replace.
    #[error("`{}` exists and is not a release, so it is not replaced", .0.display())]
    NotOurs(PathBuf),
    /// There is no release.
    #[error("`{}` is no release", .0.display())]
    NoRelease(PathBuf),
    /// The source or the sink failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The table could not be read back.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The operating system refused.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// Whoever read the published table went away.
    #[error("the table was not read to its end")]
    CutOff,
    /// The input was not the same when it was read again.
    #[error("the input changed while it was read: {first} records first, {second} then")]
    Changed {
        /// Records of the first pass.
        first: u64,
        /// Records of the second pass.
        second: u64,
    },
    /// The written table violates the requirement, and the input is not what it was when it was counted.
    #[error("the input changed while it was read ({0}); nothing was published")]
    Replaced(String),
    /// The user stopped the work.
    #[error("interrupted; nothing was published")]
    Interrupted,

    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}; nothing was published")]
    NoRandom(String),
    /// The written table violates the requirement although the search said otherwise.
    #[error("the written table failed its verification ({0}); nothing was published")]
    Unverified(String),
    /// Something that nothing a user says can make happen.
    #[error("{0}; nothing was published")]
    Defect(String),
}

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Error::Setting(error) => return error.hint(),
            Error::Table(TableError::Value { error, attribute, .. })
            | Error::Engine(EngineError::Value { attribute, error }) => return label_hint(attribute, error),
            Error::Genetic(error) => error.hint().to_owned(),
            Error::NotSaid { hint, .. } => (*hint).to_owned(),
            Error::Contradiction { hint, .. } => hint.clone(),
            Error::UnknownColumn { nearest: Some(name), columns, .. } if !columns.is_empty() => {
                format!("did you mean `{name}`? The columns are: {}", columns.join(", "))
            }
            Error::UnknownColumn { columns, .. } if !columns.is_empty() => {
                format!("the columns are: {}", columns.join(", "))
            }
            Error::BelowPrivateCut { attribute, .. } => format!(
                "the taxonomy of `{attribute}` is private: the recoding tells nothing below the cut; give it again with \
                 ‹taxonomy {attribute}=FILE›"
            ),
            Error::FurtherColumns(names) => {
                let name = names.first().map_or("NAME", String::as_str);
                format!(
                    "publish them as they are with ‹keep {name}›, or leave them out with ‹drop {name}›; repeat for each"
                )
            }
            Error::Identifiers(found) => {
                let name = found.first().map_or("NAME", |(name, _)| &name[..]);
                format!(
                    "leave it out with ‹drop {name}›, or replace its values by random tokens with ‹tokenize {name}›; if it is meant to be \
                     published, say so with ‹keep {name}›"
                )
            }
            error => return error.usual_hint().map(str::to_owned),
        })
    }

    /// What can be done about errors that are alike wherever they happen.
    fn usual_hint(&self) -> Option<&str> {
        Some(match self {
            Error::Search(error) => search_hint(error)?,
            Error::Requirement(error) => requirement_hint(error)?,
            Error::Verify(VerifyError::AbsentValue { .. }) => ABSENT,
            Error::Unfinished(_) => {
                "bottom-up search is safe only at its end: give it more steps or time, or use ‹algorithm tdr›"
            }
            Error::SuppressLimit { .. } => {
                "the recoding fits another table; anonymize this one by itself, or ask less of a QID by saying it again with ‹qid›"
            }
            Error::Comparable { .. } => {
                "whoever has both tables sees these records by themselves; wait until more of them differ, or publish the same \
                 persons as before"
            }
            Error::AlreadyTold { .. } => {
                "ask for a k that the earlier releases allow, or leave out of ‹after› what its recipients cannot compare"
            }
            Error::HeldBack { .. } => {
                "fewer than k persons with the same history entered or left, or those who stayed break a condition; wait until there are more, \
                 ask for less, or let more be held back with ‹hold-back›"
            }
            Error::DoesNotHold(_) => {
                "anonymize the new table by itself, or say the QID again with the k that it must satisfy by ‹qid›"
            }
            Error::UnknownColumn { .. } => {
                "the first line may be a record, so its entries are not told; if there is no header line, say so with ‹no-header›"
            }
            Error::MissingValue { .. } => {
                "use ‹missing value› to keep such records, or ‹missing drop› to leave them out"
            }
            Error::NoRecords(_) => "there is a header line, but nothing below it; is this the right file?",
            Error::CutOff => "what was read is not the whole table; nothing else was published",
            Error::NoRelease(_) => "name the folder that ‹output› made, with its public part",
            Error::Exists(_) => "choose another name, or use ‹force› to replace it",
            Error::NotOurs(_) => {
                "only a folder that holds a release and nothing else is replaced; choose another name or remove it"
            }
            Error::Engine(error) => error.hint(),
            Error::Warned(_) => {
                "mask such a column by naming it in a QID, leave it out with ‹drop NAME›, or accept what is said of it with ‹keep NAME›"
            }
            Error::Changed { .. } | Error::Replaced(_) => CHANGED,
            Error::Unverified(_) | Error::Defect(_) => {
                "this is a defect of Cutline: please report it with the spec and the version"
            }
            _ => return None,
        })
    }
}

const ABSENT: &str = "look at how the value is spelled; a bound on a value that nobody has protects nobody";

fn search_hint(error: &SearchError) -> Option<&'static str> {
    match error {
        SearchError::TooFewRecords { .. } => Some("use a smaller k, or more records"),
        SearchError::TooFewPersons { .. } => Some("use a smaller k, or records of more persons"),
        SearchError::Condition(_) => {
            Some("all records together are the largest group there can be; ask for less than they have")
        }
        SearchError::History(_) => Some("use a smaller k or weaker conditions, or wait until more persons differ"),
        SearchError::Unprepared(_) => Some(ABSENT),
        SearchError::TooOpen { .. } => {
            Some("open less, use a smaller k, or allow more records to be suppressed with ‹suppress-limit›")
        }
        SearchError::Pin { .. } => Some(
            "name a node of the taxonomy, a bound or an interval as it is published, or a value; not both open and closed",
        ),
        _ => None,
    }
}

fn requirement_hint(error: &RequirementError) -> Option<&'static str> {
    match error {
        RequirementError::SensitiveInQid(_) => {
            Some("take it out of the QID, or take back the condition: what is masked shows no values")
        }
        RequirementError::NoQid => Some("say what an attacker may know, as in ‹qid age,sex,zip:10›"),
        _ => None,
    }
}

/// The text of a file that the user named.
pub fn read_text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), action: "read", source })
}

/// Why regions cannot be used. A recoding that was read has regions of its own attributes, unless they are withheld.
impl From<RegionsError> for Error {
    fn from(error: RegionsError) -> Self {
        match error {
            RegionsError::Withheld => Error::NotSaid {
                what: error.to_string(),
                hint: "give the `private/recoding.json` of the release; its public one has the labels of groups alone",
            },
            _ => Error::Defect(error.to_string()),
        }
    }
}

/// A number of things.
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// `name` looks like names of persons, `case` like numbers.
fn identifiers(found: &[(String, LooksLike)]) -> String {
    let each = found.iter().enumerate().map(|(index, (name, like))| {
        format!("`{name}`{} like {}", if index == 0 { " looks" } else { "" }, like.words())
    });
    format!(
        "{}, and would be published as {}",
        each.collect::<Vec<_>>().join(", "),
        if found.len() == 1 { "it is" } else { "they are" }
    )
}

/// One under the other.
fn listed(texts: &[String]) -> String {
    texts.iter().map(|text| format!("  {text}")).collect::<Vec<_>>().join("\n")
}

/// Names, each between its quotes.
fn named(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn label_hint(attribute: &str, error: &LabelError) -> Option<String> {
    Some(match error {
        LabelError::NotInTaxonomy { .. } => {
            "add the value to the taxonomy, declare it a null marker with ‹null›, or use ‹unknown root›".to_owned()
        }
        LabelError::InnerNode { .. } => "values of records must be leaves of the taxonomy".to_owned(),
        LabelError::NotANumber => {
            format!("use ‹categorical {attribute}›, or ‹null TEXT› if the text means a missing value")
        }
        LabelError::NotADate => {
            format!(
                "declare how dates are written with ‹date-format {attribute}=%d.%m.%Y›, or use ‹categorical {attribute}›"
            )
        }
        LabelError::BornLater => {
            format!("count ages at a later date with ‹age-at {attribute}=DATE›, or leave such records out")
        }
        LabelError::OutOfRange => format!("declare a wider range with ‹range {attribute}=LOW..HIGH›"),
    })
}
