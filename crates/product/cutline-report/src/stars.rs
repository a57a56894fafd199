//! Which `*` is that of a suppressed record?

use cutline_model::Recoding;
use cutline_model::recoding::{SuppressHow, TOP};

/// Tells the `*` of suppressed records from that of values that are not told, by the recoding alone. Nothing if no record may be published
/// so.
pub(crate) fn stars(recoding: &Recoding) -> Option<String> {
    recoding.suppression.filter(|suppression| suppression.how == SuppressHow::Mask)?;
    let shown = recoding.labels();
    let never = recoding.attributes.keys().zip(&shown).filter(|(_, labels)| !labels.iter().any(|label| label == TOP));
    let never: Vec<String> = never.map(|(name, _)| format!("`{name}`")).collect();
    Some(match &never[..] {
        [] => "a suppressed record has * in every QID attribute, but so may a record whose values are all among those that are not told".to_owned(),
        [names @ .., last] => {
            let or = if names.is_empty() { String::new() } else { format!("{} or ", names.join(", ")) };
            format!("a record with * in {or}{last} is a suppressed one: no value becomes * there")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(attributes: &str) -> Option<String> {
        let text = format!(
            r#"{{"format": "cutline-recoding/1", "attributes": {{ {attributes} }}, "requirement": {{"qids": []}},
                "suppression": {{"limit": 0.01, "how": "mask"}} }}"#
        );
        stars(&Recoding::from_json(&text).unwrap())
    }

    #[test]
    fn an_attribute_without_a_star_of_its_own_tells_suppressed_records() {
        let age = r#""age": {"operation": "discretize", "bounds": [null, 30, null]}"#;
        let town = r#""town": {"operation": "suppress", "disclosed": ["x"]}"#;
        assert!(told(&format!("{age}, {town}")).unwrap().starts_with("a record with * in `age` is"));
        assert!(told(town).unwrap().contains("but so may a record"));
        assert!(told(r#""age": {"operation": "discretize", "bounds": [null, null]}"#).unwrap().contains("but so may"));
    }
}
