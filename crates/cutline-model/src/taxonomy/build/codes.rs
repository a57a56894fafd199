//! Do texts look like codes, whose first characters say what comes first?

/// Fewer characters are no code: there is nothing between the whole and the first one.
const SHORTEST: usize = 3;

/// Whether all texts look like codes of one system, such as zip codes (`13053`), ICD-10 diagnoses (`E11.9`) or dates
/// (`2024-05-17`): letters, digits and what separates them; a digit in each; and either all equally long, or all beginning with
/// letters and digits in the same places.
///
/// At least two of them begin alike: otherwise their prefixes say nothing.
pub fn look_like_codes(texts: &[&str]) -> bool {
    let mut shapes = texts.iter().map(|text| Shape::of(text));
    let Some(Some(first)) = shapes.next() else { return false };
    let mut equally_long = true;
    let mut alike = first.start.contains(&Kind::Letter) && first.start.contains(&Kind::Digit);
    for shape in shapes {
        let Some(shape) = shape else { return false };
        equally_long &= shape.length == first.length;
        alike &= shape.start == first.start;
    }
    (equally_long || alike) && share_a_beginning(texts)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Separator,
}

struct Shape {
    length: usize,
    start: [Kind; SHORTEST],
}

impl Shape {
    /// The shape of a code; nothing if the text cannot be one.
    fn of(text: &str) -> Option<Shape> {
        let kinds = text.chars().map(kind).collect::<Option<Vec<Kind>>>()?;
        let start = *kinds.first_chunk()?;
        kinds.contains(&Kind::Digit).then_some(Shape { length: kinds.len(), start })
    }
}

fn kind(character: char) -> Option<Kind> {
    match character {
        '.' | '-' | '/' | '+' => Some(Kind::Separator),
        _ if character.is_numeric() => Some(Kind::Digit),
        _ if character.is_alphabetic() => Some(Kind::Letter),
        _ => None,
    }
}

/// Whether two texts begin with the same character.
fn share_a_beginning(texts: &[&str]) -> bool {
    let mut first: Vec<Option<char>> = texts.iter().map(|text| text.chars().next()).collect();
    first.sort_unstable();
    first.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_from_words_and_numbers() {
        for codes in [
            &["13053", "13068", "14850"][..],
            &["E11.9", "I10", "E11", "E11.65"],
            &["A11", "A12", "A201"],
            &["2024-05-17", "2024-06-01"],
            &["SW1A", "SW2B"],
        ] {
            assert!(look_like_codes(codes), "{codes:?}");
        }
        for others in [
            &["Sales", "Clerk"][..],
            &["9th", "10th", "11th", "HS-grad"],
            &["1", "2"],
            &["130", "2", "45"],
            &["high 1", "high 2"],
            &["1305", "2406"],
            &["130", "1"],
            &[],
        ] {
            assert!(!look_like_codes(others), "{others:?}");
        }
    }
}
