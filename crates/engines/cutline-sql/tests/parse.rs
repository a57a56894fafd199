//! Every statement is one of its dialect, as another parser understands it.

#![allow(clippy::unwrap_used)]

mod support;

use cutline_sql::{Dialect, Form, Recoding, Request, statements};
use sqlparser::parser::Parser;

fn all_parse(recoding: &Recoding, request: &Request) {
    let script = statements(recoding, request).unwrap();
    for statement in &script.list {
        // The parser has no rules of PostgreSQL Anonymizer.
        if statement.text.starts_with("SECURITY LABEL") {
            continue;
        }
        let parsed = Parser::parse_sql(support::parser(request.dialect).as_ref(), &statement.text);
        assert!(parsed.is_ok(), "{} {}: {:?}\n{}", request.dialect, request.form, parsed.err(), statement.text);
    }
}

#[test]
fn every_form_of_every_dialect_parses() {
    for (dialect, form) in support::all() {
        all_parse(&support::example(), &support::request(dialect, form));
    }
}

#[test]
fn lookups_of_many_values_parse() {
    for (dialect, form) in support::all() {
        let mut request = support::request(dialect, form);
        request.columns.clear();
        all_parse(&support::with_many_values(), &request);
    }
}

#[test]
fn suppression_parses() {
    for (dialect, form) in support::all().into_iter().filter(|(_, form)| *form != Form::Labels) {
        for how in ["mask", "drop"] {
            all_parse(&support::with_budget(how), &support::request(dialect, form));
        }
    }
}

#[test]
fn all_conditions_parse() {
    for condition in
        ["distinct-l:s=2", "entropy-l:s=2.5", "recursive-l:s=2,3", "alpha:s=0.5", "bound:s=x<=0.2", "t-close:s=0.2"]
    {
        let mut recoding = support::example();
        recoding.requirement.qids[0].conditions = vec![condition.parse().unwrap()];
        Dialect::ALL.into_iter().for_each(|dialect| all_parse(&recoding, &support::request(dialect, Form::Table)));
    }
}
