//! Which column of the table is what.

use std::collections::BTreeSet;

use cutline_engine::{CellKind, Column, Engine, OutputColumn, Shift, Treatment, look_like_values};
use cutline_model::{Identifier, Role, Scale};
use cutline_report::{PublicColumn, Published};

use indexmap::IndexMap;

use crate::job::Job;
use crate::note::comparable;
use crate::screen::names_persons;
use crate::spec::IfMissing;
use crate::{After, Error, Tokens, nearest};

/// The columns of a job's table by role, as positions in its schema.
#[derive(Clone, Debug)]
pub struct Columns {
    /// All names, in the order of the table.
    pub names: Vec<String>,
    /// The union of the QIDs, in the order of the table.
    pub quasi: Vec<usize>,
    /// What is to be predicted.
    pub target: Option<usize>,
    /// What clusters are made of, in the order of the table.
    pub(crate) clustered: Vec<usize>,
    /// Further targets.
    further: Vec<usize>,
    /// What conditions look at, in the order of the requirement.
    sensitive: Vec<usize>,
    /// What conditions of earlier releases look at beyond that, as far as it is published as it is.
    promised: Vec<usize>,
    /// Those that are said to be sensitive, conditions or not.
    watched: Vec<usize>,
    /// Those that are meant to be published as they are, whatever they look like.
    kept: Vec<usize>,
    identifiers: Vec<(usize, Identifier)>,
    /// Those whose dates are moved, and how they are written.
    moved: Vec<(usize, Scale)>,
    /// The one that says which person a record is about, if groups count persons.
    person: Option<usize>,
    /// The one of survey weights.
    weight: Option<usize>,
    /// Those that the table itself says to be names.
    categories: Vec<usize>,
}

impl Columns {
    /// Finds everything that the job names.
    pub fn resolve(job: &Job, table: &[Column]) -> Result<Self, Error> {
        let names: Vec<String> = table.iter().map(|column| column.name.clone()).collect();
        let is_header = job.requirement.attributes().into_iter().any(|name| names.iter().any(|other| other == name));
        let position = if is_header { known_position } else { position };
        let find = |name: &str, named_by: &str| position(&names, name, named_by);
        let mut quasi = Vec::new();
        for name in job.requirement.attributes() {
            quasi.push(find(name, "named in a QID")?);
        }
        quasi.sort_unstable();
        let target = job.purpose.target().map(|name| find(name, "named as target")).transpose()?;
        let further = job.targets.further.iter().map(|further| find(&further.target, "named as further target"));
        let further = further.collect::<Result<Vec<_>, _>>()?;
        let sensitive = job.requirement.sensitive().into_iter().map(|name| find(name, "named in a condition"));
        let sensitive = sensitive.collect::<Result<Vec<_>, _>>()?;
        let (mut identifiers, mut watched, mut kept, mut moved) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (name, attribute) in &job.attributes {
            let index = find(name, "named as an attribute")?;
            watched.extend(attribute.sensitive.then_some(index));
            kept.extend(attribute.keep.then_some(index));
            identifiers.extend(attribute.identifier.map(|identifier| (index, identifier)));
            moved.extend(attribute.moved_dates().map(|dates| (index, dates)));
        }
        let person = job.person.as_ref().map(|name| find(name, "named as person")).transpose()?;
        let weight = job.weight.as_ref().map(|name| find(name, "named as weight")).transpose()?;
        if let Some(index) = person.filter(|index| quasi.contains(index)) {
            return Err(Error::Contradiction {
                what: format!("`{}` says whose record each is, and is in a QID", names[index]),
                hint: "an attacker who knows it needs nothing else; take it out of the QID".to_owned(),
            });
        }
        let told = |index: &usize| kept.contains(index) || identifiers.iter().any(|(other, _)| other == index);
        let hidden = person.filter(|index| !told(index));
        identifiers.extend(hidden.map(|index| (index, Identifier::Drop)));
        if let Some(&index) = sensitive.iter().find(|&index| identifiers.iter().any(|(other, _)| other == index)) {
            return Err(Error::Contradiction {
                what: format!("the sensitive attribute `{}` is also an identifier", names[index]),
                hint: "what is not published needs no condition; take one of them out".to_owned(),
            });
        }
        let targets = || target.into_iter().chain(further.iter().copied());
        if let Some(target) = targets().find(|target| identifiers.iter().any(|(index, _)| index == target)) {
            return Err(Error::Contradiction {
                what: format!("the target `{}` is also an identifier", names[target]),
                hint: "a target must be published to be predicted".to_owned(),
            });
        }
        let clustered = Vec::new();
        let categories = (0..table.len()).filter(|&index| table[index].cells == CellKind::Category).collect();
        let mut columns = Columns {
            names,
            quasi,
            target,
            clustered,
            further,
            sensitive,
            promised: Vec::new(),
            watched,
            kept,
            identifiers,
            moved,
            person,
            weight,
            categories,
        };
        columns.clustered = columns.find_clustered(job, table)?;
        columns.promised = columns.find_promised(job);
        Ok(columns)
    }

    /// The columns that conditions of earlier releases are about, and none of this one.
    fn find_promised(&self, job: &Job) -> Vec<usize> {
        let names = job.after.iter().flat_map(After::sensitive).collect::<BTreeSet<String>>();
        let told = |index: &usize| self.treatment(*index) == Some(Published::AsIs) && !self.sensitive.contains(index);
        (0..self.names.len()).filter(|&index| names.contains(&self.names[index])).filter(told).collect()
    }

    /// The columns that clusters are made of: those that are named, or all published ones that are no identifiers.
    fn find_clustered(&self, job: &Job, table: &[Column]) -> Result<Vec<usize>, Error> {
        let Some(clustering) = &job.clustering else { return Ok(Vec::new()) };
        let contradiction = |what: String, hint: &str| Err(Error::Contradiction { what, hint: hint.to_owned() });
        let find = |name: &String| known_position(&self.names, name, "named as an attribute of clusters");
        let on = clustering.on.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let not_on = clustering.not_on.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let identifier = |index: &usize| self.identifiers.iter().any(|(other, _)| other == index);
        if let Some(&index) = on.iter().find(|index| identifier(index)) {
            let what = format!("`{}` is an identifier, so no clusters can be made of it", self.names[index]);
            return contradiction(what, "a recipient does not see its values; leave it out of ‹cluster-on›");
        }
        if let Some(name) = clustering.label_name.as_ref().filter(|name| self.names.contains(name)) {
            let what = format!("the table has a column `{name}` already, so the labels need another name");
            return contradiction(what, "choose a name with ‹label-name›");
        }
        let usual = |index: &usize| {
            let nested = table[*index].cells == CellKind::Nested;
            !nested && !identifier(index) && !not_on.contains(index) && (on.is_empty() || on.contains(index))
        };
        let clustered: Vec<usize> = (0..self.names.len()).filter(usual).collect();
        if clustered.is_empty() {
            return contradiction(
                "there is no attribute to make clusters of".to_owned(),
                "name some with ‹cluster-on›",
            );
        }
        Ok(clustered)
    }

    /// The columns to group by: the quasi attributes, then the label, then further targets, then sensitive attributes, then the person and
    /// the weight.
    pub fn grouped(&self) -> Vec<usize> {
        let labels = self.target.iter().chain(&self.further).copied().chain(self.sensed());
        self.quasi.iter().copied().chain(labels).chain(self.person).chain(self.weight).collect()
    }

    /// What conditions look at: those of the requirement, then those that earlier releases promised.
    pub(crate) fn sensed(&self) -> impl Iterator<Item = usize> {
        self.sensitive.iter().chain(&self.promised).copied()
    }

    /// The names of these.
    pub(crate) fn sensed_names(&self) -> Vec<String> {
        self.sensed().map(|index| self.names[index].clone()).collect()
    }

    /// The column that says which person a record is about, if groups count persons.
    pub fn person(&self) -> Option<usize> {
        self.person
    }

    /// The column that says which person a record is about, if it is not published.
    pub(crate) fn hidden_person(&self) -> Option<usize> {
        self.person.filter(|&index| self.treatment(index).is_none())
    }

    /// The columns that a record must have a value in to be published.
    pub fn required(&self, job: &Job) -> Vec<usize> {
        let dropped = |index: &usize| self.identifiers.contains(&(*index, Identifier::Drop));
        let mut required = match job.missing {
            IfMissing::Value | IfMissing::Error => Vec::new(),
            // What somebody else once asked for decides of no record.
            IfMissing::Drop => self.grouped().into_iter().filter(|index| !self.promised.contains(index)).collect(),
            IfMissing::Complete => (0..self.names.len()).filter(|index| !dropped(index)).collect(),
        };
        let others = job.among.iter().flat_map(|among| &among.required);
        let others = others.filter_map(|name| self.names.iter().position(|own| own == name));
        let others: Vec<usize> = others.filter(|index| !required.contains(index)).collect();
        required.extend(others);
        required
    }

    /// The columns whose values must not follow from the positions of records, and what they are.
    pub(crate) fn positions_tell(&self, table: &[Column]) -> Vec<(usize, Role)> {
        let identifiers = self.identifiers.iter().map(|&(index, _)| (index, Role::Identifier));
        let quasi = self.quasi.iter().map(|&index| (index, Role::Quasi));
        let sensitive = self.watched().into_iter().map(|index| (index, Role::Sensitive));
        comparable(identifiers.chain(quasi).chain(sensitive), table)
    }

    /// The identifiers that have values: each stands for a person, unless its values repeat. A column may be dropped for other reasons;
    /// then its name does not say that it is about persons.
    pub(crate) fn persons(&self, table: &[Column]) -> Vec<usize> {
        let person =
            |(index, how): &&(usize, Identifier)| *how == Identifier::Tokenize || names_persons(&self.names[*index]);
        let indexes = self.identifiers.iter().filter(person).map(|&(index, _)| index);
        indexes.filter(|&index| table[index].has_values() && self.person != Some(index)).collect()
    }

    /// What conditions are about.
    pub(crate) fn conditional(&self) -> &[usize] {
        &self.sensitive
    }

    /// What conditions are about, and what is said to be sensitive.
    fn watched(&self) -> Vec<usize> {
        let further = self.watched.iter().filter(|index| !self.sensitive.contains(index));
        self.sensitive.iter().chain(further).copied().collect()
    }

    /// The attributes of whose values it is told how surely groups tell them.
    pub(crate) fn sensitive_names(&self) -> Vec<String> {
        self.watched().into_iter().map(|index| self.names[index].clone()).collect()
    }

    /// What a column is, by what was said.
    pub(crate) fn role(&self, index: usize) -> Role {
        match index {
            _ if self.quasi.contains(&index) => Role::Quasi,
            _ if self.identifiers.iter().any(|(other, _)| *other == index) => Role::Identifier,
            _ if self.target == Some(index) || self.further.contains(&index) => Role::Target,
            _ if self.watched().contains(&index) => Role::Sensitive,
            _ => Role::Other,
        }
    }

    /// What is published of a column; nothing if it is left out.
    pub(crate) fn treatment(&self, index: usize) -> Option<Published> {
        let identifier = self.identifiers.iter().find(|(other, _)| *other == index).map(|(_, how)| how);
        match (self.quasi.contains(&index), identifier) {
            (true, _) => Some(Published::Masked),
            (false, Some(Identifier::Drop)) => None,
            (false, Some(Identifier::Tokenize)) => Some(Published::Tokens),
            (false, Some(Identifier::Shift)) => Some(Published::Shifted),
            (false, None) => Some(Published::AsIs),
        }
    }

    /// The published columns with what was said of them.
    pub(crate) fn roles(&self) -> Vec<PublicColumn> {
        let published = self.published_names();
        let named = self.names.iter().enumerate().filter(|(_, name)| published.contains(name));
        named.map(|(index, name)| PublicColumn { name: name.clone(), role: self.role(index) }).collect()
    }

    /// Does the table itself say that a column has names, whatever they look like?
    pub(crate) fn is_category(&self, index: usize) -> bool {
        self.categories.contains(&index)
    }

    /// Is it meant to be published as it is?
    pub(crate) fn is_kept(&self, index: usize) -> bool {
        self.kept.contains(&index)
    }

    /// The identifiers by name.
    pub fn identifiers(&self) -> IndexMap<String, Identifier> {
        self.identifiers.iter().map(|&(index, identifier)| (self.names[index].clone(), identifier)).collect()
    }

    /// The names of the columns that are published, but not masked.
    pub(crate) fn unmasked(&self) -> Vec<String> {
        let told = |index: &usize| matches!(self.treatment(*index), Some(Published::AsIs | Published::Tokens));
        (0..self.names.len()).filter(told).map(|index| self.names[index].clone()).collect()
    }

    /// The names of the published columns: all but dropped identifiers.
    pub(crate) fn published_names(&self) -> Vec<String> {
        let dropped =
            |index: usize| self.identifiers.contains(&(index, Identifier::Drop)) && !self.quasi.contains(&index);
        let names = self.names.iter().enumerate().filter(|(index, _)| !dropped(*index));
        names.map(|(_, name)| name.clone()).collect()
    }

    /// The published columns: the quasi attributes are masked in the order of the table.
    pub(crate) fn published(&self, tokens: &Tokens) -> Result<Vec<OutputColumn>, Error> {
        let masked = |index: usize| self.quasi.binary_search(&index).ok();
        let identifier = |index: usize| self.identifiers.iter().find(|(other, _)| *other == index).map(|&(_, how)| how);
        let shift = |index: usize, key: [u8; 16]| {
            let (_, dates) = self.moved.iter().find(|(other, _)| *other == index)?;
            Some(Shift { key, person: self.person?, dates: dates.clone() })
        };
        published(self.names.len(), masked, (identifier, shift), tokens)
    }

    /// Are the dates of some column moved?
    pub(crate) fn moves_dates(&self) -> bool {
        !self.moved.is_empty()
    }
}

/// The published columns of a table: masked ones, identifiers as tokens or not at all, moved dates if it is known by what, and the rest as it
/// is.
pub(crate) fn published(
    columns: usize,
    masked: impl Fn(usize) -> Option<usize>,
    (identifier, shift): (impl Fn(usize) -> Option<Identifier>, impl Fn(usize, [u8; 16]) -> Option<Shift>),
    tokens: &Tokens,
) -> Result<Vec<OutputColumn>, Error> {
    let key = tokens.key()?;
    let how = |index: usize| match (masked(index), identifier(index)) {
        (Some(attribute), _) => Some(Treatment::Mask(attribute)),
        (None, Some(Identifier::Drop)) => None,
        (None, Some(Identifier::Tokenize)) => Some(Treatment::Tokenize(key)),
        (None, Some(Identifier::Shift)) => shift(index, key).map(Treatment::Shift),
        (None, None) => Some(Treatment::Keep),
    };
    Ok((0..columns).filter_map(|source| how(source).map(|how| OutputColumn { source, how })).collect())
}

/// A key from the operating system.
pub(crate) fn random_key() -> Result<[u8; 16], Error> {
    let mut key = [0; 16];
    getrandom::fill(&mut key).map_err(|error| Error::NoRandom(error.to_string()))?;
    Ok(key)
}

/// The position of a column, or an error that helps to find the right name.
///
/// What is taken for names may be the values of a first record: they are told only if one of them is spelled nearly as the name is.
pub fn position(names: &[String], name: &str, named_by: &str) -> Result<usize, Error> {
    let is_header = !look_like_values(names) && nearest::is_misspelled(name, names);
    position_in(names, if is_header { names } else { &[] }, name, named_by)
}

/// The same, where it is known that the names are no values: others that were asked for are among them.
pub fn known_position(names: &[String], name: &str, named_by: &str) -> Result<usize, Error> {
    position_in(names, names, name, named_by)
}

fn position_in(names: &[String], told: &[String], name: &str, named_by: &str) -> Result<usize, Error> {
    names.iter().position(|other| other == name).ok_or_else(|| Error::UnknownColumn {
        name: name.to_owned(),
        named_by: named_by.to_owned(),
        nearest: nearest::nearest(name, told),
        columns: told.to_vec(),
    })
}

/// The position of a column in a table.
pub fn find_column(table: &dyn Engine, name: &str) -> Result<usize, Error> {
    position(&names_of(table), name, "asked for")
}

/// The names of all columns.
pub fn names_of(table: &dyn Engine) -> Vec<String> {
    table.columns().iter().map(|column| column.name.clone()).collect()
}
