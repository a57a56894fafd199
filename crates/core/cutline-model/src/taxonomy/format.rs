//! Which of the three formats is a text in?

use super::{Taxonomy, TaxonomyError, csv};

/// What a taxonomy may be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Outline,
    Arx,
    Json,
}

impl Taxonomy {
    /// Reads a taxonomy in any format. The first rule that applies decides which one it is:
    ///
    /// 1. **JSON** if the first character that is not blank is `{`, or is `[` with `"`, `{` or `]` as the next such
    ///    character. (Only objects are taxonomies, but a JSON list deserves a message about JSON. Any other `[` begins a
    ///    label: `[0-100)` is a fine root.)
    /// 2. **ARX hierarchy** if the first line that is not blank has a `;` or `,` and the second such line is not indented. (In
    ///    an outline the second line is below the root, so `Any; or none` may be a root.)
    /// 3. **Outline** otherwise.
    ///
    /// A byte order mark at the start is skipped, and lines may end in CR LF.
    ///
    /// # Errors
    ///
    /// Those of [`Taxonomy::from_json`], [`Taxonomy::from_arx`] or [`Taxonomy::from_outline`].
    pub fn parse(text: &str) -> Result<Taxonomy, TaxonomyError> {
        match Format::of(text) {
            Format::Outline => Taxonomy::from_outline(text),
            Format::Arx => Taxonomy::from_arx(text),
            Format::Json => Taxonomy::from_json(text),
        }
    }
}

impl Format {
    fn of(text: &str) -> Format {
        let text = without_bom(text);
        if looks_like_json(text) {
            Format::Json
        } else if looks_like_arx(text) {
            Format::Arx
        } else {
            Format::Outline
        }
    }
}

fn looks_like_json(text: &str) -> bool {
    let mut characters = text.chars().filter(|character| !character.is_whitespace());
    match characters.next() {
        Some('{') => true,
        Some('[') => matches!(characters.next(), Some('"' | '{' | ']')),
        _ => false,
    }
}

fn looks_like_arx(text: &str) -> bool {
    let second = text.lines().filter(|line| !line.trim().is_empty()).nth(1);
    let outlined = second.is_some_and(|line| line.starts_with(char::is_whitespace));
    !outlined && csv::delimiter(text).is_some()
}

/// The text after a byte order mark, which spreadsheet programs write.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_recognized() {
        let cases = [
            ("Any\n  Female\n  Male\n", Format::Outline),
            ("\n\nAny\n  Female\n", Format::Outline),
            ("Female;Any\nMale;Any\n", Format::Arx),
            ("Female,Any\r\nMale,Any\r\n", Format::Arx),
            ("\"a;b\",Any\n", Format::Arx),
            ("\u{feff}Female;Any\n", Format::Arx),
            ("  {\"label\": \"Any\"}", Format::Json),
            ("\u{feff}{\"label\": \"Any\"}", Format::Json),
            ("[\"Female\", \"Male\"]", Format::Json),
        ];
        for (text, format) in cases {
            assert_eq!(Format::of(text), format, "{text:?}");
        }
    }

    #[test]
    fn a_delimiter_in_the_root_of_an_outline_does_not_make_it_arx() {
        assert_eq!(Format::of("Any; or none\n  Female\n"), Format::Outline);
        assert_eq!(Format::of("Any, all\n\n  Female\n"), Format::Outline);
    }

    #[test]
    fn intervals_do_not_look_like_json() {
        assert_eq!(Format::of("[0-100)\n  [0-50)\n  [50-100)\n"), Format::Outline);
        assert_eq!(Format::of("[0-50);[0-100);*\n"), Format::Arx);
    }

    #[test]
    fn parse_reads_all_formats_to_the_same_tree() {
        let outline = Taxonomy::parse("Any\n  Female\n  Male\n").unwrap();
        assert_eq!(Taxonomy::parse("Female;Any\nMale;Any\n").unwrap(), outline);
        assert_eq!(Taxonomy::parse(r#"{"label": "Any", "children": ["Female", "Male"]}"#).unwrap(), outline);
    }

    #[test]
    fn nothing_is_empty_in_every_format() {
        for text in ["", "\n \n", "\u{feff}"] {
            assert_eq!(Taxonomy::parse(text), Err(TaxonomyError::Empty));
            assert_eq!(Taxonomy::from_outline(text), Err(TaxonomyError::Empty));
            assert_eq!(Taxonomy::from_arx(text), Err(TaxonomyError::Empty));
            assert_eq!(Taxonomy::from_json(text), Err(TaxonomyError::Empty));
        }
    }
}
