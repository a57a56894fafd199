//! Names and values inside flags.

use cutline::model::Condition;
use cutline::model::conditions::ConditionError;

/// Names separated by commas; a name with a comma in it stands in double quotes.
pub(crate) fn list(text: &str) -> Vec<String> {
    let names = cutline::model::split_names(text).unwrap_or_else(|| vec![text.to_owned()]);
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// `name=text`.
pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    if name.is_empty() || value.is_empty() {
        return Err("write it as NAME=VALUE".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// `name=low..high`.
pub(crate) fn range(text: &str) -> Result<(String, (f64, f64)), String> {
    let (name, bounds) = assignment(text)?;
    let (low, high) = bounds.split_once("..").ok_or("write it as NAME=LOW..HIGH")?;
    let number = |text: &str| cutline::model::parse_number(text).ok_or_else(|| format!("`{text}` is no number"));
    Ok((name, (number(low)?, number(high)?)))
}

/// `NAME` or `NAME:WEIGHT`.
pub(crate) fn weighted(text: &str) -> Result<(String, Option<f64>), String> {
    match text.rsplit_once(':') {
        Some((name, weight)) => match weight.trim().parse() {
            Ok(weight) => Ok((name.to_owned(), Some(weight))),
            Err(_) => Err(format!("`{weight}` is no number; write NAME:WEIGHT as in hours:0.5")),
        },
        None => Ok((text.to_owned(), None)),
    }
}

/// `ACTUAL,PREDICTED=COST`. Classes may contain `=`; those with a comma are quoted.
pub(crate) fn cost(text: &str) -> Result<(String, String, f64), String> {
    let wrong = || "write a cost as ACTUAL,PREDICTED=COST, as in sick,healthy=5".to_owned();
    let (classes, cost) = text.rsplit_once('=').ok_or_else(wrong)?;
    let cost = cost.trim().parse().map_err(|_| wrong())?;
    match &list(classes)[..] {
        [actual, predicted] => Ok((actual.clone(), predicted.clone(), cost)),
        _ => Err(wrong()),
    }
}

/// `ATTRIBUTE=VALUE<=SHARE`, a condition without its name.
pub(crate) fn bound(text: &str) -> Result<Condition, String> {
    format!("bound:{text}").parse().map_err(|error: ConditionError| error.to_string())
}
