//! Which records train, which test?

use std::fmt;

use cutline_measure::classify::{Classes, Fold, stratified_folds};
use cutline_model::Share;

use cutline::Error;

/// How records are divided into training and test parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// The first records train, the others test.
    TrainRecords(usize),
    /// A random share of the records tests, the others train.
    Holdout(Share),
    /// The same of records that tuning never looked at: which ones does not depend on what is left out.
    Apart(Share),
    /// Cross-validation: every record tests once, in one of so many folds, each with the classes in proportion.
    Folds(usize),
}

impl Split {
    /// The parts of a table. `strata` has the class of each record, or one class for all of them; `source` says which record of the table
    /// (from 1) each is.
    pub(super) fn folds(self, strata: &Classes, seed: u64, source: impl Fn(usize) -> u64) -> Result<Vec<Fold>, Error> {
        let records = strata.codes().len();
        match self {
            Split::TrainRecords(train) => checked((0..train.min(records)).collect(), (train..records).collect()),
            Split::Holdout(share) => held_out(share, records, |row| mixed(seed, row as u64)),
            Split::Apart(share) => held_out(share, records, |row| mixed(seed, source(row) - 1)),
            Split::Folds(folds) => stratified_folds(strata, folds, seed).map_err(|_| Error::Contradiction {
                what: format!("{records} records cannot be divided into {folds} folds"),
                hint: "use ‹folds› with a number from 2 to the number of records, 10 is usual".to_owned(),
            }),
        }
    }
}

/// The share of the records with the smallest numbers tests.
fn held_out(share: Share, records: usize, number: impl Fn(usize) -> u64) -> Result<Vec<Fold>, Error> {
    let mut rows: Vec<usize> = (0..records).collect();
    rows.sort_by_key(|&row| (number(row), row));
    let mut train = rows.split_off(share.of(records as u64) as usize);
    rows.sort_unstable();
    train.sort_unstable();
    checked(train, rows)
}

/// Is a record (from 1) surely none of those that a third held out tests with? Half of them are.
pub(crate) fn never_held_out(seed: u64, source: u64) -> bool {
    mixed(seed, source - 1) >> 63 == 1
}

fn checked(train: Vec<usize>, test: Vec<usize>) -> Result<Vec<Fold>, Error> {
    if train.is_empty() || test.is_empty() {
        let part = if train.is_empty() { "training" } else { "test" };
        return Err(Error::Contradiction {
            what: format!("of {} records none is left for the {part} part", train.len() + test.len()),
            hint: "divide them otherwise with ‹train-records›, ‹holdout› or ‹folds›".to_owned(),
        });
    }
    Ok(vec![Fold { train, test }])
}

/// A number for each record that looks random: the finalizer of SplitMix64.
fn mixed(seed: u64, record: u64) -> u64 {
    let mut z = seed.wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_add(record.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Split::TrainRecords(train) => write!(f, "the first {train} records train, the others test"),
            Split::Holdout(share) | Split::Apart(share) => {
                write!(f, "{:.1} % of the records test, drawn at random", 100.0 * share.get())
            }
            Split::Folds(folds) => write!(f, "cross-validation with {folds} folds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use cutline_measure::classify::InstancesBuilder;

    use super::*;

    fn strata(records: usize) -> Classes {
        InstancesBuilder::new().classes((0..records).map(|_| Some(""))).unwrap().labels().clone()
    }

    fn itself(row: usize) -> u64 {
        row as u64 + 1
    }

    #[test]
    fn the_first_records_train() {
        let folds = Split::TrainRecords(3).folds(&strata(5), 0, itself).unwrap();
        assert_eq!(folds, [Fold { train: vec![0, 1, 2], test: vec![3, 4] }]);
        for none in [0, 5, 6] {
            assert!(Split::TrainRecords(none).folds(&strata(5), 0, itself).is_err(), "{none}");
        }
    }

    #[test]
    fn a_share_is_held_out_by_the_seed() {
        let hold =
            |seed| Split::Holdout(Share::new(1.0 / 3.0).unwrap()).folds(&strata(300), seed, itself).unwrap().remove(0);
        assert_eq!((hold(1).train.len(), hold(1).test.len()), (200, 100));
        assert_eq!(hold(1), hold(1));
        assert_ne!(hold(1), hold(2));
        let apart = Split::Apart(Share::new(1.0 / 3.0).unwrap()).folds(&strata(300), 1, itself).unwrap().remove(0);
        assert_eq!(apart, hold(1));
        assert!(apart.test.iter().all(|&row| !never_held_out(1, itself(row))));
        assert!((0..300).filter(|&row| never_held_out(1, itself(row))).count() > 120);
        let mut all = [hold(1).train, hold(1).test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..300).collect::<Vec<_>>());
        let early = hold(7).test.iter().filter(|&&row| row < 150).count();
        assert!((30..=70).contains(&early), "{early} of 100 are from the first half");
    }

    #[test]
    fn folds_test_every_record_once() {
        let folds = Split::Folds(4).folds(&strata(10), 5, itself).unwrap();
        let mut tested: Vec<usize> = folds.into_iter().flat_map(|fold| fold.test).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..10).collect::<Vec<_>>());
        assert!(Split::Folds(1).folds(&strata(10), 5, itself).is_err());
    }
}
