//! Studies of releases: nothing here is needed to publish one.
//!
//! | module | question |
//! | --- | --- |
//! | [`evaluate`] | What does masking cost a model? |
//! | [`clusters`] | Are the clusters of one table still there in another? |
//! | [`attack`] | What does an adversary learn who joins a release to what is known of persons? |
//!
//! [`publish`] is [`cutline::publish`] for jobs that may ask for ‹evaluate›: their reports tell what the masking cost.

pub mod attack;
pub mod clusters;
pub mod evaluate;

use cutline::engine::EngineError;
use cutline::{Blame, Destination, Draft, Error, Folder, Job, Observer, Report, Table};

/// Publishes a job's table, with what it cost a model in the report if the job asks for that.
pub fn publish(job: &Job, table: &Table, destination: &Destination, observer: &dyn Observer) -> Result<Report, Error> {
    Folder::check(destination)?;
    let draft = draft(job, table, observer)?;
    draft.publish(Box::new(Folder::new(destination)?), observer)
}

/// What would be published, for any target: found by the best of several searches if the job asks for ‹tune›, and a draft that knows what
/// it costs a model if the job asks for that.
pub fn draft(job: &Job, table: &Table, observer: &dyn Observer) -> Result<Draft, Error> {
    let tuned = evaluate::tuned(job, table, observer)?;
    let draft = match Draft::new(&tuned, table, observer) {
        // Results do not depend on memory.
        Err(error @ Error::Engine(EngineError::TooMany(_))) => Err(error),
        // What served a part of the records best may not do for all of them: then as if nothing had been tuned.
        Err(error) if job.tunes() && error.blame() != Blame::Interrupted => Draft::new(job, table, observer),
        draft => draft,
    };
    evaluate::evaluated(draft?, observer)
}
