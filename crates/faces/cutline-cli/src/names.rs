//! Names and values inside flags.

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
