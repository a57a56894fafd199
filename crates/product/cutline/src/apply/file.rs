//! A single file that appears when it is verified.

use std::path::PathBuf;

use cutline_engine::{Audience, EngineError, Format, Place, Target, Written};
use cutline_verify::Recount;

use crate::folder::{Synced, fault};
use crate::staging::{Product, Staging};
use crate::{Destination, Error};

/// A table alone: nothing is said of it.
pub(super) struct OneFile {
    staging: Staging,
    format: Format,
}

impl OneFile {
    pub(super) fn new(destination: &Destination, format: Format) -> Result<Self, Error> {
        Ok(OneFile { staging: Staging::new(destination, Product::File)?, format })
    }

    fn name(&self) -> String {
        format!("table.{}", self.format.extension())
    }

    fn path(&self) -> PathBuf {
        self.staging.path(&self.name())
    }
}

impl Target for OneFile {
    fn place(&self, _: Format) -> Result<Place, EngineError> {
        Ok(Place::File { location: self.path(), format: self.format })
    }

    fn recounted(&self, _: &Written) -> Result<Box<dyn Recount + '_>, EngineError> {
        Ok(Box::new(Synced(self.path())))
    }

    fn size(&self, _: &Written) -> u64 {
        std::fs::metadata(self.path()).map_or(0, |metadata| metadata.len())
    }

    fn attach(&mut self, _: Audience, _: &str, _: &str) -> Result<(), EngineError> {
        Ok(())
    }

    fn publish(self: Box<Self>) -> Result<(), EngineError> {
        let name = self.name();
        self.staging.publish(&name).map_err(fault)
    }
}
