//! Ctrl-C and termination.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the signals so far ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    stop_search: Arc<AtomicBool>,
    cancelled: Arc<AtomicBool>,
    searching: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. The first Ctrl-C during the search ends the search; anywhere else, or the second time, everything
    /// is given up; the third time the process ends at once. Termination gives everything up.
    pub(crate) fn listen() -> Self {
        let signals = Signals::default();
        #[cfg(unix)]
        signals.clone().listen_in_background();
        signals
    }

    #[cfg(unix)]
    fn listen_in_background(self) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let Ok(mut arriving) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            for signal in arriving.forever() {
                if self.cancelled.load(Ordering::Relaxed) {
                    std::process::exit(130);
                }
                let first = !self.stop_search.swap(true, Ordering::Relaxed);
                if !(signal == SIGINT && first && self.searching.load(Ordering::Relaxed)) {
                    self.cancelled.store(true, Ordering::Relaxed);
                }
            }
        });
    }

    /// Says whether a search is running.
    pub(crate) fn searching(&self, running: bool) {
        self.searching.store(running, Ordering::Relaxed);
    }

    pub(crate) fn stop_search(&self) -> bool {
        self.stop_search.load(Ordering::Relaxed)
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
