//! What looks like a direct identifier, and what does not.

use cutline_report::LooksLike;

use super::identify::{Values, identifier};

/// What a column of so many texts looks like, each of them in `times` records.
fn looks(name: &str, times: u64, count: u32, text: impl Fn(u32) -> String) -> Option<LooksLike> {
    let texts: Vec<String> = (0..count).map(text).collect();
    identifier(&Values { name, texts: texts.iter().map(|text| &text[..]).collect(), known: u64::from(count) * times })
}

fn letters(n: u32) -> String {
    let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
    format!("{}{}{}", letter(n).to_ascii_uppercase(), letter(n / 26), letter(n / 3))
}

#[test]
fn identifiers_are_known_by_their_names_if_values_differ() {
    let number = |n: u32| (n * 7 + 3).to_string();
    assert_eq!(looks("Patient ID", 1, 100, number), Some(LooksLike::Key));
    assert_eq!(looks("case_number", 1, 100, number), Some(LooksLike::Numbers));
    assert_eq!(looks("caseNumber", 1, 100, number), Some(LooksLike::Numbers));
    assert_eq!(looks("Vorname", 50, 100, letters), Some(LooksLike::Names));
    assert_eq!(looks("last_name", 50, 100, letters), Some(LooksLike::Names));
    assert_eq!(looks("name", 1, 100, letters), Some(LooksLike::Names));
    assert_eq!(looks("name", 5, 100, |n| format!("{} {}", letters(n), letters(n + 7))), Some(LooksLike::Names));
    assert_eq!(looks("Telefon", 1, 100, |n| format!("0171{n:06}")), Some(LooksLike::Telephone));
}

#[test]
fn a_telling_name_alone_makes_no_identifier() {
    assert_eq!(looks("telephone", 500, 2, |n| format!("A19{n}")), None, "has one, has none");
    assert_eq!(looks("checking-account", 250, 4, |n| format!("A1{n}")), None);
    assert_eq!(looks("account_balance", 1, 100, |n| (n * 977).to_string()), None);
    assert_eq!(looks("name", 50, 30, letters), None, "may be that of a product");
    assert_eq!(looks("id", 100, 12, |n| n.to_string()), None);
}

#[test]
fn identifiers_are_known_by_their_values() {
    assert_eq!(looks("contact", 3, 40, |n| format!("p{n}@example.org")), Some(LooksLike::Email));
    assert_eq!(looks("contact", 3, 40, |n| format!("+49 171 55{n:04}")), Some(LooksLike::Telephone));
    assert_eq!(looks("seen", 1, 40, |n| format!("2026-01-02T10:{n:02}:07")), Some(LooksLike::Timestamps));
    assert_eq!(looks("home", 1, 40, |n| format!("{n} Mill Street")), Some(LooksLike::Addresses));
    assert_eq!(looks("home", 1, 40, |n| format!("Lindenstraße {n}")), Some(LooksLike::Addresses));
    assert_eq!(looks("who", 1, 40, |n| format!("{} {}", letters(n), letters(n + 7))), Some(LooksLike::Names));
    assert_eq!(looks("v", 1, 40, |n| format!("called {n} times but got no answer")), Some(LooksLike::FreeText));
    assert_eq!(looks("v", 1, 400, |n| (100_000 + n).to_string()), Some(LooksLike::Key), "numbers in sequence");
    assert_eq!(looks("v", 1, 400, |n| format!("x{:x}", n * 7919)), Some(LooksLike::Key));
}

#[test]
fn numbers_dates_and_categories_are_no_identifiers() {
    assert_eq!(looks("fnlwgt", 1, 400, |n| (n * 7919 + 12_285).to_string()), None);
    assert_eq!(looks("credit-amount", 1, 400, |n| (n * 37 + 250).to_string()), None);
    assert_eq!(looks("score", 1, 400, |n| format!("0.{n}1")), None);
    assert_eq!(looks("dob", 1, 60, |n| format!("19{:02}-03-{:02}", n, n % 28 + 1)), None, "belongs into a QID");
    assert_eq!(looks("occupation", 90, 30, letters), None);
    assert_eq!(looks("zip", 3, 900, |n| format!("{:05}", n * 11)), None);
}
