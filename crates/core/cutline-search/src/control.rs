//! How a search is watched and stopped from outside.

use std::fmt;

use serde::Serialize;

use crate::Step;

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// Nothing more could be done.
    Complete,
    /// The number of steps that was asked for is reached.
    MaxSteps,
    /// The time is up.
    TimeLimit,
    /// The user stopped it.
    Interrupted,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stopped::Complete => "complete",
            Stopped::MaxSteps => "max-steps",
            Stopped::TimeLimit => "time-limit",
            Stopped::Interrupted => "interrupted",
        })
    }
}

/// What a search asks between two steps. The clock and the signals are the caller's.
pub struct Control<'a> {
    /// The largest number of steps.
    pub max_steps: Option<usize>,
    /// Must the search stop now?
    pub stop: &'a (dyn Fn() -> Option<Stopped> + Sync),
    /// Told of every step.
    pub progress: &'a (dyn Fn(&Step) + Sync),
}

impl Control<'_> {
    /// Runs to the end and tells nobody.
    pub fn unlimited() -> Control<'static> {
        Control { max_steps: None, stop: &|| None, progress: &|_| {} }
    }

    /// Why the search must stop after so many steps, if it must.
    pub fn stopped(&self, steps: usize) -> Option<Stopped> {
        match self.max_steps {
            Some(limit) if steps >= limit => Some(Stopped::MaxSteps),
            _ => (self.stop)(),
        }
    }
}
