//! The attributes of Adult: in which QIDs, and with which taxonomies.

use cutline::model::Taxonomy;
use cutline::spec::Spec;
use cutline::{Error, Job};

/// All of them, in the order of the table.
pub(crate) const ALL: &str = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,\
                              capital-gain,capital-loss,hours-per-week,native-country";

/// All of them: the 2007 paper's ranking by what they say about the class, then those that it does not rank.
pub(crate) const RANKING: [&str; 14] = [
    "capital-gain",
    "age",
    "marital-status",
    "education-num",
    "relationship",
    "hours-per-week",
    "sex",
    "education",
    "occupation",
    "workclass",
    "race",
    "native-country",
    "capital-loss",
    "fnlwgt",
];

/// Five overlapping QIDs of 2 to 9 attributes.
pub(crate) const FIVE: [&str; 5] = [
    "age,education-num,relationship",
    "workclass,education,race,sex,native-country",
    "hours-per-week,capital-gain",
    "age,marital-status,occupation,sex,capital-loss,hours-per-week,native-country",
    "age,workclass,education,marital-status,occupation,relationship,race,sex,hours-per-week",
];

macro_rules! taxonomies {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../../../../datasets/taxonomies/", $name, ".txt")))),*] };
}

/// The taxonomies of the categorical ones.
pub(crate) const TAXONOMIES: [(&str, &str); 8] = taxonomies![
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "relationship",
    "sex",
    "workclass"
];

/// The job of a spec, in which categorical attributes are generalized along the taxonomies.
pub(crate) fn generalizing(spec: Spec) -> Result<Job, Error> {
    let mut job = Job::new(spec)?;
    for (name, text) in TAXONOMIES {
        job.set_taxonomy(name, Taxonomy::from_outline(text).map_err(|error| Error::Defect(error.to_string()))?);
    }
    Ok(job)
}
