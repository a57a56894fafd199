//! What do releases tell together that exist already?

use cutline_engine::{CompressPlan, Engine, Unwatched};
use cutline_model::conditions::Group;
use cutline_model::{Condition, Qid};
use cutline_report::{JointCondition, SeriesReport};
use cutline_table::{Numbering, RawTable};

use super::anonymity::{Trajectories, labels};
use super::earlier::told_as_is;
use super::promised::merged;
use super::published::{PersonKey, Published, everybody};
use super::sensed::Values;
use super::{After, earlier};
use crate::columns::{names_of, position};
use crate::{Error, Observer, Release, Table};

/// The true anonymity of several releases. `person` says whose record each is in the tables that they were made from, if those are given: then
/// it is also looked at whether the conditions that releases promised hold of those who share a trajectory.
///
/// # Errors
/// If nothing says who is who in them.
pub fn compare_releases(
    releases: &After,
    person: Option<&str>,
    qids: &[Qid],
    observer: &dyn Observer,
) -> Result<SeriesReport, Error> {
    if !releases.previous.is_empty() && person.is_none() {
        return Err(Error::NotSaid {
            what: "nothing says whose record each is in the tables that the releases were made from".to_owned(),
            hint: "name a column of them with ‹person›",
        });
    }
    let person = person.unwrap_or_default();
    let (key, published) = earlier::published(releases, (person, None), qids, observer)?;
    let compared = Compared { releases, published: &published, person, key };
    let conditions = if releases.previous.is_empty() { Vec::new() } else { compared.conditions()? };
    let folders: Vec<Option<String>> =
        releases.earlier.iter().map(|release| Some(release.folder().display().to_string())).collect();
    let trajectories = Trajectories::new(&published, qids);
    let together = trajectories.together().clone();
    Ok(SeriesReport { releases: trajectories.timeline(folders), held_back: 0, together, conditions })
}

/// Releases, what they told of whom, and the tables that they were made from.
struct Compared<'a> {
    releases: &'a After,
    published: &'a [Published],
    person: &'a str,
    key: PersonKey,
}

impl Compared<'_> {
    /// What became of every condition that a release promised: in each release that tells the values, of those who share a trajectory up to it.
    fn conditions(&self) -> Result<Vec<JointCondition>, Error> {
        let everybody = everybody(self.published);
        let mut found = Vec::new();
        let promised: Vec<Qid> = self.releases.earlier.iter().flat_map(Release::requirement).collect();
        for qid in merged(&promised).iter().filter(|qid| !qid.conditions.is_empty()) {
            let mut groups = Numbering::new(everybody.len());
            for (place, release) in self.published.iter().enumerate() {
                let (labels, distinct) = labels(release, qid);
                let group = |row: Option<u32>| row.map_or(0, |row| labels[row as usize]);
                groups.refine(release.persons.of(&everybody).map(group), distinct);
                for condition in &qid.conditions {
                    let counted = self.counted(place, condition.attribute(), (&everybody, &groups))?;
                    found.extend(counted.map(|counted| self.judged(place, qid, condition, &counted)));
                }
            }
        }
        Ok(found)
    }

    /// The published records of a release by trajectory and the values of an attribute; nothing if it does not tell these.
    fn counted(
        &self,
        place: usize,
        attribute: &str,
        (everybody, groups): (&[u128], &Numbering),
    ) -> Result<Option<Counted>, Error> {
        let (release, table) = (&self.releases.earlier[place], &self.releases.previous[place]);
        let name = attribute.to_owned();
        if !told_as_is(release, &[Qid::new(vec![name.clone()], 1)])?.contains(&name) {
            return Ok(None);
        }
        let raw = self.read(release, table, attribute)?;
        let Values { values, of_row } = Values::new(&raw.columns[1]);
        let mut counts = vec![Vec::new(); groups.len];
        let mut persons = 0;
        for (row, &records) in raw.weights.iter().enumerate() {
            let digest = raw.columns[0].text(row).map(|name| self.key.digest(name));
            let published = digest.filter(|&digest| self.published[place].persons.get(digest).is_some());
            let Some(who) = published.and_then(|digest| everybody.binary_search(&digest).ok()) else { continue };
            let own: &mut Vec<u64> = &mut counts[groups.of_row[who] as usize];
            own.resize(values.len(), 0);
            own[of_row[row] as usize] += records;
            persons += 1;
        }
        match persons < self.published[place].persons.len() {
            false => Ok(Some(Counted { values, counts })),
            true => Err(Error::Contradiction {
                what: format!("`{}` has persons who are not in its previous table", release.folder().display()),
                hint: "give one ‹previous› for each release, in the same order".to_owned(),
            }),
        }
    }

    /// A table by person and the values of an attribute.
    fn read(&self, release: &Release, table: &Table, attribute: &str) -> Result<RawTable, Error> {
        let names = names_of(table);
        let columns = [(self.person, "named as person"), (attribute, "named in a condition")];
        let columns = columns.iter().map(|(name, named_by)| position(&names, name, named_by));
        let nulls = release.recoding().null.clone();
        let plan = CompressPlan { columns: columns.collect::<Result<_, _>>()?, nulls, ..CompressPlan::default() };
        Ok(table.compress(&plan, &Unwatched)?.table)
    }

    fn judged(&self, place: usize, qid: &Qid, condition: &Condition, counted: &Counted) -> JointCondition {
        let Counted { values, counts } = counted;
        let present: Vec<&Vec<u64>> = counts.iter().filter(|own| !own.is_empty()).collect();
        let whole: Vec<u64> = (0..values.len()).map(|value| present.iter().map(|own| own[value]).sum()).collect();
        // What nobody has is no more than it may be.
        let check = condition.prepare(values).ok();
        let breaks =
            |own: &&&Vec<u64>| check.as_ref().is_some_and(|check| !check.holds(&Group { counts: own, whole: &whole }));
        JointCondition {
            condition: condition.to_string(),
            attributes: qid.attributes.clone(),
            folder: self.releases.earlier[place].folder().display().to_string(),
            trajectories: present.len() as u64,
            broken: present.iter().filter(breaks).count() as u64,
        }
    }
}

/// Records by trajectory and value.
struct Counted {
    values: Vec<Option<String>>,
    /// Nothing for trajectories that nobody has.
    counts: Vec<Vec<u64>>,
}
