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

use cutline::engine::Target;
use cutline::{Destination, Error, Job, Observer, Report, Table, publish_after, publish_to as publish_draft_to};

/// Publishes a job's table, with what it cost a model in the report if the job asks for that.
pub fn publish(job: &Job, table: &Table, destination: &Destination, observer: &dyn Observer) -> Result<Report, Error> {
    publish_after(job, table, destination, observer, |draft| evaluate::evaluated(draft, observer))
}

/// The same for any target.
pub fn publish_to<'t>(
    job: &Job,
    table: &Table,
    target: impl FnOnce() -> Result<Box<dyn Target + 't>, Error>,
    observer: &dyn Observer,
) -> Result<Report, Error> {
    publish_draft_to(job, table, target, observer, |draft| evaluate::evaluated(draft, observer))
}
