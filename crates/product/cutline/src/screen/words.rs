//! What the name of a column says, in several languages and spellings.

use cutline_report::LooksLike;

/// What a name says of the values.
#[derive(Clone, Copy)]
pub(crate) struct Hint {
    pub(crate) like: LooksLike,
    /// Can it mean nothing else? A `name` may be that of a product, a `surname` not.
    pub(crate) sure: bool,
}

/// The words of a column's name in lower case: `birth_year`, `birthYear` and `Birth Year` have the words birth and year.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut lower_before = false;
    for character in name.chars() {
        if character.is_uppercase() && lower_before {
            spaced.push(' ');
        }
        lower_before = character.is_lowercase();
        spaced.extend(if character.is_alphanumeric() { character } else { ' ' }.to_lowercase());
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Words that make an amount of whatever stands beside them: an account's balance is no account.
pub(crate) const AMOUNTS: &[&str] = &[
    "amount", "balance", "sum", "total", "count", "limit", "rate", "salary", "income", "wage", "price", "cost",
    "score", "age", "year", "length", "weight", "height", "betrag", "saldo", "anzahl",
];

const SURE: &[(LooksLike, &[&str])] = &[
    (
        LooksLike::Names,
        &[
            "firstname",
            "lastname",
            "surname",
            "forename",
            "fullname",
            "maidenname",
            "vorname",
            "nachname",
            "familienname",
            "prenom",
            "prénom",
            "apellido",
            "apellidos",
            "cognome",
            "voornaam",
            "achternaam",
        ],
    ),
    (LooksLike::Email, &["email", "mail", "emailaddress"]),
    (
        LooksLike::Telephone,
        &[
            "phone",
            "telephone",
            "telefon",
            "telefono",
            "téléphone",
            "mobile",
            "handy",
            "fax",
            "cellphone",
            "phonenumber",
        ],
    ),
];

const LIKELY: &[(LooksLike, &[&str])] = &[
    (LooksLike::Names, &["name", "nom", "nombre", "nome", "naam", "defendant", "plaintiff"]),
    (
        LooksLike::Numbers,
        &[
            "ssn",
            "mrn",
            "iban",
            "passport",
            "account",
            "konto",
            "kontonummer",
            "licence",
            "license",
            "plate",
            "docket",
            "aktenzeichen",
            "casenumber",
            "caseno",
            "casenum",
            "kundennummer",
            "fallnummer",
            "versichertennummer",
            "svnr",
            "steuernummer",
            "vin",
        ],
    ),
    (
        LooksLike::Addresses,
        &[
            "address",
            "street",
            "addr",
            "strasse",
            "straße",
            "anschrift",
            "adresse",
            "direccion",
            "dirección",
            "indirizzo",
        ],
    ),
    (
        LooksLike::Key,
        &[
            "id",
            "uuid",
            "guid",
            "username",
            "login",
            "userid",
            "personid",
            "patientid",
            "ip",
            "url",
            "identifier",
            "ident",
        ],
    ),
    (LooksLike::Timestamps, &["timestamp", "datetime"]),
    (
        LooksLike::FreeText,
        &["comment", "comments", "remark", "remarks", "notes", "narrative", "bemerkung", "kommentar"],
    ),
];

/// Whose number: together with a word for number they are one of a document.
const NUMBERED: &[&str] = &[
    "case",
    "file",
    "account",
    "customer",
    "client",
    "patient",
    "policy",
    "invoice",
    "card",
    "serial",
    "insurance",
    "security",
    "tax",
    "record",
    "member",
    "employee",
    "student",
    "license",
    "licence",
];
const NUMBER: &[&str] = &["number", "no", "nr", "num", "nummer", "numero", "número"];

/// Which name: together with a word for name they are one of persons.
const WHOSE: &[&str] =
    &["first", "last", "given", "family", "full", "middle", "maiden", "patient", "person", "customer"];

/// Does a name say that the column names persons or their records?
pub(crate) fn names_persons(name: &str) -> bool {
    hint(name).is_some()
}

/// What the name of a column says.
pub(crate) fn hint(name: &str) -> Option<Hint> {
    let words = words_of(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&&word[..]));
    let of = |table: &[(LooksLike, &[&str])], sure: bool| {
        table.iter().find(|(_, list)| has(list)).map(|&(like, _)| Hint { like, sure })
    };
    if has(WHOSE) && has(&["name", "names"]) {
        return Some(Hint { like: LooksLike::Names, sure: true });
    }
    if has(NUMBERED) && has(NUMBER) {
        return Some(Hint { like: LooksLike::Numbers, sure: false });
    }
    of(SURE, true).or_else(|| of(LIKELY, false))
}
