//! Which texts look like a missing value?

use cutline_engine::SampleColumn;
use cutline_model::parse_number;

use crate::screen::Look;

/// A text that looks like a missing value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingMarker {
    /// The text.
    pub text: String,
    /// The columns in which it looks so.
    pub columns: Vec<String>,
}

/// Texts that are written where nothing is known, in lower case. They are no secret of any record.
const MARKERS: &[&str] = &["?", "na", "n/a", "-", "--", "unknown", "null", "nan", "k.a.", "unbekannt"];

/// The markers of a table, in the order of [`MARKERS`]. One that is a value of its own in some column is none.
pub(super) fn markers(look: &Look) -> Vec<MissingMarker> {
    let mut found: Vec<(usize, MissingMarker)> = Vec::new();
    let mut values: Vec<&str> = Vec::new();
    for (name, column) in look.names.iter().zip(&look.columns) {
        for text in column.texts.iter().flatten() {
            let Some(rank) = MARKERS.iter().position(|marker| *marker == text.to_lowercase()) else { continue };
            if !stands_for_nothing(text, column) {
                values.push(text);
                continue;
            }
            match found.iter_mut().find(|(_, marker)| marker.text == *text) {
                Some((_, marker)) => marker.columns.push(name.clone()),
                None => found.push((rank, MissingMarker { text: text.clone(), columns: vec![name.clone()] })),
            }
        }
    }
    found.retain(|(_, marker)| !values.contains(&&marker.text[..]));
    found.sort_by(|(one, a), (other, b)| one.cmp(other).then_with(|| a.text.cmp(&b.text)));
    found.into_iter().map(|(_, marker)| marker).collect()
}

/// Among numbers every marker stands for nothing. Among names a sign does if the others have letters or digits (`-` beside `+` is a
/// value), and `NA` unless it may be a code as short as the others.
fn stands_for_nothing(marker: &str, column: &SampleColumn) -> bool {
    let others = || column.texts.iter().flatten().filter(|text| *text != marker);
    if others().next().is_none() {
        return false;
    }
    if others().all(|text| parse_number(text).is_some()) {
        return true;
    }
    match marker.to_lowercase().as_str() {
        "na" => !others().all(|text| text.chars().count() <= 3),
        _ => {
            others().all(|text| text.chars().any(char::is_alphanumeric) || MARKERS.contains(&&text.to_lowercase()[..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use cutline_model::Kind;

    use super::*;

    fn marked(columns: &[&[&str]]) -> Vec<String> {
        let column = |texts: &&[&str]| SampleColumn {
            codes: (0..texts.len() as u32).collect::<Vec<_>>().into(),
            texts: texts.iter().map(|&text| Some(text.to_owned())).collect(),
            kind: Kind::Categorical,
            range: None,
        };
        let look = Look::of(columns.iter().enumerate().map(|(index, texts)| (format!("c{index}"), column(texts))));
        markers(&look).into_iter().map(|marker| format!("{} in {}", marker.text, marker.columns.join(","))).collect()
    }

    #[test]
    fn signs_and_words_for_nothing_are_markers() {
        assert_eq!(marked(&[&["Private", "?", "State-gov"], &["?", "x1"]]), ["? in c0,c1"]);
        assert_eq!(marked(&[&["12", "unknown", "7", "N/A"]]), ["N/A in c0", "unknown in c0"]);
        assert_eq!(marked(&[&["Berlin", "NA", "Hamburg"]]), ["NA in c0"]);
    }

    #[test]
    fn what_may_be_a_value_is_no_marker() {
        assert!(marked(&[&["DE", "NA", "ZA"]]).is_empty(), "Namibia");
        assert!(marked(&[&["+", "-"]]).is_empty());
        assert!(marked(&[&["3", "-"], &["+", "-"]]).is_empty(), "a value in another column");
        assert!(marked(&[&["?"]]).is_empty(), "nothing else");
    }
}
