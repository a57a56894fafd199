//! What the name of a column says of its role, in several languages and spellings.

use crate::screen::words_of;

/// What others may know of a person. Matched against whole words of a name.
const QUASI: &[&str] = &[
    // Age and birth.
    "age",
    "birth",
    "birthdate",
    "birthday",
    "birthyear",
    "dob",
    "yob",
    "born",
    "alter",
    "geburt",
    "geburtsdatum",
    "geburtsjahr",
    "geburtstag",
    "naissance",
    "nacimiento",
    "nascita",
    "edad",
    "leeftijd",
    "geboortedatum",
    // Sex, origin, family.
    "sex",
    "gender",
    "geschlecht",
    "sexe",
    "sexo",
    "sesso",
    "geslacht",
    "race",
    "ethnicity",
    "ethnic",
    "hispanic",
    "latino",
    "nationality",
    "nationalität",
    "nationalité",
    "nacionalidad",
    "citizenship",
    "staatsangehörigkeit",
    "religion",
    "konfession",
    "language",
    "sprache",
    "foreign",
    "marital",
    "maritalstatus",
    "familienstand",
    "relationship",
    "household",
    "haushalt",
    "children",
    "kinder",
    "veteran",
    // Where somebody lives.
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "plz",
    "postleitzahl",
    "city",
    "town",
    "stadt",
    "wohnort",
    "ort",
    "ville",
    "ciudad",
    "county",
    "region",
    "state",
    "bundesland",
    "kanton",
    "canton",
    "province",
    "provincia",
    "district",
    "gemeinde",
    "municipality",
    "commune",
    "comune",
    "country",
    "residence",
    // Work and school.
    "education",
    "degree",
    "school",
    "bildung",
    "occupation",
    "profession",
    "beruf",
    "job",
    "employment",
    "employer",
    "arbeitgeber",
    "workclass",
    "industry",
    "branche",
    // What others see.
    "height",
    "weight",
    "admission",
    "discharge",
    "visit",
    "hospital",
    "ward",
];

/// Words that say it only together, as in `PERSON_TYPE`.
const QUASI_PAIRS: &[(&str, &str)] =
    &[("personal", "status"), ("person", "type"), ("person", "role"), ("injured", "role"), ("military", "status")];

/// What others should not learn.
const SENSITIVE: &[&str] = &[
    "diagnosis",
    "diagnose",
    "diagnostic",
    "disease",
    "krankheit",
    "befund",
    "disorder",
    "symptom",
    "treatment",
    "medication",
    "drug",
    "hiv",
    "icd",
    "cancer",
    "outcome",
    "income",
    "einkommen",
    "salary",
    "gehalt",
    "salaire",
    "salario",
    "wage",
    "lohn",
    "debt",
    "schulden",
    "credit",
    "score",
    "balance",
    "conviction",
    "crime",
    "offence",
    "offense",
    "orientation",
    "party",
    "partei",
    "vote",
    "result",
];

/// Is one of the words a word of the name?
fn named(name: &str, words: &[&str]) -> bool {
    words_of(name).iter().any(|word| words.contains(&&word[..]))
}

/// Does the name say that others may know it?
pub(crate) fn known_to_others(name: &str) -> bool {
    let words = words_of(name);
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    named(name, QUASI) || QUASI_PAIRS.iter().any(|(one, other)| has(one) && has(other))
}

/// Does the name say that others should not learn it?
pub(super) fn not_to_be_learned(name: &str) -> bool {
    named(name, SENSITIVE)
}
