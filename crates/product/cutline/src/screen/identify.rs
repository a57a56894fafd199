//! Does a column name persons by itself? Its name and its values tell, each only together with counts.

use cutline_engine::{ColumnProfile, MOST_DISTINCT};
use cutline_model::parse_number;
use cutline_report::LooksLike;

use super::words::{AMOUNTS, Hint, hint, words_of};

/// What is looked at of a column.
pub(crate) struct Values<'a> {
    pub(crate) name: &'a str,
    /// Its different values, without the missing one.
    pub(crate) texts: Vec<&'a str>,
    /// Records that have a value.
    pub(crate) known: u64,
}

/// Below so many different values, nothing is concluded from what they look like.
const FEW: usize = 20;

/// What the column looks like, if it names persons.
pub(crate) fn identifier(values: &Values) -> Option<LooksLike> {
    by_name(values).or_else(|| by_content(values))
}

/// What a column may be of which only counts are known: its name tells, or that nearly every record has another value. A measured number
/// may be as different, so that one with decimals is none.
pub(crate) fn identifier_by_counts(profile: &ColumnProfile) -> Option<LooksLike> {
    let (known, distinct) = (profile.records - profile.missing.min(profile.records), profile.distinct);
    let different = known > 1 && (distinct == MOST_DISTINCT || distinct as u64 * 2 > known);
    let all_different = known >= 50 && (distinct == MOST_DISTINCT || distinct as u64 == known);
    let is_amount = profile.numeric && !profile.whole;
    let named = hint(&profile.name).filter(|hint| different || (distinct >= FEW && hint.sure)).map(|hint| hint.like);
    named.or(all_different.then_some(LooksLike::Key)).filter(|_| !is_amount)
}

impl Values<'_> {
    /// Are most values different?
    fn mostly_different(&self) -> bool {
        self.texts.len() as u64 * 2 > self.known && self.known > 1
    }

    fn all_different(&self) -> bool {
        self.texts.len() as u64 == self.known
    }

    /// Is this true of at least so many of a hundred different values?
    fn share(&self, percent: usize, is: impl Fn(&str) -> bool) -> bool {
        let count = self.texts.iter().filter(|text| is(text)).count();
        count > 0 && count * 100 >= self.texts.len() * percent
    }

    /// Something that is measured: a number with decimals, or one whose name says so.
    fn is_amount(&self) -> bool {
        let decimal = |text: &&str| parse_number(text).is_some() && text.contains(['.', 'e', 'E']);
        self.texts.iter().any(decimal) || words_of(self.name).iter().any(|word| AMOUNTS.contains(&&word[..]))
    }
}

/// A telling name counts if most values differ; one that can mean nothing else also if they merely look like it, because many persons
/// share a surname (and so does a `name` if the values are two or three capitalized words). `telephone` with the values yes and no is none.
fn by_name(values: &Values) -> Option<LooksLike> {
    let Hint { like, sure } = hint(values.name)?;
    let fits = match like {
        LooksLike::Names => values.share(80, |text| text.chars().any(char::is_alphabetic)),
        LooksLike::Email => values.share(50, is_email),
        LooksLike::Telephone => values.share(80, |text| digits(text) >= 5),
        _ => true,
    };
    let enough = values.mostly_different()
        || (values.texts.len() >= FEW && (sure || (like == LooksLike::Names && values.share(90, is_full_name))));
    (fits && enough && !values.is_amount()).then_some(like)
}

/// What values look like: whether it counts here, the percentage of values that must, and the test of one.
type Content = (LooksLike, bool, usize, fn(&str) -> bool);

fn by_content(values: &Values) -> Option<LooksLike> {
    if values.texts.len() < FEW {
        return None;
    }
    let different = values.mostly_different();
    let kinds: [Content; 6] = [
        (LooksLike::Email, true, 50, is_email),
        (LooksLike::Timestamps, different, 80, is_timestamp),
        (LooksLike::Telephone, true, 80, is_telephone),
        (LooksLike::Addresses, different, 50, is_address),
        (LooksLike::Names, different, 90, is_full_name),
        (LooksLike::FreeText, different, 50, |text| text.split_whitespace().count() >= 5),
    ];
    let found = kinds.into_iter().find(|&(_, counts, percent, is)| counts && values.share(percent, is));
    found.map(|(like, ..)| like).or_else(|| is_key(values).then_some(LooksLike::Key))
}

/// Every record has another value, and the values are no amounts: words, numbers in sequence, or long numbers of one length.
fn is_key(values: &Values) -> bool {
    if !values.all_different() || values.known < 50 || values.is_amount() {
        return false;
    }
    let numbers: Option<Vec<f64>> = values.texts.iter().map(|text| parse_number(text)).collect();
    let Some(numbers) = numbers else {
        // Dates are no keys; whoever may know them, they belong into a QID.
        return !values.share(80, is_date);
    };
    let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(a, b), &number| (a.min(number), b.max(number)));
    let serial = most - least < 2.0 * numbers.len() as f64;
    let length = values.texts[0].len();
    serial || (length >= 7 && values.texts.iter().all(|text| text.len() == length))
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).count()
}

fn is_email(text: &str) -> bool {
    let Some((person, domain)) = text.split_once('@') else { return false };
    !person.is_empty() && !text.contains(' ') && domain.contains('.') && !domain.contains('@')
}

/// Numbers in groups, or with a plus before them: what is only digits may be anything.
fn is_telephone(text: &str) -> bool {
    let marks = |c: char| matches!(c, ' ' | '-' | '/' | '(' | ')' | '.');
    let rest = text.strip_prefix('+').unwrap_or(text);
    let written = rest.chars().all(|c| c.is_ascii_digit() || marks(c)) && (7..=15).contains(&digits(text));
    let grouped = rest.starts_with('(') || rest.chars().any(marks);
    written && (grouped || rest.len() < text.len()) && !is_date(text) && parse_number(text).is_none_or(|_| rest != text)
}

/// Three numbers with the same mark between them, one of them a year or all of them short.
pub(crate) fn is_date(text: &str) -> bool {
    let date = text.split(['T', ' ']).next().unwrap_or(text);
    ['-', '/', '.'].into_iter().any(|mark| {
        let parts: Vec<&str> = date.split(mark).collect();
        let number = |part: &&str| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit());
        parts.len() == 3 && parts.iter().all(number)
    })
}

fn is_timestamp(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', ' ']) else { return false };
    let parts: Vec<&str> = time.trim().split(':').collect();
    is_date(date) && parts.len() >= 2 && parts.iter().take(2).all(|part| !part.is_empty() && part.len() <= 2)
}

const STREETS: &[&str] = &[
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "lane",
    "ln",
    "drive",
    "dr",
    "boulevard",
    "blvd",
    "court",
    "weg",
    "platz",
    "allee",
    "gasse",
    "rue",
    "via",
    "calle",
    "straat",
    "plaza",
    "square",
    "way",
];

/// A house number, and a word for a street.
fn is_address(text: &str) -> bool {
    let lower = text.to_lowercase();
    let street = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        STREETS.contains(&word) || word.ends_with("straße") || word.ends_with("strasse") || word.ends_with("str")
    };
    digits(text) > 0 && lower.split_whitespace().count() >= 2 && lower.split_whitespace().any(street)
}

/// Two to four words that begin with capitals: `Ada Lovelace`, `Lovelace, Ada`, `J. R. Hartley`.
fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = |word: &&str| {
        word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | ',' | '\'' | '’' | '-'))
    };
    (2..=4).contains(&words.len()) && words.iter().all(name)
}
