//! Do texts look like codes, whose first characters say what comes first?

/// Fewer characters are no code: there is nothing between the whole and the first one.
const SHORTEST: usize = 3;

/// Whether all texts look like codes of one system, such as zip codes (`13053`), ICD-10 diagnoses (`E11.9`) or dates
/// (`2024-05-17`): letters, digits and what separates them, a digit in each, and all equally long up to a dot.
///
/// At least two of them begin alike: otherwise their prefixes say nothing.
pub fn look_like_codes(texts: &[&str]) -> bool {
    let mut stems = texts.iter().map(|text| stem(text));
    let Some(Some(first)) = stems.next() else { return false };
    first >= SHORTEST && stems.all(|stem| stem == Some(first)) && share_a_beginning(texts)
}

/// The characters up to a dot; nothing if the text cannot be a code.
fn stem(text: &str) -> Option<usize> {
    let fits = |character: char| character.is_alphanumeric() || matches!(character, '.' | '-' | '/' | '+');
    let is_code = text.chars().all(fits) && text.contains(char::is_numeric);
    is_code.then(|| text.chars().take_while(|&character| character != '.').count())
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
            &["A11", "A12", "A20"],
            &["2024-05-17", "2024-06-01"],
            &["SW1A", "SW2B"],
        ] {
            assert!(look_like_codes(codes), "{codes:?}");
        }
        for others in [
            &["Sales", "Clerk"][..],
            &["9th", "10th", "11th", "HS-grad"],
            &["1", "2"],
            &["A40", "A41", "A410"],
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
