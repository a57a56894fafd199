//! Which threads work on what is not a pass?
//!
//! Stages follow one another, and each would have to start its threads and wait until the system has found a core for each of them. So threads
//! that are idle are lent again. They are lent to one borrower at a time: whoever waits for a part of its own work may be given any other
//! work of its crew meanwhile, which must not be somebody else's that takes for ever or waits for a lock that it holds.

use std::sync::Mutex;
use std::{mem, process, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// More threads than this do not make a pass faster, and each of them holds pieces in memory.
pub const MOST_THREADS: usize = 512;

/// Does work whose parallel parts use so many threads, at most [`MOST_THREADS`]; 0 is one for each core. Without threads of their own the shared
/// ones serve: nothing that is computed here depends on their number.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let threads = possible(threads);
    if rayon::current_thread_index().is_some() && rayon::current_num_threads() == threads {
        // A part of work that is done on so many, whoever these belong to.
        return work();
    }
    Crew::lent(threads).work(work)
}

fn possible(threads: usize) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    if threads == 0 { cores() } else { threads }.min(MOST_THREADS)
}

/// Threads that work together, and are idle again once this is dropped.
pub(crate) struct Crew {
    /// Nothing where no threads were to be had.
    threads: Option<Threads>,
    wanted: usize,
    home: &'static Idle,
}

/// Threads of a process. One that was forked from it has none of them.
struct Threads {
    pool: ThreadPool,
    process: u32,
}

/// Threads that nobody has at the moment; those that are idle for longest come first.
struct Idle(Mutex<Vec<Threads>>);

static IDLE: Idle = Idle(Mutex::new(Vec::new()));

/// A program that asks for other numbers of threads all the time does not keep them all.
const MOST_IDLE: usize = 4;

impl Crew {
    pub(crate) fn lent(threads: usize) -> Self {
        IDLE.lend(possible(threads))
    }

    /// Does work whose parallel parts use these threads.
    pub(crate) fn work<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.threads {
            Some(threads) if threads.is_here() => threads.pool.install(work),
            // They stayed behind in the process that this one was forked from.
            Some(_) => self.home.lend(self.wanted).work(work),
            None => work(),
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            self.home.take_back(threads);
        }
    }
}

impl Idle {
    fn lend(&'static self, threads: usize) -> Crew {
        let fits = |idle: &Threads| idle.is_here() && idle.pool.current_num_threads() == threads;
        // Who cannot look at once starts threads: a process may have been forked while another thread of the first one was looking.
        let idle = self.0.try_lock().ok().and_then(|mut idle| {
            let place = idle.iter().rposition(fits)?;
            Some(idle.remove(place))
        });
        Crew { threads: idle.or_else(|| Threads::started(threads)), wanted: threads, home: self }
    }

    fn take_back(&self, threads: Threads) {
        let too_many = match self.0.try_lock() {
            Ok(mut idle) => {
                idle.push(threads);
                (idle.len() > MOST_IDLE).then(|| idle.remove(0))
            }
            Err(_) => Some(threads),
        };
        // Now that nobody holds the lock.
        too_many.into_iter().for_each(Threads::end);
    }
}

impl Threads {
    fn started(threads: usize) -> Option<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        Some(Threads { pool, process: process::id() })
    }

    fn is_here(&self) -> bool {
        self.process == process::id()
    }

    fn end(self) {
        if !self.is_here() {
            // Whoever tells threads that are gone to end might wait for them.
            mem::forget(self.pool);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn work_has_as_many_threads_as_it_asks_for() {
        assert_eq!(on_threads(0, rayon::current_num_threads), thread::available_parallelism().unwrap().get());
        for threads in [1, 3, 9] {
            assert_eq!(on_threads(threads, rayon::current_num_threads), threads);
            // The second time too, and inside of such work.
            assert_eq!(on_threads(threads, || on_threads(threads, rayon::current_num_threads)), threads);
            assert_eq!(on_threads(threads, || on_threads(threads + 1, rayon::current_num_threads)), threads + 1);
        }
    }

    #[test]
    fn nobody_waits_for_the_work_of_others() {
        let (told, waits) = mpsc::channel();
        let (done, ends) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                on_threads(1, move || {
                    done.send(()).unwrap();
                    // Ends only when the other one did its work.
                    waits.recv_timeout(Duration::from_secs(60)).unwrap();
                });
            });
            ends.recv_timeout(Duration::from_secs(60)).unwrap();
            on_threads(1, || told.send(()).unwrap());
        });
    }

    #[test]
    fn idle_threads_work_again_and_few_are_kept() {
        static OWN: Idle = Idle(Mutex::new(Vec::new()));
        let id = |crew: &Crew| crew.work(|| thread::current().id());
        let (first, other) = (OWN.lend(1), OWN.lend(1));
        let (of_first, of_other) = (id(&first), id(&other));
        assert_ne!(of_first, of_other);
        drop(first);
        assert_eq!(id(&OWN.lend(1)), of_first);
        assert_ne!(id(&OWN.lend(2)), of_first);
        drop(other);
        drop((1..9).map(|threads| OWN.lend(threads)).collect::<Vec<_>>());
        assert_eq!(OWN.0.lock().unwrap().len(), MOST_IDLE);
    }

    #[test]
    fn threads_of_another_process_are_not_lent() {
        static OWN: Idle = Idle(Mutex::new(Vec::new()));
        let id = |crew: &Crew| crew.work(|| thread::current().id());
        let mut crew = OWN.lend(1);
        let of_crew = id(&crew);
        crew.threads.as_mut().unwrap().process += 1;
        // Neither do they work for whoever had them when the process was forked, nor for others.
        assert_ne!(id(&crew), of_crew);
        drop(crew);
        assert_ne!(id(&OWN.lend(1)), of_crew);
    }
}
