//! The Adult table and its taxonomies, inside the program.
//!
//! `data/` links to the repository's data sets: a package is made with what links point to, so it is complete by itself.

use cutline::model::Taxonomy;

macro_rules! dataset {
    ($path:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $path)
    };
}

/// The table's two parts.
pub(crate) const ADULT: [(&str, &[u8]); 2] = [
    ("train.csv.gz", include_bytes!(dataset!("adult/train.csv.gz"))),
    ("test.csv.gz", include_bytes!(dataset!("adult/test.csv.gz"))),
];

const TAXONOMIES: [(&str, &str); 8] = [
    ("education", include_str!(dataset!("taxonomies/education.txt"))),
    ("marital-status", include_str!(dataset!("taxonomies/marital-status.txt"))),
    ("native-country", include_str!(dataset!("taxonomies/native-country.txt"))),
    ("occupation", include_str!(dataset!("taxonomies/occupation.txt"))),
    ("race", include_str!(dataset!("taxonomies/race.txt"))),
    ("relationship", include_str!(dataset!("taxonomies/relationship.txt"))),
    ("sex", include_str!(dataset!("taxonomies/sex.txt"))),
    ("workclass", include_str!(dataset!("taxonomies/workclass.txt"))),
];

/// The taxonomy of one of Adult's categorical attributes.
pub(crate) fn taxonomy(attribute: &str) -> Option<Taxonomy> {
    let (_, text) = TAXONOMIES.iter().find(|(name, _)| *name == attribute)?;
    Taxonomy::from_outline(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_taxonomies_can_be_read() {
        assert!(TAXONOMIES.iter().all(|(name, _)| taxonomy(name).is_some()));
    }
}
