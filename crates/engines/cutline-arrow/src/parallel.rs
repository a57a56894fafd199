//! How do all cores work on one stream of items while its order is kept?
//!
//! ```text
//!                  ┌─ worker: next item, work ─┐
//!  items ─(mutex)──┼─ worker: next item, work ─┼─(channel)──► put in order ──► consume
//!                  └─ worker: next item, work ─┘              (the calling thread)
//!      ▲                                                                       │
//!      └───────────── gate: at most 2·threads+2 items in between ◄─────────────┘
//! ```
//!
//! Results of an item wait until it is its turn, however many they are: an item should not be larger than what may be held of each that is in between.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::error::FileError;

/// Runs `work` on `threads` threads over the items and hands the results to `consume` in the order of the items.
///
/// Workers take the next item one at a time, so an iterator that reads a file overlaps with the work on what it has read.
/// At most `2 * threads + 2` items are between the iterator and the end of `consume`, so memory is bounded.
///
/// With one thread everything runs on the calling thread.
///
/// # Errors
/// The first error in the order of the items: what a loop over the items would have returned. No further item is taken once
/// an error is known.
///
/// # Panics
/// A panic of `items`, `work` or `consume` stops all workers and goes on in the caller.
pub(crate) fn ordered<I: Send, R: Send>(
    threads: usize,
    items: impl Iterator<Item = Result<I, FileError>> + Send,
    work: impl Fn(I) -> Result<R, FileError> + Sync,
    consume: impl FnMut(R) -> Result<(), FileError>,
) -> Result<(), FileError> {
    streamed(threads, items, |item, hand_on| hand_on(work(item)?), consume)
}

/// What a piece of work hands on of an item. An error if nobody wants it any more.
pub(crate) type HandOn<'h, R> = dyn FnMut(R) -> Result<(), FileError> + 'h;

/// The same for work that makes several results of an item: `consume` gets each as soon as it is its turn, and not only when all are there.
pub(crate) fn streamed<I: Send, R: Send>(
    threads: usize,
    items: impl Iterator<Item = Result<I, FileError>> + Send,
    work: impl Fn(I, &mut HandOn<'_, R>) -> Result<(), FileError> + Sync,
    mut consume: impl FnMut(R) -> Result<(), FileError>,
) -> Result<(), FileError> {
    keep_freed_memory();
    if threads <= 1 {
        for item in items {
            work(item?, &mut consume)?;
        }
        return Ok(());
    }
    let items = Items::new(items);
    let gate = Gate::new(2 * threads + 2);
    thread::scope(|scope| {
        // Dropped before the scope waits for its threads, also when `consume` panics.
        let stop = StopOnDrop(&gate);
        let (sender, results) = mpsc::channel();
        let start = |_| {
            let sender = sender.clone();
            thread::Builder::new().spawn_scoped(scope, || run_worker(&items, &gate, &work, sender)).ok()
        };
        // Where no more threads are to be had, fewer do the work; without any, the calling one does.
        let workers: Vec<_> = (0..threads).map_while(start).collect();
        drop(sender);
        if workers.is_empty() {
            return std::iter::from_fn(|| items.next()).try_for_each(|(_, item)| work(item?, &mut consume));
        }
        let outcome = consume_in_order(results, &gate, consume);
        drop(stop);
        for worker in workers {
            if let Err(panic) = worker.join() {
                resume_unwind(panic);
            }
        }
        outcome
    })
}

/// Makes the allocator of GNU systems keep what is freed for the next item.
///
/// Every item allocates and frees some megabytes. By default that allocator hands them back to the
/// system at once, and page faults then take a third of the time of a pass. Its limit adapts: it
/// grows to twice the largest block that was ever freed. So we free one, which was never touched.
/// Elsewhere this does nothing.
fn keep_freed_memory() {
    const USUAL_BYTES: usize = 24 << 20;
    drop(black_box(Vec::<u8>::with_capacity(USUAL_BYTES)));
}

/// What a worker says of an item.
enum Said<R> {
    Result(R),
    End,
}

type Saying<R> = (usize, Result<Said<R>, FileError>);

fn run_worker<I, R>(
    items: &Items<impl Iterator<Item = Result<I, FileError>>>,
    gate: &Gate,
    work: &impl Fn(I, &mut HandOn<'_, R>) -> Result<(), FileError>,
    results: Sender<Saying<R>>,
) {
    // Whatever ends a worker ends them all: the items, an error, the consumer, a panic.
    let _stop = StopOnDrop(gate);
    while gate.enter() {
        let Some((index, item)) = items.next() else { return };
        let hand_on = &mut |result| {
            // Who takes the results takes no more after an error, which is the one that counts.
            results.send((index, Ok(Said::Result(result)))).map_err(|_| FileError::Interrupted)
        };
        let outcome = item.and_then(|item| work(item, hand_on)).map(|()| Said::End);
        let failed = outcome.is_err();
        if results.send((index, outcome)).is_err() || failed {
            return;
        }
    }
}

fn consume_in_order<R>(
    results: Receiver<Saying<R>>,
    gate: &Gate,
    mut consume: impl FnMut(R) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut early: BTreeMap<usize, Vec<Result<Said<R>, FileError>>> = BTreeMap::new();
    let mut next = 0;
    for (index, said) in results {
        early.entry(index).or_default().push(said);
        while let Some(sayings) = early.remove(&next) {
            let mut is_over = false;
            for said in sayings {
                match said? {
                    Said::Result(result) => consume(result)?,
                    Said::End => is_over = true,
                }
            }
            if !is_over {
                break;
            }
            gate.leave();
            next += 1;
        }
    }
    Ok(())
}

/// The items with their numbers; ends for good at the end, at an error or at a panic of the iterator.
struct Items<It> {
    rest: Mutex<(usize, Option<It>)>,
}

impl<I, It: Iterator<Item = Result<I, FileError>>> Items<It> {
    fn new(items: It) -> Self {
        Self { rest: Mutex::new((0, Some(items))) }
    }

    fn next(&self) -> Option<(usize, Result<I, FileError>)> {
        let mut rest = self.rest.lock().ok()?;
        let (index, items) = &mut *rest;
        let item = items.as_mut()?.next();
        if !matches!(item, Some(Ok(_))) {
            *items = None;
        }
        let number = *index;
        *index += 1;
        item.map(|item| (number, item))
    }
}

/// Lets at most `limit` items be under way.
struct Gate {
    limit: usize,
    state: Mutex<GateState>,
    changed: Condvar,
}

struct GateState {
    under_way: usize,
    stopped: bool,
}

impl Gate {
    fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::new(GateState { under_way: 0, stopped: false }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        // No code panics while it holds the lock, so a poisoned state is still a good one.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place; false if there is nothing more to do.
    fn enter(&self) -> bool {
        let mut state = self.state();
        while !state.stopped && state.under_way >= self.limit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.under_way += 1;
        !state.stopped
    }

    fn leave(&self) {
        self.state().under_way -= 1;
        self.changed.notify_one();
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }
}

struct StopOnDrop<'a>(&'a Gate);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn numbers(n: usize) -> impl Iterator<Item = Result<usize, FileError>> + Send {
        (0..n).map(Ok)
    }

    fn failed(line: usize) -> FileError {
        FileError::NotUtf8 { path: "x".into(), line: line as u64, byte: 1 }
    }

    fn line_of(error: FileError) -> u64 {
        match error {
            FileError::NotUtf8 { line, .. } => line,
            other => panic!("unexpected error {other}"),
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 3, 8] {
            let mut seen = Vec::new();
            let work = |i: usize| {
                thread::sleep(Duration::from_micros((i * 37 % 11) as u64 * 20));
                Ok(i * 2)
            };
            ordered(threads, numbers(200), work, |r| {
                seen.push(r);
                Ok(())
            })
            .unwrap();
            assert_eq!(seen, (0..200).map(|i| i * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn several_results_of_an_item_come_in_order_and_before_the_item_is_done() {
        for threads in [1, 2, 3, 8] {
            let (mut seen, done) = (Vec::new(), AtomicUsize::new(0));
            let early = AtomicUsize::new(0);
            let work = |i: usize, hand_on: &mut HandOn<'_, (usize, usize)>| {
                for part in 0..i % 4 {
                    hand_on((i, part))?;
                    let waited = (0..300_000).find(|_| {
                        thread::sleep(Duration::from_micros(if i == 3 && part == 0 { 100 } else { 0 }));
                        i != 3 || early.load(Ordering::SeqCst) > 0
                    });
                    assert!(waited.is_some(), "what is handed on is taken before the rest is there");
                }
                done.fetch_add(1, Ordering::SeqCst);
                Ok(())
            };
            streamed(threads, numbers(100), work, |result| {
                early.fetch_add(usize::from(result.0 == 3), Ordering::SeqCst);
                seen.push(result);
                Ok(())
            })
            .unwrap();
            let expected: Vec<(usize, usize)> = (0..100).flat_map(|i| (0..i % 4).map(move |part| (i, part))).collect();
            assert_eq!((seen, done.into_inner()), (expected, 100));
        }
    }

    #[test]
    fn what_an_item_gave_before_its_error_is_taken() {
        for threads in [1, 2, 8] {
            let work = |i: usize, hand_on: &mut HandOn<'_, usize>| {
                hand_on(i)?;
                if i == 20 { Err(failed(i)) } else { Ok(()) }
            };
            let mut taken = 0;
            let error = streamed(threads, numbers(1000), work, |_| {
                taken += 1;
                Ok(())
            });
            assert_eq!((line_of(error.unwrap_err()), taken), (20, 21));
        }
    }

    #[test]
    fn no_items_is_fine() {
        ordered(4, numbers(0), Ok, |_| Ok(())).unwrap();
    }

    #[test]
    fn the_number_of_items_under_way_is_bounded() {
        let threads = 3;
        let under_way = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let items = (0..300).map(|i| {
            most.fetch_max(under_way.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            Ok(i)
        });
        ordered(threads, items, Ok, |i| {
            if i == 0 {
                thread::sleep(Duration::from_millis(30));
            }
            under_way.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        })
        .unwrap();
        assert!(most.into_inner() <= 2 * threads + 2);
    }

    #[test]
    fn the_first_error_in_item_order_wins_and_stops_the_items() {
        for threads in [1, 2, 8] {
            let taken = AtomicUsize::new(0);
            let items = (0..100_000).map(|i| {
                taken.fetch_add(1, Ordering::SeqCst);
                Ok(i)
            });
            let work = |i: usize| {
                if i == 20 {
                    thread::sleep(Duration::from_millis(20));
                }
                if i >= 20 { Err(failed(i)) } else { Ok(i) }
            };
            let mut consumed = 0;
            let error = ordered(threads, items, work, |_| {
                consumed += 1;
                Ok(())
            })
            .unwrap_err();
            assert_eq!(line_of(error), 20);
            assert_eq!(consumed, 20);
            assert!(taken.into_inner() < 100);
        }
    }

    #[test]
    fn an_error_of_the_iterator_comes_after_the_items_before_it() {
        for threads in [1, 4] {
            let items = (0..50).map(|i| if i == 30 { Err(failed(30)) } else { Ok(i) });
            let mut consumed = 0;
            let error = ordered(threads, items, Ok, |_| {
                consumed += 1;
                Ok(())
            })
            .unwrap_err();
            assert_eq!((line_of(error), consumed), (30, 30));
        }
    }

    #[test]
    fn an_error_of_the_consumer_stops_the_items() {
        let taken = AtomicUsize::new(0);
        let items = (0..100_000).map(|i| {
            taken.fetch_add(1, Ordering::SeqCst);
            Ok(i)
        });
        let error = ordered(4, items, Ok, |i| if i == 5 { Err(failed(5)) } else { Ok(()) }).unwrap_err();
        assert_eq!(line_of(error), 5);
        assert!(taken.into_inner() < 100);
    }

    #[test]
    fn a_panic_of_a_worker_reaches_the_caller() {
        let run = || ordered(3, numbers(1000), |i| if i == 7 { panic!("seven") } else { Ok(i) }, |_| Ok(()));
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "seven");
    }

    #[test]
    fn a_panic_of_the_iterator_or_the_consumer_reaches_the_caller() {
        let items = (0..1000).map(|i| if i == 7 { panic!("iterator") } else { Ok(i) });
        assert!(catch_unwind(AssertUnwindSafe(|| ordered(3, items, Ok, |_| Ok(())))).is_err());
        let consume = |i| if i == 7 { panic!("consumer") } else { Ok(()) };
        assert!(catch_unwind(AssertUnwindSafe(|| ordered(3, numbers(1000), Ok, consume))).is_err());
    }
}
