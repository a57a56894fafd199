//! `recoding.json`: written, and read back with care.

use thiserror::Error;

use super::{AttributeRecoding, Places, Recoding, RegionsError};
use crate::Bound;

/// Why a stored recoding cannot be used.
#[derive(Debug, Error)]
pub enum RecodingError {
    /// The text is not the JSON of a recoding.
    #[error("this is not a recoding: {0}")]
    Json(#[from] serde_json::Error),
    /// The file is of another kind or version.
    #[error("the file says it is `{0}`, but this version reads `{one}`, and `{other}` where there are regions", one = Recoding::FORMAT, other = Recoding::FORMAT_OF_REGIONS)]
    Format(String),
    /// The labels of a cut are no cut of the taxonomy.
    #[error("the cut of `{0}` is not a cut of its taxonomy: every leaf must have exactly one node of the cut above it")]
    NotACut(String),
    /// The bounds of a discretized attribute do not ascend.
    #[error("the bounds of `{0}` must ascend, and only the outer ones may be null")]
    Bounds(String),
    /// The regions are no function from records to groups.
    #[error(transparent)]
    Regions(#[from] RegionsError),
}

impl Recoding {
    /// The text of `recoding.json`.
    pub fn to_json(&self) -> String {
        // Serializing plain data with string keys cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads the text of `recoding.json` and checks that it is a function from values to labels.
    pub fn from_json(text: &str) -> Result<Self, RecodingError> {
        let mut recoding: Recoding = serde_json::from_str(text)?;
        let format = if recoding.regions.is_some() { Recoding::FORMAT_OF_REGIONS } else { Recoding::FORMAT };
        if recoding.format != format {
            return Err(RecodingError::Format(recoding.format));
        }
        recoding.attributes.iter().try_for_each(|(name, attribute)| check(name, attribute))?;
        if let Some(regions) = recoding.regions.take() {
            let regions = regions.ordered(recoding.attributes.keys())?;
            if !regions.are_withheld() {
                Places::new(&regions, &recoding.of_attributes())?;
            }
            recoding.regions = Some(regions);
        }
        Ok(recoding)
    }
}

fn check(name: &str, attribute: &AttributeRecoding) -> Result<(), RecodingError> {
    match attribute {
        AttributeRecoding::Generalize { cut, taxonomy, .. } => {
            let nodes: Option<Vec<_>> = cut.iter().map(|label| taxonomy.node(label)).collect();
            let is_cut = nodes.is_some_and(|nodes| taxonomy.is_cut(&nodes));
            is_cut.then_some(()).ok_or_else(|| RecodingError::NotACut(name.to_owned()))
        }
        AttributeRecoding::Suppress { .. } => Ok(()),
        AttributeRecoding::Discretize { bounds, .. } => {
            ascending(bounds).then_some(()).ok_or_else(|| RecodingError::Bounds(name.to_owned()))
        }
    }
}

fn ascending(bounds: &[Bound]) -> bool {
    let last = bounds.len().saturating_sub(1);
    let outer = |index: usize| index == 0 || index == last;
    let numbers: Vec<f64> = bounds.iter().filter_map(|bound| bound.0).collect();
    // Both ends belong to the last interval: that of a declared range may be its upper end alone.
    let closed = |place: usize| place + 2 == numbers.len() && bounds[last].0.is_some();
    let follows = |(place, pair): (usize, &[f64])| pair[0] < pair[1] || (pair[0] == pair[1] && closed(place));
    let ordered = numbers.windows(2).enumerate().all(follows);
    bounds.len() >= 2 && bounds.iter().enumerate().all(|(index, bound)| bound.0.is_some() || outer(index)) && ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = r#"{
  "format": "cutline-recoding/1",
  "attributes": {
    "education": {
      "operation": "generalize",
      "cut": ["Low", "High"],
      "taxonomy": {"label": "Any", "children": [{"label": "Low", "children": [{"label": "1st"}]}, {"label": "High"}]}
    },
    "sex": { "operation": "suppress", "disclosed": [], "missing": "masked" },
    "work_hrs": { "operation": "discretize", "bounds": [1, 37, 99] }
  },
  "requirement": { "qids": [ { "attributes": ["education", "sex"], "k": 4, "anonymity": 7 } ] }
}"#;

    #[test]
    fn what_is_written_reads_back() {
        let recoding = Recoding::from_json(STORED).unwrap();
        assert_eq!(Recoding::from_json(&recoding.to_json()).unwrap(), recoding);
        assert!(recoding.to_json().contains("99"));
        assert_eq!(recoding.attributes.keys().collect::<Vec<_>>(), ["education", "sex", "work_hrs"]);
        assert!(recoding.to_string().contains("[1-37)"));
    }

    #[test]
    fn the_published_columns_need_not_be_told() {
        let mut recoding = Recoding::from_json(STORED).unwrap();
        assert_eq!(recoding.columns, None);
        assert!(!recoding.to_json().contains("columns"));
        recoding.columns = Some(vec!["sex".to_owned(), "ward".to_owned()]);
        assert_eq!(Recoding::from_json(&recoding.to_json()).unwrap(), recoding);
    }

    #[test]
    fn the_upper_end_of_a_declared_range_may_be_an_interval_of_its_own() {
        let stored = |bounds: &str| Recoding::from_json(&STORED.replace("[1, 37, 99]", bounds));
        assert!(stored("[1, 99, 99]").unwrap().to_string().contains("[99-99]"));
        assert!(stored("[99, 99]").is_ok() && stored("[null, 99, 99]").is_ok());
        assert!(
            stored("[1, 1, 99]").is_err() && stored("[1, 99, 99, 99]").is_err() && stored("[1, 99, 99, null]").is_err()
        );
    }

    #[test]
    fn what_is_no_function_is_refused() {
        for (from, to) in [
            ("[\"Low\", \"High\"]", "[\"Low\"]"),
            ("[1, 37, 99]", "[1, 99, 37]"),
            ("[1, 37, 99]", "[1, null, 37]"),
            ("[1, 37, 99]", "[1]"),
            ("recoding/1", "recoding/9"),
            ("suppress", "sprinkle"),
        ] {
            assert!(Recoding::from_json(&STORED.replace(from, to)).is_err(), "{from} to {to}");
        }
    }
}
