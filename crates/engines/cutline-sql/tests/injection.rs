//! Whatever a value or a name looks like, it stays one value or name.

#![allow(clippy::unwrap_used)]

mod support;

use cutline_sql::{Dialect, Form, Recoding, SqlError, statements};
use proptest::prelude::*;
use sqlparser::dialect as parsers;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

/// Texts made of what ends literals, names, comments and statements somewhere.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "'",
        "''",
        "\"",
        "`",
        "\\",
        "\\'",
        "]",
        "[",
        "]]",
        "--",
        "/*",
        "*/",
        "#",
        ";",
        "\n",
        "\r\n",
        "\nGO\n",
        "$$",
        "$a$",
        "${x}",
        "$(x)",
        "%",
        "\u{2019}",
        "\u{02bc}",
        "é",
        "漢",
        "\u{1f600}",
        "\u{202e}",
        " ",
        "\t",
        "x",
        "0",
        "E'",
        "N'",
        "u&'",
        "\\u0027",
        "ROW(",
        "?",
        ":a",
        "@b",
        "{{c}}",
        "\u{1}",
        "\u{85}",
        ")",
        "DROP TABLE t",
    ]);
    prop::collection::vec(pieces, 1..8).prop_map(|pieces| pieces.concat())
}

fn tokens(dialect: &dyn parsers::Dialect, text: &str) -> Vec<Token> {
    Tokenizer::new(dialect, text).tokenize().unwrap()
}

/// What a literal of this dialect says, as another tokenizer reads it.
fn read_back(dialect: Dialect, literal: &str) -> String {
    let mut said = String::new();
    let tokens = tokens(support::parser(dialect).as_ref(), literal);
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::SingleQuotedString(text)
            | Token::EscapedStringLiteral(text)
            | Token::NationalStringLiteral(text) => said += text,
            Token::HexStringLiteral(digits) => {
                let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
                said += std::str::from_utf8(&bytes.collect::<Vec<u8>>()).unwrap();
            }
            Token::Number(code, _) => said.push(char::from_u32(code.parse().unwrap()).unwrap()),
            Token::LParen
            | Token::RParen
            | Token::Plus
            | Token::Whitespace(sqlparser::tokenizer::Whitespace::Space) => {}
            Token::Word(word) if ["NCHAR", "CONVERT", "USING", "utf8mb4"].contains(&word.value.as_str()) => {}
            other => panic!("{dialect}: {other:?} at {place} in {literal}"),
        }
    }
    if dialect == Dialect::Spark {
        // The tokenizer leaves Spark's escapes as they are.
        said = said.replace("\\u0027", "'").replace("\\u0024", "$").replace("\\u005c", "\\");
    }
    said
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_is_one_literal_that_says_the_same(text in nasty()) {
        for dialect in Dialect::ALL {
            let literal = dialect.quote_text(&text).unwrap();
            prop_assert_eq!(read_back(dialect, &literal), text.clone(), "{}", dialect);
            if dialect == Dialect::Tsql {
                prop_assert!(!literal.contains('\n') && !literal.contains("$("));
            }
            if dialect == Dialect::Spark {
                let replaced = literal.contains("${");
                prop_assert!(!replaced);
            }
        }
    }

    #[test]
    fn a_name_is_one_name_that_says_the_same(name in nasty()) {
        let parsers: [(Dialect, Box<dyn parsers::Dialect>); 6] = [
            (Dialect::Postgres, Box::new(parsers::PostgreSqlDialect {})),
            (Dialect::Spark, Box::new(parsers::SparkSqlDialect {})),
            (Dialect::DuckDb, Box::new(parsers::DuckDbDialect {})),
            (Dialect::Snowflake, Box::new(parsers::SnowflakeDialect {})),
            (Dialect::Tsql, Box::new(parsers::MsSqlDialect {})),
            (Dialect::MySql, Box::new(parsers::MySqlDialect {})),
        ];
        for (dialect, parser) in parsers {
            let Ok(quoted) = dialect.quote_name(&name) else { continue };
            // A closing bracket inside brackets is doubled, which the tokenizer does not know.
            if dialect == Dialect::Tsql && name.contains(']') {
                continue;
            }
            let tokens = tokens(parser.as_ref(), &quoted);
            let [Token::Word(word)] = &tokens[..] else { panic!("{dialect}: {tokens:?}") };
            prop_assert!(word.quote_style.is_some());
            prop_assert_eq!(&word.value, &name, "{}", dialect);
        }
    }

    #[test]
    fn nasty_values_and_names_leave_the_number_of_statements(value in nasty(), name in nasty()) {
        let (recoding, name) = nasty_recoding(&value, &name);
        for (dialect, parser) in [
            (Dialect::Postgres, Box::new(parsers::PostgreSqlDialect {}) as Box<dyn parsers::Dialect>),
            (Dialect::DuckDb, Box::new(parsers::DuckDbDialect {})),
            (Dialect::Sqlite, Box::new(parsers::SQLiteDialect {})),
            (Dialect::Snowflake, Box::new(parsers::SnowflakeDialect {})),
            (Dialect::MySql, Box::new(parsers::MySqlDialect {})),
        ] {
            let mut request = support::request(dialect, Form::Table);
            request.columns.clear();
            let Ok(script) = statements(&recoding, &request) else { continue };
            for statement in &script.list {
                let parsed = Parser::parse_sql(parser.as_ref(), &statement.text);
                prop_assert_eq!(parsed.as_ref().map(Vec::len), Ok(1), "{} {:?}\n{}", dialect, name, statement.text);
            }
        }
    }
}

/// A recoding with a nasty value, label and column name.
fn nasty_recoding(value: &str, name: &str) -> (Recoding, String) {
    let name = name.trim().to_owned() + "x";
    let value = value.trim().to_owned() + "x";
    let stored = serde_json::json!({
        "format": "cutline-recoding/1",
        "attributes": {name.clone(): {"operation": "suppress", "disclosed": [value.clone()]}},
        "requirement": {"qids": [{"attributes": [name.clone()], "k": 2, "anonymity": 2, "conditions": [format!("bound:s={value}<=0.5")]}]},
        "null": [value],
    });
    (Recoding::from_json(&stored.to_string()).unwrap(), name)
}

#[test]
fn nul_characters_and_names_that_servers_cannot_have_are_refused() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.quote_text("a\0b"), Err(SqlError::Nul));
        assert!(dialect.quote_name("a\0b").is_err() && dialect.quote_name("").is_err());
    }
    assert!(Dialect::BigQuery.quote_name("a`b").is_err() && Dialect::BigQuery.quote_name("a.b").is_err());
    assert!(Dialect::Postgres.quote_name(&"é".repeat(32)).is_err());
    assert_eq!(Dialect::Tsql.quote_name("a]b").unwrap(), "[a]]b]");
}

#[test]
fn comments_have_no_names_in_them() {
    let (recoding, _) = nasty_recoding("v", "\n; DROP TABLE patients; --");
    let script = statements(&recoding, &{
        let mut request = support::request(Dialect::Postgres, Form::View);
        request.columns.clear();
        request
    });
    let script = script.unwrap().to_string();
    let comments: Vec<&str> = script.lines().filter(|line| line.starts_with("--")).collect();
    assert!(comments.iter().all(|line| !line.contains("DROP")), "{comments:?}");
}
