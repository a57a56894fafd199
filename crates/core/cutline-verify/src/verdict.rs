//! What the recount says.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::claim::{Grouping, Plan};
use crate::dictionary::Dictionary;
use crate::groups::Groups;
use crate::sensitive::Sensitive;
use crate::tally::Tally;
use crate::{
    Claim, Condition, ConditionFinding, Confidence, Options, PersonFinding, PopulationRisk, Risk, VerifyError,
};

/// What stands for a null in [`WorstGroup::values`], and for a missing value in
/// [`ValueConfidence::value`](crate::ValueConfidence::value).
pub const NULL_TEXT: &str = "(null)";

/// The recount of a table: one finding for every claim, in the order of the claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The number of records in the table.
    pub records: u64,
    /// What was found about each claim.
    pub findings: Vec<Finding>,
    /// The groups by the attributes of all claims together, if there are several and [`Options::union`] asks for it.
    pub union: Option<Union>,
}

/// What someone who knows the attributes of all claims together sees. No claim is about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Union {
    /// The attributes of all claims, each once.
    pub attributes: Vec<String>,
    /// (size, number of groups of this size), smallest size first.
    pub sizes: Vec<(u64, u64)>,
    /// The risk, with the largest k of the claims; that of persons, if those are counted.
    pub risk: Risk,
}

/// The recount of one claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The claim's attributes.
    pub attributes: Vec<String>,
    /// The claim's threshold.
    pub k: u64,
    /// The size of the smallest group; 0 if there are no records.
    pub anonymity: u64,
    /// The number of groups.
    pub groups: u64,
    /// The number of groups with fewer than k records.
    pub violating_groups: u64,
    /// The number of records in these groups.
    pub violating_records: u64,
    /// (size, number of groups of this size), smallest size first.
    pub sizes: Vec<(u64, u64)>,
    /// The smallest groups, smallest first; of equal ones those whose values come first.
    pub worst: Vec<WorstGroup>,
    /// What was found about each condition of the claim.
    pub conditions: Vec<ConditionFinding>,
    /// How surely the values of [`Options::sensitive`] can be inferred, in the same order.
    pub confidences: Vec<Confidence>,
    /// The groups in persons, if [`Options::persons`] asks for them. Everything else is about records.
    pub persons: Option<PersonFinding>,
    /// The risk in the population that the table was drawn from, if [`Options::population`] tells of one.
    pub population: Option<PopulationRisk>,
}

/// One of the smallest groups.
#[derive(Clone, PartialEq, Eq)]
pub struct WorstGroup {
    /// The number of its records.
    pub size: u64,
    /// Its values in the order of the claim's attributes, if [`Options::keep_values`] asks for them.
    pub values: Option<Vec<String>>,
}

/// Shows the size only: values of records do not belong in a log.
impl fmt::Debug for WorstGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorstGroup").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Finding {
    /// Whether the claim is true: there are records, no group has fewer than k of them (or of persons, if those are counted), and all
    /// groups satisfy all conditions.
    pub fn holds(&self) -> bool {
        let enough = |smallest: u64| smallest > 0 && smallest >= self.k;
        enough(self.anonymity)
            && self.persons.as_ref().is_none_or(|persons| enough(persons.smallest))
            && self.conditions.iter().all(ConditionFinding::holds)
    }

    /// The risk from someone who knows the claim's attributes; that of persons, if those are counted.
    pub fn risk(&self) -> Risk {
        self.persons.as_ref().map_or_else(|| Risk::new(&self.sizes, self.k), |persons| persons.risk.clone())
    }

    fn new(claim: &Claim, counted: &Counted<'_>, options: &Options) -> Result<Finding, VerifyError> {
        let sizes = counted.sizes();
        let violating = || sizes.iter().take_while(|(size, _)| *size < claim.k);
        // The plan has all sensitive attributes of conditions and options.
        let check = |condition: &Condition| condition.check(&counted.sensitive[condition.attribute()], options.absent);
        let confidence = |name: &String| Confidence::new(name, &counted.sensitive[name.as_str()], options.keep_values);
        Ok(Finding {
            attributes: claim.attributes.clone(),
            k: claim.k,
            anonymity: sizes.first().map_or(0, |(size, _)| *size),
            groups: counted.groups.counts().len() as u64,
            violating_groups: violating().map(|(_, groups)| groups).sum(),
            violating_records: violating().map(|(size, groups)| size * groups).sum(),
            worst: counted.worst(options),
            population: counted.population.clone(),
            persons: counted.persons.as_ref().map(|sizes| PersonFinding::new(sizes, counted.groups, claim.k)),
            conditions: claim.conditions.iter().map(check).collect::<Result<_, _>>()?,
            confidences: options.sensitive.iter().map(confidence).collect(),
            sizes,
        })
    }
}

impl Verdict {
    /// Whether all claims are true.
    pub fn holds(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::holds)
    }

    /// Are persons counted?
    pub fn counts_persons(&self) -> bool {
        self.findings.iter().any(|finding| finding.persons.is_some())
    }

    pub(crate) fn new(claims: &[Claim], plan: &Plan, tally: &Tally, options: &Options) -> Result<Verdict, VerifyError> {
        let counted = |index| Counted::new(index, plan, tally, options);
        let finding = |(index, claim)| Finding::new(claim, &counted(index)?, options);
        let findings = claims.iter().enumerate().map(finding).collect::<Result<_, _>>()?;
        let k = claims.iter().map(|claim| claim.k).max().unwrap_or(0);
        let union = |index: usize| {
            let names = plan.groupings[index].attributes.iter().map(|&column| plan.columns[column].clone());
            let counted = counted(index)?;
            let persons = counted.persons.as_ref().map(|persons| PersonFinding::new(persons, counted.groups, k).risk);
            let sizes = counted.sizes();
            Ok(Union { attributes: names.collect(), risk: persons.unwrap_or_else(|| Risk::new(&sizes, k)), sizes })
        };
        let union = plan.union.map(union).transpose()?;
        Ok(Verdict { records: tally.records(), findings, union })
    }
}

/// The groups of one claim, with the dictionaries of its attributes.
struct Counted<'a> {
    groups: &'a Groups,
    dictionaries: Vec<&'a Dictionary>,
    /// By attribute.
    sensitive: BTreeMap<&'a str, Sensitive<'a>>,
    /// The persons of each group, if they are counted.
    persons: Option<Vec<u64>>,
    population: Option<PopulationRisk>,
}

impl<'a> Counted<'a> {
    fn new(index: usize, plan: &'a Plan, tally: &'a Tally, options: &'a Options) -> Result<Self, VerifyError> {
        let Grouping { attributes, sensitive } = &plan.groupings[index];
        let values = |(&column, pairs): (&usize, &Groups)| {
            let values = Sensitive::new(&tally.dictionaries[column], pairs, &options.nulls, options.notation);
            (plan.columns[column].as_str(), values)
        };
        // Nothing is inferred about the names of persons.
        let sensitive = sensitive.iter().zip(&tally.pairs[index]).filter(|(column, _)| Some(**column) != plan.person);
        Ok(Counted {
            groups: &tally.groups[index],
            dictionaries: attributes.iter().map(|&column| &tally.dictionaries[column]).collect(),
            sensitive: sensitive.map(values).collect(),
            persons: tally.persons(index, plan, options)?,
            population: tally.population(index, plan, options)?,
        })
    }

    /// (size, number of groups of this size), smallest size first.
    fn sizes(&self) -> Vec<(u64, u64)> {
        let mut sizes = BTreeMap::new();
        for &size in self.groups.counts() {
            *sizes.entry(size).or_insert(0) += 1;
        }
        sizes.into_iter().collect()
    }

    fn worst(&self, options: &Options) -> Vec<WorstGroup> {
        let mut order: Vec<usize> = (0..self.groups.counts().len()).collect();
        let by_size_and_content = |&a: &usize, &b: &usize| {
            let counts = self.groups.counts();
            counts[a].cmp(&counts[b]).then_with(|| self.by_content(a, b))
        };
        if options.worst < order.len() {
            order.select_nth_unstable_by(options.worst, by_size_and_content);
            order.truncate(options.worst);
        }
        order.sort_unstable_by(by_size_and_content);
        order
            .into_iter()
            .map(|group| WorstGroup {
                size: self.groups.counts()[group],
                values: options.keep_values.then(|| self.values(group)),
            })
            .collect()
    }

    /// Texts in the order of the attributes, null before any text.
    fn by_content(&self, a: usize, b: usize) -> Ordering {
        self.texts(a).cmp(self.texts(b))
    }

    fn values(&self, group: usize) -> Vec<String> {
        self.texts(group).map(|text| text.unwrap_or(NULL_TEXT).to_owned()).collect()
    }

    fn texts(&self, group: usize) -> impl Iterator<Item = Option<&str>> {
        let ids = self.groups.key(group).iter();
        ids.zip(&self.dictionaries).map(|(&id, dictionary)| dictionary.text(id))
    }
}
