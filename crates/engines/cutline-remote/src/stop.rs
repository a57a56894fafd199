//! How is a statement stopped?

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cutline_engine::Watch;

/// How often is asked whether the work must stop?
const POLL: Duration = Duration::from_millis(100);

/// Does something that only others can end: when the watch says so, `stop` is called, again and again until it is over.
pub fn stoppable<T>(watch: &dyn Watch, stop: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if watch.cancelled() {
                    stop();
                }
                std::thread::park_timeout(POLL);
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        watching.thread().unpark();
        result
    })
}
