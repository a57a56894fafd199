//! What a [`Suppressor`] finds, against a look at every group of records.

use std::collections::{BTreeMap, BTreeSet};

use cutline_model::Condition;

use super::*;
use crate::random::Random;
use crate::{AttributeId, Persons, TableCondition};

/// Rows of labels, their weights and sensitive values, and QIDs.
#[derive(Debug)]
struct Case {
    /// For each attribute, the label of each row.
    labels: Vec<Vec<u32>>,
    weights: Vec<u64>,
    /// Whose records are in each row, if groups count persons.
    people: Option<Vec<Vec<u32>>>,
    sensitive: Vec<Sensitive>,
    qids: Vec<TableQid>,
    how: SuppressHow,
}

const CONDITIONS: [&str; 9] = [
    "distinct-l:s=2",
    "entropy-l:s=1.5",
    "recursive-l:s=3,2",
    "alpha:s=0.7",
    "bound:s=10<=0.4",
    "t-close:s=0.3",
    "t-close-ordered:s=0.25",
    "t-close-ordered:s=0.1",
    "t-close:s=0.15",
];

fn sensitive(values: &[&str], codes: Vec<u32>) -> Sensitive {
    let values: Vec<Option<String>> = values.iter().map(|value| Some((*value).to_owned())).collect();
    Sensitive { name: "s".to_owned(), codes: Codes::from_codes(codes.into_iter(), values.len()), values }
}

fn condition(text: &str, at: usize, sensitive: &[Sensitive]) -> TableCondition {
    let condition: Condition = text.parse().unwrap();
    TableCondition { sensitive: at, check: condition.prepare(&sensitive[at].values).unwrap().into() }
}

impl Case {
    /// `conditions` is how many a QID has at most.
    fn new(random: &mut Random, conditions: u64) -> Self {
        let (rows, width) = (1 + random.below(30) as usize, 1 + random.below(3) as usize);
        let column = |random: &mut Random, distinct: u64| -> Vec<u32> {
            let distinct = 1 + random.below(distinct);
            (0..rows).map(|_| random.below(distinct) as u32).collect()
        };
        let labels: Vec<Vec<u32>> = (0..width).map(|_| column(random, 4)).collect();
        let sensitive = vec![
            sensitive(&["10", "100", "9", "x"], column(random, 4)),
            sensitive(&["1", "10", "2"], column(random, 3)),
        ];
        let qid = |random: &mut Random| {
            let chosen = 1 + random.below((1 << width) - 1);
            let attributes = (0..width).filter(|a| chosen >> a & 1 == 1).map(AttributeId).collect();
            let mut qid = TableQid::new(attributes, 1 + random.below(6));
            for _ in 0..random.below(conditions + 1) {
                let text = CONDITIONS[random.below(CONDITIONS.len() as u64) as usize];
                qid.conditions.push(condition(text, random.below(2) as usize, &sensitive));
            }
            qid
        };
        let qids = (0..=random.below(3)).map(|_| qid(random)).collect();
        let weights: Vec<u64> = (0..rows).map(|_| 1 + random.below(3)).collect();
        let all = 2 * rows as u64;
        let person = |random: &mut Random, &records: &u64| (0..records).map(|_| random.below(all) as u32).collect();
        let people = (random.below(2) == 0).then(|| weights.iter().map(|weight| person(random, weight)).collect());
        let how = if random.below(3) == 0 { SuppressHow::Drop } else { SuppressHow::Mask };
        Case { labels, weights, people, sensitive, qids, how }
    }

    fn run(&self) -> Judgement {
        let Case { weights, sensitive, qids, how, .. } = self;
        let groups: Vec<Numbering> = qids.iter().map(|qid| self.numbering(qid)).collect();
        let persons = self.people.as_ref().map(|people| {
            let pairs = |(row, own): (u32, &Vec<u32>)| own.iter().map(move |&person| (person, row)).collect::<Vec<_>>();
            Persons::new(weights.len(), &(0..).zip(people).flat_map(pairs).collect::<Vec<_>>())
        });
        let members = Members { weights, persons: persons.as_ref() };
        Suppressor { members, sensitive, qids, how: *how }.run(&groups)
    }

    fn numbering(&self, qid: &TableQid) -> Numbering {
        let mut groups = Numbering::new(self.weights.len());
        qid.attributes.iter().for_each(|a| groups.refine(self.labels[a.0].iter().copied(), 4));
        groups
    }

    /// Some rows by their labels.
    fn groups(&self, qid: &TableQid, rows: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            groups.entry(qid.attributes.iter().map(|a| self.labels[a.0][row]).collect()).or_default().push(row);
        }
        groups.into_values().collect()
    }

    fn counts(&self, sensitive: usize, rows: &[usize]) -> Vec<u64> {
        let Sensitive { values, codes, .. } = &self.sensitive[sensitive];
        let records = |value: usize| {
            rows.iter().filter(|&&row| codes.get(row) as usize == value).map(|&row| self.weights[row]).sum()
        };
        (0..values.len()).map(records).collect()
    }

    fn holds(&self, qid: &TableQid, group: &[usize], published: &[usize]) -> bool {
        let check = |condition: &TableCondition| {
            let (counts, whole) =
                (self.counts(condition.sensitive, group), self.counts(condition.sensitive, published));
            condition.check.holds(&Group { counts: &counts, whole: &whole })
        };
        self.members(group) >= qid.k && qid.conditions.iter().all(check)
    }

    fn members(&self, group: &[usize]) -> u64 {
        match &self.people {
            Some(people) => group.iter().flat_map(|&row| &people[row]).collect::<BTreeSet<_>>().len() as u64,
            None => group.iter().map(|&row| self.weights[row]).sum(),
        }
    }

    /// The published groups of every QID, that of suppressed records among them.
    fn check(&self, verdict: &Judgement) {
        let (gone, kept): (Vec<usize>, Vec<usize>) = (0..self.weights.len()).partition(|&row| verdict.rows[row]);
        let masked = verdict.how == SuppressHow::Mask && !gone.is_empty();
        let published: Vec<usize> = if masked { (0..self.weights.len()).collect() } else { kept.clone() };
        for qid in &self.qids {
            let groups = self.groups(qid, &kept).into_iter().chain(masked.then(|| gone.clone()));
            for group in groups {
                assert!(self.holds(qid, &group, &published), "{group:?} {verdict:?} {self:?}");
            }
        }
    }

    /// The rows of groups that violate the requirement before anything is suppressed.
    fn first_look(&self) -> Vec<bool> {
        let all: Vec<usize> = (0..self.weights.len()).collect();
        let mut violating = vec![false; all.len()];
        for qid in &self.qids {
            let groups = self.groups(qid, &all).into_iter().filter(|group| !self.holds(qid, group, &all));
            groups.flatten().for_each(|row| violating[row] = true);
        }
        violating
    }
}

/// The published table satisfies the requirement, and nobody is suppressed without a reason.
#[test]
fn what_is_published_satisfies_the_requirement() {
    let mut random = Random(7);
    let (mut masked, mut left_out, mut spread, mut none) = (0, 0, 0, 0);
    for _ in 0..6000 {
        let case = Case::new(&mut random, 2);
        let verdict = case.run();
        case.check(&verdict);
        let first = case.first_look();
        let some = verdict.rows.contains(&true);
        assert_eq!(some, first.contains(&true), "{case:?}");
        assert!(case.how == SuppressHow::Mask || verdict.how == SuppressHow::Drop);
        if case.qids.len() == 1 && verdict.how == SuppressHow::Mask {
            assert_eq!(verdict.rows, first, "{case:?}");
        }
        none += usize::from(!some);
        masked += usize::from(some && verdict.how == SuppressHow::Mask && verdict.rows.contains(&false));
        left_out += usize::from(verdict.how != case.how && verdict.rows.contains(&false));
        spread += usize::from(verdict.rows != first && verdict.rows.contains(&false));
    }
    assert!(none > 200 && masked > 200 && left_out > 200 && spread > 50, "{none} {masked} {left_out} {spread}");
}

/// Where groups only have to be large enough, who comes first does not matter.
#[test]
fn thresholds_do_not_depend_on_the_order_of_qids() {
    let mut random = Random(8);
    for _ in 0..2000 {
        let mut case = Case::new(&mut random, 0);
        let verdict = case.run();
        case.qids.reverse();
        let reversed = case.run();
        assert_eq!((&verdict.rows, verdict.how), (&reversed.rows, reversed.how), "{case:?}");
    }
}

/// A row goes if and only if one of its groups failed: whoever rewrites the records knows nothing else.
#[test]
fn suppressed_rows_are_those_of_failed_groups() {
    let mut random = Random(9);
    for _ in 0..2000 {
        let case = Case::new(&mut random, 2);
        let verdict = case.run();
        for row in 0..case.weights.len() {
            let failed = |(qid, failed): (&TableQid, &Vec<bool>)| failed[case.numbering(qid).of_row[row] as usize];
            assert_eq!(verdict.rows[row], case.qids.iter().zip(&verdict.failed).any(failed), "{case:?}");
        }
    }
}

/// One QID with one attribute: the labels and the sensitive values of records.
fn example(labels: &[u32], values: &[u32], k: u64, text: &str, how: SuppressHow) -> Judgement {
    let sensitive = vec![sensitive(&["a", "b", "c"], values.to_vec())];
    let conditions = vec![condition(text, 0, &sensitive)];
    let qids = vec![TableQid { conditions, ..TableQid::new(vec![AttributeId(0)], k) }];
    Case { labels: vec![labels.to_vec()], weights: vec![1; labels.len()], people: None, sensitive, qids, how }.run()
}

#[test]
fn a_homogeneous_group_goes_and_is_left_out() {
    let (labels, values) = ([0, 0, 1, 1, 1, 2, 2], [0, 1, 0, 0, 0, 1, 0]);
    let verdict = example(&labels, &values, 2, "distinct-l:s=2", SuppressHow::Mask);
    assert_eq!(verdict.rows, [false, false, true, true, true, false, false]);
    // Together they are as homogeneous as they were.
    assert_eq!((verdict.how, &verdict.failed[0][..]), (SuppressHow::Drop, &[false, true, false][..]));
}

#[test]
fn homogeneous_groups_may_be_diverse_together() {
    let verdict = example(&[0, 0, 1, 1, 2, 2], &[0, 1, 0, 0, 1, 1], 2, "distinct-l:s=2", SuppressHow::Mask);
    assert_eq!((verdict.how, &verdict.rows[..]), (SuppressHow::Mask, &[false, false, true, true, true, true][..]));
}

/// Without the records that are left out, the table is another one, from which other groups are too far.
#[test]
fn a_table_without_the_records_that_are_left_out_is_looked_at_again() {
    let labels = [vec![0; 8], vec![1; 4], vec![2; 2]].concat();
    let values = [vec![0; 4], vec![1; 4], vec![0, 0, 0, 1], vec![0; 2]].concat();
    let kept = |t: &str, how| {
        let verdict = example(&labels, &values, 3, &format!("t-close:s={t}"), how);
        assert_eq!(verdict.how, SuppressHow::Drop);
        verdict.rows.iter().filter(|row| !**row).count()
    };
    for how in [SuppressHow::Mask, SuppressHow::Drop] {
        // The share of a is 1/2, 3/4 and 1 in the groups, of which the last is too small. In the table it is 9/14, without the
        // last group 7/12: that is 1/6 less than in the second one.
        assert_eq!(kept("0.17", how), 12);
        assert_eq!(kept("0.15", how), 8);
    }
}
