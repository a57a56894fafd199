//! What does a text look like? Said by regular expressions, or by patterns where a server has none.

use crate::Dialect;

/// What a text may look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looks {
    /// A finite number, as Cutline reads numbers: an optional sign, digits with at most one point, an optional exponent. Servers accept
    /// more: hexadecimal digits, `1_000`, `nan`.
    Number,
    /// A number without a fraction; those with an exponent count as having one.
    Whole,
    /// A code that starts with a zero.
    Padded,
}

impl Looks {
    fn expression(self) -> &'static str {
        match self {
            Looks::Number => "'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'",
            Looks::Whole => "'^[+-]?[0-9]+([.]0*)?$'",
            Looks::Padded => "'^0[^.]+$'",
        }
    }

    /// The same by patterns with `@` for any characters: a text matches one of the first and none of the others. A number starts as one,
    /// has no other characters, signs only in front and behind an `e`, at most one `e` and one point, no point behind the `e`, and digits
    /// behind it.
    fn patterns(self) -> (&'static [&'static str], &'static [&'static str]) {
        const STARTS: [&str; 4] = ["[0-9]@", "[+-][0-9]@", ".[0-9]@", "[+-].[0-9]@"];
        const NEVER: [&str; 9] = [
            "@[^0-9.eE+-]@",
            "@[0-9.+-][+-]@",
            "@[eE]@[eE]@",
            "@.@.@",
            "@[eE]@.@",
            "@[eE]",
            "@[eE][+-]",
            "@[eE]@",
            "@.@[1-9]@",
        ];
        match self {
            Looks::Number => (&STARTS, &NEVER[..7]),
            Looks::Whole => (&STARTS[..2], &NEVER),
            Looks::Padded => (&["0[^.]@"], &["@.@"]),
        }
    }

    fn matched(self, any: char, like: impl Fn(&str) -> String) -> String {
        let matches = |pattern: &&str| like(&format!("'{}'", pattern.replace('@', &any.to_string())));
        let (starts, never) = self.patterns();
        let starts: Vec<String> = starts.iter().map(matches).collect();
        let never: Vec<String> = never.iter().map(|pattern| format!("NOT ({})", matches(pattern))).collect();
        format!("({}) AND {}", starts.join(" OR "), never.join(" AND "))
    }
}

impl Dialect {
    /// A condition on a text.
    pub fn looks_like(self, text: &str, looks: Looks) -> String {
        let expression = looks.expression();
        match self {
            Dialect::Postgres => format!("{text} ~ {expression}"),
            Dialect::Spark => format!("{text} RLIKE {expression}"),
            Dialect::DuckDb => format!("REGEXP_FULL_MATCH({text}, {expression})"),
            Dialect::BigQuery => format!("REGEXP_CONTAINS({text}, {expression})"),
            Dialect::Snowflake | Dialect::MySql => format!("REGEXP_LIKE({text}, {expression})"),
            Dialect::Sqlite => format!("({})", looks.matched('*', |pattern| format!("GLOB({pattern}, {text})"))),
            Dialect::Tsql => format!("({})", looks.matched('%', |pattern| format!("{text} LIKE {pattern}"))),
        }
    }

    /// Is a value a number, as Cutline reads numbers?
    pub(crate) fn is_number(self, value: &str) -> String {
        match self {
            Dialect::Sqlite => format!(
                "(TYPEOF({value}) <> 'text' OR {})",
                Looks::Number.matched('*', |pattern| format!("GLOB({pattern}, {value})"))
            ),
            _ => self.looks_like(value, Looks::Number),
        }
    }
}
