//! Counting on every core: pieces of a table in, groups out.
//!
//! ```text
//!  a lock                         every thread
//!  Pieces::next ──► a piece ──►   Piece::count ──► its own tally ──► merged, two by two, when there are no more pieces
//! ```
//!
//! What a thread holds under the lock is the next piece of the file, unread; all else happens beside it.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use arrow_array::ArrayRef;

use super::cells;
use super::lookup::Lookup;
use crate::claim::{Grouping, Plan};
use crate::dictionary::{NULL, Refused};
use crate::groups::Groups;
use crate::tally::Tally;
use crate::{Options, VerifyError};

/// Records that are grouped at once: enough to keep a grouping's index in the cache, few enough to stay there themselves.
pub(super) const BATCH: usize = 2048;

/// More threads than any machine has.
const MOST_THREADS: usize = 1024;

/// A table as pieces, in the order of its records.
pub(super) trait Pieces: Send {
    /// The next piece, `None` behind the last one.
    fn next(&mut self) -> Result<Option<Box<dyn Piece>>, VerifyError>;
}

/// Some neighbouring records, still to be read.
pub(super) trait Piece: Send {
    /// Reads and counts the records. Of several errors the one about the earliest record is told.
    fn count(&self, counter: &mut Counter<'_>) -> Result<(), VerifyError>;
}

/// Counts a table on as many threads as the options say.
pub(super) fn count(
    plan: &Plan,
    options: &Options,
    pieces: &mut dyn Pieces,
    progress: &dyn Fn(u64),
) -> Result<Tally, VerifyError> {
    let queue = Mutex::new(Queue { pieces, taken: 0, failure: None });
    let shared = Shared { plan, queue, records: AtomicU64::new(0), tally: Mutex::new(None) };
    // The calling thread takes the first piece, so that it has something to tell of.
    let first = lock(&shared.queue).next();
    thread::scope(|scope| {
        for _ in 1..options.threads().min(MOST_THREADS) {
            // Where no more threads are to be had, fewer do the work.
            if thread::Builder::new().spawn_scoped(scope, || shared.work(None, &|_| ())).is_err() {
                break;
            }
        }
        shared.work(first, progress);
    });
    let Shared { queue, records, tally, .. } = shared;
    let failure = queue.into_inner().unwrap_or_else(PoisonError::into_inner).failure;
    if let Some((_, error)) = failure {
        return Err(error);
    }
    progress(records.into_inner());
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(tally.unwrap_or_else(|| Tally::new(plan)))
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a Plan,
    queue: Mutex<Queue<'a>>,
    records: AtomicU64,
    /// What threads that are done have counted.
    tally: Mutex<Option<Tally>>,
}

struct Queue<'a> {
    pieces: &'a mut dyn Pieces,
    taken: u64,
    /// The error of the earliest piece that has one, and the number of that piece.
    failure: Option<(u64, VerifyError)>,
}

impl Queue<'_> {
    /// The next piece and its number. After an error there are no more: all earlier pieces are taken already.
    fn next(&mut self) -> Option<(u64, Box<dyn Piece>)> {
        if self.failure.is_some() {
            return None;
        }
        self.taken += 1;
        match self.pieces.next() {
            Ok(piece) => piece.map(|piece| (self.taken, piece)),
            Err(error) => {
                self.fail(self.taken, error);
                None
            }
        }
    }

    fn fail(&mut self, number: u64, error: VerifyError) {
        if self.failure.as_ref().is_none_or(|(earliest, _)| number < *earliest) {
            self.failure = Some((number, error));
        }
    }
}

impl Shared<'_> {
    /// Counts pieces until there are none, then adds up with the threads that are done.
    fn work(&self, first: Option<(u64, Box<dyn Piece>)>, progress: &dyn Fn(u64)) {
        let counted = |records| progress(self.records.fetch_add(records, Ordering::Relaxed) + records);
        let mut counter = Counter::new(self.plan, &counted);
        let mut next = first.or_else(|| lock(&self.queue).next());
        while let Some((number, piece)) = next {
            if let Err(error) = piece.count(&mut counter) {
                lock(&self.queue).fail(number, error);
            }
            counter.end_piece(number);
            next = lock(&self.queue).next();
        }
        if let Err(error) = self.add_up(counter.tally) {
            lock(&self.queue).fail(u64::MAX, error);
        }
    }

    /// Takes what another thread has left and adds it, until nothing is left. Several threads do so side by side.
    fn add_up(&self, mut tally: Tally) -> Result<(), VerifyError> {
        loop {
            let mut left = lock(&self.tally);
            let Some(other) = left.take() else {
                *left = Some(tally);
                return Ok(());
            };
            drop(left);
            tally = tally.merge(other, self.plan)?;
        }
    }
}

/// A thread that panics ends the whole recount, so nobody sees what it has left behind.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread's counts.
pub(super) struct Counter<'a> {
    plan: &'a Plan,
    tally: Tally,
    /// For each grouping, what is known of its groups.
    lookups: Vec<Lookup>,
    /// The ids of records that are not yet grouped, for every claimed column.
    ids: Vec<Vec<u32>>,
    /// The groups that these records belong to.
    members: Vec<u32>,
    /// For each grouping, the groups of the records of this piece, if somebody needs them.
    piece: Vec<Vec<u32>>,
    /// Is told how many more records were grouped.
    counted: &'a dyn Fn(u64),
}

impl<'a> Counter<'a> {
    fn new(plan: &'a Plan, counted: &'a dyn Fn(u64)) -> Self {
        let ids = vec![Vec::new(); plan.columns.len()];
        let piece = vec![Vec::new(); plan.groupings.len()];
        let lookups = plan.groupings.iter().map(|_| Lookup::default()).collect();
        Counter { plan, tally: Tally::new(plan), lookups, ids, members: Vec::new(), piece, counted }
    }

    /// A piece was counted, the one with this number.
    fn end_piece(&mut self, number: u64) {
        if self.plan.in_order {
            self.tally.pieces.push((number, self.piece.iter_mut().map(std::mem::take).collect()));
        }
    }

    /// Counts one record by its claimed cells, which wait for [`Counter::flush`] or a full batch.
    pub(super) fn row<'c>(&mut self, cells: impl Iterator<Item = &'c [u8]>) -> Result<(), Refused> {
        for ((cell, dictionary), ids) in cells.zip(&mut self.tally.dictionaries).zip(&mut self.ids) {
            ids.push(dictionary.id(cell)?);
        }
        Ok(())
    }

    /// Whether so many rows wait that they should be grouped.
    pub(super) fn is_full(&self) -> bool {
        self.waiting() >= BATCH
    }

    /// Counts the claimed columns of some records, a batch at a time. `place` is where errors are.
    pub(super) fn columns(&mut self, place: &Path, columns: &[ArrayRef], records: usize) -> Result<(), VerifyError> {
        for start in (0..records).step_by(BATCH) {
            let each = columns.iter().zip(&mut self.tally.dictionaries).zip(&mut self.ids);
            for (((array, dictionary), ids), name) in each.zip(&self.plan.columns) {
                let array = array.slice(start, BATCH.min(records - start));
                cells::append_ids(&array, dictionary, ids).map_err(|refused| match refused {
                    Refused::Full => VerifyError::TooLarge { what: "values" },
                    Refused::NoText | Refused::NotUtf8 => {
                        VerifyError::UnsupportedValue { file: place.to_owned(), column: name.clone() }
                    }
                })?;
            }
            self.flush()?;
        }
        Ok(())
    }

    fn waiting(&self) -> usize {
        self.ids.first().map_or(0, Vec::len)
    }

    /// Groups the records that wait.
    pub(super) fn flush(&mut self) -> Result<(), VerifyError> {
        let records = self.waiting();
        for (index, Grouping { attributes, sensitive }) in self.plan.groupings.iter().enumerate() {
            let (groups, lookup) = (&mut self.tally.groups[index], &mut self.lookups[index]);
            let columns: Vec<&[u32]> = attributes.iter().map(|&column| &self.ids[column][..records]).collect();
            self.members.clear();
            match lookup.numbers(&columns, records) {
                Some(numbers) => {
                    for (record, number) in numbers.into_iter().enumerate() {
                        let group = match lookup.group(number) {
                            Some(group) => groups.add_to(group),
                            None => groups.add(&columns.iter().map(|ids| ids[record]).collect::<Vec<_>>(), 1)?,
                        };
                        lookup.learn(number, group);
                        self.members.push(group);
                    }
                }
                None => add_each(groups, &columns, &mut self.members)?,
            }
            if self.plan.in_order {
                self.piece[index].extend_from_slice(&self.members);
            }
            for (&column, pairs) in sensitive.iter().zip(&mut self.tally.pairs[index]) {
                for (&group, &id) in self.members.iter().zip(&self.ids[column]) {
                    pairs.add(&[group, id], 1)?;
                }
            }
        }
        self.ids.iter_mut().for_each(Vec::clear);
        (self.counted)(records as u64);
        Ok(())
    }
}

/// Counts records by the ids of some columns; the group of each is one more of the members.
fn add_each(groups: &mut Groups, columns: &[&[u32]], members: &mut Vec<u32>) -> Result<(), VerifyError> {
    let mut key: Vec<u32> = columns.iter().map(|ids| ids.first().copied().unwrap_or(NULL)).collect();
    // Of those that are masked to the top all cells are the same.
    let differs = |&(place, ids): &(usize, &&[u32])| ids.iter().any(|&id| id != key[place]);
    let differing: Vec<(usize, &&[u32])> = columns.iter().enumerate().filter(differs).collect();
    for record in 0..columns.first().map_or(0, |ids| ids.len()) {
        for &(place, ids) in &differing {
            key[place] = ids[record];
        }
        members.push(groups.add(&key, 1)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Ids of three columns: each has a base, and few or many ids from there on. With one of them the column is constant.
    fn batch() -> impl Strategy<Value = Vec<[u32; 3]>> {
        let column = || (0..5_u32, prop_oneof![3 => Just(1_u32), 3 => 2..4_u32, 1 => Just(400)]);
        let columns = [column(), column(), column()];
        (columns, vec(any::<[u16; 3]>(), 0..25)).prop_map(|(columns, cells)| {
            let id = |(cell, (base, different)): (u16, (u32, u32))| base + u32::from(cell) % different;
            cells.into_iter().map(|cells| [0, 1, 2].map(|place| id((cells[place], columns[place])))).collect()
        })
    }

    proptest! {
        /// Columns that are constant in one batch and not in the next, and ids that become too many for a table of all combinations.
        #[test]
        fn groups_are_those_of_the_definition_whatever_the_batches(batches in vec(batch(), 1..8)) {
            let columns: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
            let groupings = [vec![0, 1, 2], vec![2, 0]].map(|attributes| Grouping { attributes, sensitive: Vec::new() });
            let plan = Plan { columns, groupings: groupings.into(), in_order: true, ..Plan::default() };
            let mut counter = Counter::new(&plan, &|_| ());
            for batch in &batches {
                (0..3).for_each(|column| counter.ids[column].extend(batch.iter().map(|ids| ids[column])));
                counter.flush().unwrap();
            }
            for (index, Grouping { attributes, .. }) in plan.groupings.iter().enumerate() {
                let key = |ids: &[u32; 3]| attributes.iter().map(|&column| ids[column]).collect::<Vec<_>>();
                let records: Vec<Vec<u32>> = batches.iter().flatten().map(key).collect();
                let mut naive: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
                records.iter().for_each(|key| *naive.entry(key.clone()).or_default() += 1);
                let groups = &counter.tally.groups[index];
                let found = groups.counts().iter().enumerate().map(|(group, &count)| (groups.key(group).to_vec(), count));
                prop_assert_eq!(found.collect::<BTreeMap<_, _>>(), naive);
                let members = counter.piece[index].iter().map(|&group| groups.key(group as usize).to_vec());
                prop_assert_eq!(members.collect::<Vec<_>>(), records);
            }
        }
    }
}
