//! How are numbers written in a text file?

use std::borrow::Cow;

use cutline_model::parse_number;

use crate::error::FileError;

/// How numbers are written in a text file: `1.234,56` has a comma before its decimals and a point between thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    decimal: char,
    thousands: Option<char>,
}

/// What a text is under a notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number<'t> {
    /// A number of the notation, in the plain one: `1234.56`.
    Plain(Cow<'t, str>),
    /// A number of the plain notation alone. Its point means something else where this notation is meant.
    Other,
    /// No number.
    None,
}

impl Default for Notation {
    fn default() -> Self {
        Notation { decimal: '.', thousands: None }
    }
}

impl Notation {
    /// A notation, if the two characters can be told apart from digits and from each other.
    ///
    /// # Errors
    /// [`FileError::BadNotation`] otherwise.
    pub fn new(decimal: Option<char>, thousands: Option<char>) -> Result<Self, FileError> {
        let decimal = decimal.unwrap_or('.');
        let bad = |character: char| character.is_alphanumeric() || matches!(character, '+' | '-' | '"');
        match [Some(decimal), thousands].into_iter().flatten().find(|&character| bad(character)) {
            Some(character) => Err(FileError::BadNotation { character }),
            None if thousands == Some(decimal) => Err(FileError::BadNotation { character: decimal }),
            None => Ok(Notation { decimal, thousands }),
        }
    }

    /// What stands before decimals, and what between thousands.
    pub fn characters(&self) -> (char, Option<char>) {
        (self.decimal, self.thousands)
    }

    /// Is it the plain one, in which nothing needs to be done?
    pub(crate) fn is_plain(&self) -> bool {
        *self == Notation::default()
    }

    /// Reads a text without blanks around it.
    pub(crate) fn read<'t>(&self, text: &'t str) -> Number<'t> {
        match self.plain(text) {
            Some(plain) => Number::Plain(plain),
            None if parse_number(text).is_some() => Number::Other,
            None => Number::None,
        }
    }

    fn plain<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (number, exponent) = unsigned.split_at(unsigned.find(['e', 'E']).unwrap_or(unsigned.len()));
        let power = exponent.get(1..).map(|power| power.strip_prefix(['+', '-']).unwrap_or(power));
        let (whole, decimals) = number.split_once(self.decimal).map_or((number, None), |(a, b)| (a, Some(b)));
        if !power.is_none_or(digits) || !decimals.is_none_or(digits) {
            return None;
        }
        let parts: Vec<&str> = whole.split(|character| Some(character) == self.thousands).collect();
        let grouped = |parts: &[&str]| parts[0].len() <= 3 && parts[1..].iter().all(|part| part.len() == 3);
        if !parts.iter().all(|part| digits(part)) || parts.len() > 1 && !grouped(&parts) {
            return None;
        }
        if parts.len() == 1 && (decimals.is_none() || self.decimal == '.') {
            return Some(Cow::Borrowed(text));
        }
        let sign = if text.starts_with('-') { "-" } else { "" };
        let point = if decimals.is_some() { "." } else { "" };
        Some(Cow::Owned(format!("{sign}{}{point}{}{exponent}", parts.concat(), decimals.unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn german() -> Notation {
        Notation::new(Some(','), Some('.')).unwrap()
    }

    #[test]
    fn numbers_of_a_notation_become_plain() {
        for (text, plain) in [
            ("1.234,56", "1234.56"),
            ("-1.234.567", "-1234567"),
            ("+0,5", "0.5"),
            ("1234,5", "1234.5"),
            ("17", "17"),
            ("1,5e-3", "1.5e-3"),
        ] {
            assert_eq!(german().read(text), Number::Plain(plain.into()), "{text}");
        }
        let swiss = Notation::new(None, Some('’')).unwrap();
        assert_eq!(swiss.read("12’345.60"), Number::Plain("12345.60".into()));
        assert_eq!(swiss.read("1.5"), Number::Plain("1.5".into()));
    }

    #[test]
    fn what_is_no_such_number_is_not_made_one() {
        for text in ["12.34", "1234.567", "0.5"] {
            assert_eq!(german().read(text), Number::Other, "{text}");
        }
        for text in ["05.03.1984", "1,2,3", "1.23.456", ",5", "5,", "a", "", "1.234,", "-", "1,5e", "12.3456,7"] {
            assert_eq!(german().read(text), Number::None, "{text}");
        }
        assert_eq!(Notation::new(Some(','), None).unwrap().read("1.234"), Number::Other);
    }

    #[test]
    fn characters_that_mean_something_else_are_refused() {
        for (decimal, thousands) in [(Some(','), Some(',')), (None, Some('.')), (Some('0'), None), (Some('-'), None)] {
            assert!(matches!(Notation::new(decimal, thousands), Err(FileError::BadNotation { .. })));
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_in_a_notation_reads_back(number in -1_000_000_000i64..1_000_000_000, decimals in 0u32..1000) {
            let whole = number.unsigned_abs().to_string();
            let mut grouped = String::new();
            for (at, digit) in whole.chars().enumerate() {
                if at > 0 && (whole.len() - at) % 3 == 0 {
                    grouped.push('.');
                }
                grouped.push(digit);
            }
            let sign = if number < 0 { "-" } else { "" };
            let (plain, written) =
                (format!("{sign}{whole}.{decimals:03}"), format!("{sign}{grouped},{decimals:03}"));
            prop_assert_eq!(german().read(&written), Number::Plain(plain.as_str().into()));
            prop_assert_eq!(Notation::default().read(&plain), Number::Plain(plain.as_str().into()));
        }
    }
}
