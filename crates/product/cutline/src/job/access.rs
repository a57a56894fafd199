//! What a job says, for those who work with it.

use std::time::Duration;

use cutline_arrow::source::SourceOptions;
use cutline_model::{Kind, Purpose, Requirement};

use super::Job;
use super::checks::predicted;
use crate::Error;
use crate::spec::IfMissing;

impl Job {
    /// The requirement.
    pub fn requirement(&self) -> &Requirement {
        &self.requirement
    }

    /// The purpose.
    pub fn purpose(&self) -> &Purpose {
        &self.purpose
    }

    /// How long searches may take, if that was said.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time_limit
    }

    /// The number of threads that will work.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// How the input is to be opened.
    pub fn source_options(&self) -> &SourceOptions {
        &self.source
    }

    /// Where the table is, if that was said.
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// The texts that stand for a missing value, beside the empty one.
    pub fn nulls(&self) -> &[String] {
        &self.nulls
    }

    /// What becomes of records that lack a value.
    pub fn missing(&self) -> IfMissing {
        self.missing
    }

    /// For everything that is left to chance.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Does the report tell what the masking cost a model?
    pub fn evaluates(&self) -> bool {
        self.evaluate
    }

    /// What was said about the kind of an attribute.
    pub fn kind_of(&self, attribute: &str) -> Option<Kind> {
        let known = self.attributes.get(attribute)?;
        let implied = || (known.taxonomy.is_some() || known.coded.is_some()).then_some(Kind::Categorical);
        let on_axis =
            || known.axis.as_ref().map(|axis| if axis.scale.is_numbers() { Kind::Continuous } else { Kind::Date });
        known.kind.or_else(implied).or_else(on_axis).or(known.range.map(|_| Kind::Continuous))
    }

    /// The attribute that a model predicts.
    ///
    /// # Errors
    /// If there is none, or it is masked itself.
    pub fn predicted(&self) -> Result<&str, Error> {
        predicted(&self.purpose, &self.requirement)
    }
}
