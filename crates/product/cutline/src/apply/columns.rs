//! Which columns of a table are published when a recoding is applied to it.

use cutline_engine::{OutputColumn, RewritePlan, Treatment};
use cutline_model::{Identifier, Requirement};
use indexmap::IndexMap;

use super::{Apply, Quasi};
use crate::columns::{position, published};
use crate::shuffle::order;
use crate::{Error, Note, Observer, Silent};

impl Apply {
    pub(super) fn plan(&self, names: &[String], quasi: &Quasi, observer: &dyn Observer) -> Result<RewritePlan, Error> {
        for name in self.identifiers.keys() {
            position(names, name, "named as identifier")?;
            if self.recoding.attributes.contains_key(name) {
                return Err(Error::Contradiction {
                    what: format!("`{name}` is masked by the recoding, but also to be dropped or tokenized"),
                    hint: "leave it to the recoding: what it masks is in no published record as it was".to_owned(),
                });
            }
        }
        let moved = |name: &&String| self.identifier(name) == Some(Identifier::Shift);
        if let Some(name) = names.iter().find(moved) {
            return Err(Error::Contradiction {
                what: format!("the release moved the dates of `{name}`, and a recoding alone cannot do that again"),
                hint: format!(
                    "leave the column out with ‹drop {name}›, or make a release of this table with ‹shift {name}›"
                ),
            });
        }
        let masked = |index: usize| quasi.sources.iter().position(|&source| source == index);
        let identifier = |index: usize| self.identifier(&names[index]);
        let columns = published(names.len(), masked, (identifier, |_, _| None), &self.tokens)?;
        Ok(RewritePlan {
            columns: self.known(names, columns, observer)?,
            mask: quasi.mask.clone(),
            nulls: self.recoding.null.clone(),
            required: self.required(names),
            order: order(self.shuffle.key()?.as_ref()),
            cluster: None,
            person: self.hidden_person(names)?,
        })
    }

    /// The names of the columns that are published, but not masked.
    pub(super) fn unmasked(&self, names: &[String]) -> Result<Vec<String>, Error> {
        let plan = self.plan(names, &Quasi::new(self, names)?, &Silent)?;
        let told = plan.columns.iter().filter(|column| !matches!(column.how, Treatment::Mask(_)));
        Ok(told.map(|column| names[column.source].clone()).collect())
    }

    /// The column that says which person a record is about, if groups count persons.
    pub(super) fn person(&self, names: &[String]) -> Result<Option<usize>, Error> {
        let person = self.recoding.requirement.person.as_ref();
        person.map(|name| position(names, name, "by which the recoding counts persons")).transpose()
    }

    /// The same, if it is not published.
    fn hidden_person(&self, names: &[String]) -> Result<Option<usize>, Error> {
        let hidden = |index: &usize| self.identifier(&names[*index]) == Some(Identifier::Drop);
        Ok(self.person(names)?.filter(hidden))
    }

    /// The identifiers that are named, and those of the release.
    pub(super) fn all_identifiers(&self) -> IndexMap<String, Identifier> {
        let named = self.identifiers.iter().map(|(name, how)| (name.clone(), *how));
        self.recoding.identifiers.iter().map(|(name, how)| (name.clone(), *how)).chain(named).collect()
    }

    /// What becomes of a column that is an identifier.
    pub(super) fn identifier(&self, name: &str) -> Option<Identifier> {
        self.identifiers.get(name).or_else(|| self.recoding.identifiers.get(name)).copied()
    }

    /// The columns that a record must have a value in. One that this table does not have is not asked for: no record could be published.
    pub(super) fn required(&self, names: &[String]) -> Vec<usize> {
        self.recoding.required.iter().filter_map(|name| names.iter().position(|other| other == name)).collect()
    }

    /// Of the columns of this table those that the release had or that were named: nobody looked at the others. A recoding that does
    /// not tell its release's columns publishes what it masks and what is named.
    fn known(
        &self,
        names: &[String],
        columns: Vec<OutputColumn>,
        observer: &dyn Observer,
    ) -> Result<Vec<OutputColumn>, Error> {
        self.check_kept(names, &columns)?;
        let had = self.recoding.columns.as_deref();
        // What was promised must be there to be recounted.
        let promised = Requirement::new(self.recoding.requirement.promised().collect())?;
        let recounted = [promised.attributes(), promised.sensitive()].concat();
        let known = |name: &String| {
            self.keep.contains(name) || had.is_some_and(|had| had.contains(name)) || recounted.contains(&name.as_str())
        };
        // To say that an attacker knows a column is not to say that everybody may.
        let asked = |name: &String| self.qids.iter().any(|qid| qid.attributes.contains(name));
        let (known, further): (Vec<_>, Vec<_>) =
            columns.into_iter().partition(|column| !is_kept(column) || known(&names[column.source]));
        let further: Vec<String> = further.into_iter().map(|column| names[column.source].clone()).collect();
        match (further.is_empty(), had) {
            (true, _) => Ok(known),
            (false, Some(_)) => Err(Error::FurtherColumns(further)),
            (false, None) if further.iter().any(asked) => Err(Error::FurtherColumns(further)),
            (false, None) => {
                observer.note(&Note::ColumnsLeftOut { columns: further });
                Ok(known)
            }
        }
    }

    /// Only what would be published as it is can be kept.
    fn check_kept(&self, names: &[String], columns: &[OutputColumn]) -> Result<(), Error> {
        for name in &self.keep {
            let index = position(names, name, "to be kept")?;
            if !columns.iter().any(|column| column.source == index && is_kept(column)) {
                return Err(Error::Contradiction {
                    what: format!("`{name}` cannot be kept as it is: it is masked or an identifier"),
                    hint: format!("take back ‹keep {name}›"),
                });
            }
        }
        Ok(())
    }
}

fn is_kept(column: &OutputColumn) -> bool {
    matches!(column.how, Treatment::Keep)
}
