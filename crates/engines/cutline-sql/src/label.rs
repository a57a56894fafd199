//! Which label has a value?

use cutline_model::Bound;
use cutline_model::recoding::{Label, Unknown};

use crate::cell::number_literal;
use crate::dialect::Gives;
use crate::lookup::whens;
use crate::mapping::{Mapping, Pair};
use crate::plan::Masked;
use crate::{Dialect, SqlError};

/// Attributes with more values than this are looked up in a table of values and labels.
const CASES: usize = 64;

/// The values that a column's labels depend on, if they are too many for a CASE.
pub(crate) fn mapping(masked: &Masked<'_>) -> Option<Mapping> {
    let pairs = pairs(masked);
    (pairs.len() > CASES).then_some(Mapping { pairs })
}

/// An expression for the label of `value`, which is NULL for a missing value (and a number if the masking looks at numbers); `mapped` is
/// the label that a table of values and labels has for it, where there is one.
pub(crate) fn label(
    dialect: Dialect,
    (name, masked): (&str, &Masked<'_>),
    value: &str,
    mapped: Option<&str>,
) -> Result<String, SqlError> {
    let missing = text(dialect, &masked.labeler.labels()[masked.labeler.missing() as usize])?;
    let top = text(dialect, &masked.labeler.labels()[masked.labeler.top() as usize])?;
    if masked.recoding.sees_nothing(masked.unknown) {
        return Ok(dialect.exact(&top));
    }
    if masked.recoding.scale().is_some_and(|scale| !scale.is_numbers()) {
        return Err(SqlError::Dates(name.to_owned()));
    }
    let cases = if masked.recoding.reads_numbers() {
        intervals(dialect, (name, masked), value)?
    } else if let Some(mapped) = mapped {
        format!(
            "\n      WHEN {mapped} IS NOT NULL THEN {mapped}\n      ELSE {}",
            otherwise(dialect, (name, masked), value, &top)?
        )
    } else {
        let others = otherwise(dialect, (name, masked), value, &top)?;
        format!("{}\n      ELSE {others}", listed(dialect, masked, value)?)
    };
    Ok(dialect.exact(&format!("CASE WHEN {value} IS NULL THEN {missing}{cases} END")))
}

/// The label of values that are not listed, or a failure.
fn otherwise(
    dialect: Dialect,
    (name, masked): (&str, &Masked<'_>),
    value: &str,
    top: &str,
) -> Result<String, SqlError> {
    if masked.recoding.taxonomy().is_none() || masked.unknown == Unknown::Root {
        return Ok(top.to_owned());
    }
    let message = message(dialect, name, "is not in its taxonomy")?;
    Ok(dialect.fail(&dialect.joined(&message, &dialect.nothing_of(value)), Gives::Text))
}

/// The values with a label of their own, one WHEN for each label.
fn listed(dialect: Dialect, masked: &Masked<'_>, value: &str) -> Result<String, SqlError> {
    let pairs = pairs(masked);
    let listed = pairs.iter().map(|pair| Ok((&pair.value[..], dialect.quote_text(&pair.label)?)));
    whens(dialect, (value, Gives::Text), &listed.collect::<Result<Vec<_>, SqlError>>()?)
}

/// Every value that has a label of its own, with it: what the labeler says of the leaves, or of the disclosed values.
fn pairs(masked: &Masked<'_>) -> Vec<Pair> {
    let pair = |value: &str| match masked.labeler.label(value).map(|label| &masked.labeler.labels()[label as usize]) {
        Ok(Label::Text(label)) => Some(Pair { value: value.to_owned(), label: label.clone() }),
        Ok(Label::Missing) | Err(_) => None,
    };
    masked.recoding.named_values().into_iter().filter_map(pair).collect()
}

/// The intervals in ascending order; the split value goes right. What lies outside of the declared range makes the statement fail, and
/// so does what is not finite.
fn intervals(dialect: Dialect, (name, masked): (&str, &Masked<'_>), number: &str) -> Result<String, SqlError> {
    let Some(bounds) = masked.recoding.bounds() else { return Ok(String::new()) };
    let (first, last) = (bounds.first().and_then(|bound| bound.0), bounds.last().and_then(|bound| bound.0));
    let below =
        first.map_or(format!("{number} <= {:e}", f64::MIN), |bound| format!("{number} < {}", number_literal(bound)));
    let above =
        last.map_or(format!("{number} >= {:e}", f64::MAX), |bound| format!("{number} > {}", number_literal(bound)));
    let message = message(dialect, name, "is not finite or outside of its declared range")?;
    let detail = dialect.nothing_of(&dialect.text(number, Gives::Number));
    let fail = dialect.fail(&dialect.joined(&message, &detail), Gives::Text);
    let mut cases = format!("\n      WHEN {below} OR {above} THEN {fail}");
    let labels = masked.recoding.labels();
    let (outermost, inner) = labels.split_last().map_or((None, &[][..]), |(last, inner)| (Some(last), inner));
    for (label, Bound(bound)) in inner.iter().zip(&bounds[1..]) {
        let Some(bound) = bound else { continue };
        cases += &format!("\n      WHEN {number} < {} THEN {}", number_literal(*bound), dialect.quote_text(label)?);
    }
    let outermost = outermost.map_or("", String::as_str);
    Ok(cases + &format!("\n      ELSE {}", dialect.quote_text(outermost)?))
}

/// What the server says when a value has no label. It names the column, never the value.
pub(crate) fn message(dialect: Dialect, name: &str, what: &str) -> Result<String, SqlError> {
    dialect.quote_text(&format!("cutline: a value of {name} {what}"))
}

fn text(dialect: Dialect, label: &Label) -> Result<String, SqlError> {
    match label {
        Label::Text(text) => dialect.quote_text(text),
        Label::Missing => Ok("NULL".to_owned()),
    }
}
