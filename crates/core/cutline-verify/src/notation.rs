//! Which number does a text say?

use std::borrow::Cow;

/// How numbers are written in a text file: `1.234,56` has a comma before its decimals and a point between thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation {
    /// What stands before the decimals.
    pub decimal: char,
    /// What may stand between groups of three digits.
    pub thousands: Option<char>,
}

impl Default for Notation {
    fn default() -> Self {
        Notation { decimal: '.', thousands: None }
    }
}

impl Notation {
    /// A finite number; `-0` is `0`.
    pub(crate) fn number(self, text: &str) -> Option<f64> {
        self.plain(text)?.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| number + 0.0)
    }

    /// The text with a point before the decimals and nothing between thousands; `None` if it has a point that means nothing here.
    fn plain(self, text: &str) -> Option<Cow<'_, str>> {
        if self == Notation::default() {
            return Some(Cow::Borrowed(text));
        }
        let end = text.find([self.decimal, 'e', 'E']).unwrap_or(text.len());
        let (whole, rest) = text.split_at(end);
        let mut groups = whole.split(|character| Some(character) == self.thousands);
        let first = groups.next().unwrap_or_default();
        let groups: Vec<&str> = groups.collect();
        let digits = first.trim_start_matches(['+', '-']);
        let grouped = groups.is_empty() || digits.len() <= 3 && groups.iter().all(|group| group.len() == 3);
        if !grouped || digits.is_empty() || whole.contains('.') && self.thousands != Some('.') {
            return None;
        }
        let rest =
            rest.strip_prefix(self.decimal).map_or(Cow::Borrowed(rest), |decimals| format!(".{decimals}").into());
        (rest.matches('.').count() <= 1).then(|| format!("{first}{}{rest}", groups.concat()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let german = Notation { decimal: ',', thousands: Some('.') };
        for (text, number) in [
            ("1.234,50", Some(1234.5)),
            ("1234,5", Some(1234.5)),
            ("-1.234.567", Some(-1_234_567.0)),
            ("7", Some(7.0)),
            ("2,5e3", Some(2500.0)),
            ("2.5", None),
            ("12.34", None),
            ("1234.567", None),
            (",5", None),
            ("1,2,3", None),
            ("x", None),
        ] {
            assert_eq!(german.number(text), number, "{text}");
        }
        let spaced = Notation { decimal: '.', thousands: Some(' ') };
        assert_eq!(spaced.number("1 234.5"), Some(1234.5));
        assert_eq!(Notation { decimal: ',', thousands: None }.number("2.5"), None);
        assert_eq!(Notation::default().number("1e3"), Some(1000.0));
        assert_eq!(Notation::default().number("-0"), Some(0.0));
    }
}
