//! A release from start to end.

use crate::counts::Counts;
use crate::job::Job;
use crate::report::Report;
use crate::staging::Product;
use crate::{Destination, Error, Observer, Table};

/// Publishes a job's table: the folder at the destination appears complete and verified, or not at all.
pub fn publish(job: &Job, table: &Table, destination: &Destination, observer: &dyn Observer) -> Result<Report, Error> {
    destination.check(Product::Folder)?;
    Counts::new(job, table, observer)?.search(job, observer)?.publish(destination, observer)
}
