//! Counts that somebody else has taken, and the verdict on them.

use crate::claim::{Grouping, Plan};
use crate::tally::Tally;
use crate::{Claim, Options, Verdict, VerifyError};

/// What a table's records are counted by, and their counts: everything that a [`Verdict`] is made of.
///
/// Whoever has the records asks [`Counts::groupings`] what to count, counts with their own means (a GROUP BY), and tells the
/// counts. The same combination may be told several times: its records add up, so parts of a table can be counted one by one.
///
/// ```
/// use cutline_verify::{Claim, Counts, Options};
///
/// let claims = [Claim { conditions: vec!["alpha:diagnosis=0.5".parse()?], ..Claim::new(vec!["sex".into()], 3) }];
/// let options = Options::default();
/// let mut counts = Counts::new(&claims, &options)?;
/// assert_eq!(counts.groupings()[0].sensitive, ["diagnosis"]);
/// // SELECT sex, count(*) FROM t GROUP BY sex
/// counts.add_group(0, &[Some("F")], 4)?;
/// counts.add_group(0, &[None], 3)?;
/// // SELECT sex, diagnosis, count(*) FROM t GROUP BY sex, diagnosis
/// counts.add_sensitive((0, 0), &[Some("F")], Some("flu"), 2)?;
/// counts.add_sensitive((0, 0), &[Some("F")], Some("asthma"), 2)?;
/// counts.add_sensitive((0, 0), &[None], Some("flu"), 3)?;
/// let verdict = counts.verdict()?;
/// assert_eq!((verdict.records, verdict.findings[0].anonymity), (7, 3));
/// assert_eq!(verdict.findings[0].conditions[0].violating_groups, 1);
/// # Ok::<(), cutline_verify::VerifyError>(())
/// ```
pub struct Counts<'a> {
    claims: &'a [Claim],
    options: &'a Options,
    plan: Plan,
    tally: Tally,
}

/// Records are grouped by some columns; in each group the values of others are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupBy {
    /// The columns to group by.
    pub attributes: Vec<String>,
    /// The columns whose values are counted in each group, each of them by itself; perhaps none.
    pub sensitive: Vec<String>,
}

impl<'a> Counts<'a> {
    /// Nothing counted yet.
    ///
    /// # Errors
    ///
    /// Claims that say nothing, see [`Blame::Request`](crate::Blame::Request).
    pub fn new(claims: &'a [Claim], options: &'a Options) -> Result<Self, VerifyError> {
        let plan = Plan::new(claims, options)?;
        Ok(Counts { claims, options, tally: Tally::new(&plan), plan })
    }

    /// What has to be counted: the groups of every claim, in their order, and perhaps those by the attributes of all claims.
    pub fn groupings(&self) -> Vec<GroupBy> {
        let names = |columns: &[usize]| columns.iter().map(|&column| self.plan.columns[column].clone()).collect();
        let group_by = |grouping: &Grouping| GroupBy {
            attributes: names(&grouping.attributes),
            sensitive: names(&grouping.sensitive),
        };
        self.plan.groupings.iter().map(group_by).collect()
    }

    /// So many records have these values of the grouping's attributes; `None` is a null.
    ///
    /// # Errors
    ///
    /// [`VerifyError::BadCounts`] if there is no such grouping or it has another number of attributes, and
    /// [`VerifyError::TooLarge`].
    pub fn add_group(&mut self, grouping: usize, values: &[Option<&str>], records: u64) -> Result<(), VerifyError> {
        self.group(grouping, values, records).map(|_| ())
    }

    /// So many records of the group with these values have this value of a sensitive attribute. `at` has the numbers of the
    /// grouping and of the attribute in [`GroupBy::sensitive`], both from 0. The group is told by [`Counts::add_group`], too.
    ///
    /// # Errors
    ///
    /// As [`Counts::add_group`].
    pub fn add_sensitive(
        &mut self,
        at: (usize, usize),
        values: &[Option<&str>],
        value: Option<&str>,
        records: u64,
    ) -> Result<(), VerifyError> {
        let (grouping, sensitive) = at;
        let group = self.group(grouping, values, 0)?;
        let column = self.plan.groupings[grouping].sensitive.get(sensitive);
        let &column = column.ok_or(VerifyError::BadCounts { problem: "there is no such sensitive attribute" })?;
        let id = self.tally.id(column, value)?;
        self.tally.pairs[grouping][sensitive].add(&[group, id], records)?;
        Ok(())
    }

    /// Adds records to a group and says which it is.
    fn group(&mut self, grouping: usize, values: &[Option<&str>], records: u64) -> Result<u32, VerifyError> {
        let found = self.plan.groupings.get(grouping);
        let Some(Grouping { attributes, .. }) = found.filter(|found| found.attributes.len() == values.len()) else {
            return Err(VerifyError::BadCounts { problem: "there is no grouping by so many attributes" });
        };
        let ids = attributes.iter().zip(values).map(|(&column, value)| self.tally.id(column, *value));
        let key = ids.collect::<Result<Vec<u32>, _>>()?;
        self.tally.groups[grouping].add(&key, records)
    }

    /// What has to be counted, in the verifier's own terms.
    #[cfg(feature = "files")]
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The verdict on these counts in place of those that were told.
    #[cfg(feature = "files")]
    pub(crate) fn verdict_on(self, tally: Tally) -> Result<Verdict, VerifyError> {
        Counts { tally, ..self }.verdict()
    }

    /// The verdict on what was counted.
    ///
    /// # Errors
    ///
    /// [`VerifyError::BadCounts`] if the counts are not those of one table: each grouping must have the same number of
    /// records, and each group as many with a sensitive value (or none) as it has at all. [`VerifyError::AbsentValue`] if a
    /// condition is about a value that no record has.
    pub fn verdict(self) -> Result<Verdict, VerifyError> {
        self.check()?;
        Verdict::new(self.claims, &self.plan, &self.tally, self.options)
    }

    fn check(&self) -> Result<(), VerifyError> {
        let bad = |problem| Err(VerifyError::BadCounts { problem });
        let records = self.tally.records();
        for (groups, pairs) in self.tally.groups.iter().zip(&self.tally.pairs) {
            if groups.counts().contains(&0) {
                return bad("a group has sensitive values but no records");
            }
            if groups.counts().iter().sum::<u64>() != records {
                return bad("two groupings have different numbers of records");
            }
            for pairs in pairs {
                let mut left = groups.counts().to_vec();
                for (pair, count) in pairs.counts().iter().enumerate() {
                    let left = &mut left[pairs.key(pair)[0] as usize];
                    *left = left.wrapping_sub(*count);
                }
                if left.iter().any(|&left| left != 0) {
                    return bad("a group has another number of sensitive values than of records");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Vec<Claim> {
        let condition = "distinct-l:s=2".parse().unwrap();
        vec![
            Claim { conditions: vec![condition], ..Claim::new(vec!["a".into(), "b".into()], 2) },
            Claim::new(vec!["b".into()], 3),
        ]
    }

    fn problem(tell: impl Fn(&mut Counts<'_>) -> Result<(), VerifyError>) -> Option<&'static str> {
        let (claims, options) = (claims(), Options::default());
        let mut counts = Counts::new(&claims, &options).unwrap();
        match tell(&mut counts).and_then(|()| counts.verdict()) {
            Ok(_) => None,
            Err(VerifyError::BadCounts { problem }) => Some(problem),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn what_to_count_is_told_by_name() {
        let options = Options { union: true, sensitive: vec!["t".into()], ..Options::default() };
        let claims = claims();
        let counts = Counts::new(&claims, &options).unwrap();
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let group_by = |attributes, sensitive| GroupBy { attributes: names(attributes), sensitive: names(sensitive) };
        assert_eq!(counts.groupings(), [group_by(&["a", "b"], &["s", "t"]), group_by(&["b"], &["t"])]);
    }

    #[test]
    fn parts_of_a_table_add_up() {
        let (claims, options) = (claims(), Options { keep_values: true, ..Options::default() });
        let mut counts = Counts::new(&claims, &options).unwrap();
        for part in [1, 2] {
            counts.add_group(0, &[Some("x"), None], part).unwrap();
            counts.add_group(1, &[None], part).unwrap();
            counts.add_sensitive((0, 0), &[Some("x"), None], Some(["flu", "hiv"][part as usize - 1]), part).unwrap();
        }
        let verdict = counts.verdict().unwrap();
        assert!(verdict.holds());
        assert_eq!((verdict.records, verdict.findings[0].sizes.as_slice()), (3, &[(3, 1)][..]));
        assert_eq!(verdict.findings[0].worst[0].values.as_deref(), Some(&["x".into(), crate::NULL_TEXT.into()][..]));
        assert_eq!(verdict.findings[0].conditions[0].worst, Some(2.0));
    }

    #[test]
    fn counts_that_are_not_of_one_table_are_refused() {
        let group = [Some("x"), Some("y")];
        assert_eq!(problem(|_| Ok(())), None, "no records, and no violation");
        assert_eq!(
            problem(|counts| counts.add_group(0, &group, 2)),
            Some("a group has another number of sensitive values than of records")
        );
        assert_eq!(
            problem(|counts| counts.add_sensitive((0, 0), &group, None, 2)),
            Some("a group has sensitive values but no records")
        );
        assert_eq!(
            problem(|counts| counts.add_group(1, &[None], 2)),
            Some("two groupings have different numbers of records")
        );
        let one = problem(|counts| counts.add_group(0, &[None], 2));
        assert_eq!(one, Some("there is no grouping by so many attributes"));
        assert_eq!(problem(|counts| counts.add_group(2, &[None], 2)), one);
        assert_eq!(
            problem(|counts| counts.add_sensitive((1, 0), &[None], None, 2)),
            Some("there is no such sensitive attribute")
        );
    }
}
