//! How does a message name a setting, so that every face writes it its own way?
//!
//! Messages and hints of the libraries write `‹purpose›`, or `‹purpose regression›` with a value. The command prints `--purpose
//! regression`, Python `purpose="regression"`, a page the name of the field. Names of attributes stand in backticks, so an attribute
//! that is called like a setting is not taken for one.

/// The text with every setting in it as `write` writes it, by its name and the value that is said of it, if any.
pub fn mentions(text: &str, write: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name, value, after)) = next(rest) {
        written += before;
        written += &write(name, value);
        rest = after;
    }
    written + rest
}

/// The text before a mention, its name, its value and the text after it.
fn next(text: &str) -> Option<(&str, &str, Option<&str>, &str)> {
    let (before, from) = text.split_once('‹')?;
    let (mention, after) = from.split_once('›')?;
    let (name, value) = mention.split_once(' ').map_or((mention, None), |(name, value)| (name, Some(value)));
    Some((before, name, value, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_writes_settings_its_own_way() {
        let text = "name it with ‹target›, or use ‹purpose regression›; `target` is no column";
        let flag =
            |name: &str, value: Option<&str>| format!("--{name}{}", value.map_or(String::new(), |v| format!(" {v}")));
        assert_eq!(mentions(text, flag), "name it with --target, or use --purpose regression; `target` is no column");
        let keyword = |name: &str, value: Option<&str>| {
            name.replace('-', "_") + &value.map_or(String::new(), |value| format!("={value:?}"))
        };
        assert_eq!(
            mentions(text, keyword),
            "name it with target, or use purpose=\"regression\"; `target` is no column"
        );
    }

    #[test]
    fn a_text_without_settings_stays_as_it_is() {
        for text in ["", "nothing here", "half ‹ open", "› ‹"] {
            assert_eq!(mentions(text, |_, _| "x".to_owned()), text);
        }
    }
}
