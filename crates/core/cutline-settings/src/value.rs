//! What can be said, and what is it as a type?

use std::fmt::Display;
use std::str::FromStr;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A value as a face has it: the command has texts, a program or JSON has numbers, lists and maps too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Said or not.
    Flag(bool),
    /// A whole number.
    Whole(u64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several.
    List(Vec<Value>),
    /// Several by name, as in `{"age": "0..120"}` for `age=0..120`.
    Map(IndexMap<String, Value>),
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Wrong {
    /// A value that is wrong in this way.
    pub fn new(what: impl Display) -> Self {
        Wrong { what: what.to_string(), hint: None }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl Value {
    /// A single value as its text.
    pub fn text(&self) -> Result<String, Wrong> {
        match self {
            Value::Text(text) => Ok(text.clone()),
            Value::Whole(number) => Ok(number.to_string()),
            Value::Number(number) => Ok(number.to_string()),
            Value::List(values) if values.len() == 1 => values[0].text(),
            _ => Err(Wrong::new("this takes one value")),
        }
    }

    /// One text or several.
    pub fn texts(&self) -> Result<Vec<String>, Wrong> {
        match self {
            Value::List(values) => values.iter().map(Value::text).collect(),
            one => one.text().map(|text| vec![text]),
        }
    }

    /// Texts with something said of each: `age=5` and so on, or a map, whose keys and values belong together.
    pub fn entries(&self, separator: char) -> Result<Vec<String>, Wrong> {
        let Value::Map(map) = self else { return self.texts() };
        map.iter().map(|(name, value)| Ok(format!("{name}{separator}{}", value.text()?))).collect()
    }

    /// Reads a type that says itself what is wrong with a text.
    pub fn parse<V: FromStr<Err: Display>>(&self) -> Result<V, Wrong> {
        self.text()?.parse().map_err(Wrong::new)
    }

    /// Puts the value into a slot.
    pub fn put<V: FromStr<Err: Display>>(&self, slot: &mut Option<V>) -> Result<(), Wrong> {
        *slot = Some(self.parse()?);
        Ok(())
    }

    /// Puts a whole number into a slot.
    pub fn whole<N: FromStr>(&self, slot: &mut Option<N>) -> Result<(), Wrong> {
        let text = self.text()?;
        *slot = Some(text.trim().parse().map_err(|_| Wrong::new(format!("`{text}` is no whole number")))?);
        Ok(())
    }

    /// Puts one whole number or several into a list.
    pub fn wholes<N: FromStr>(&self, list: &mut Vec<N>) -> Result<(), Wrong> {
        let texts = self.texts()?;
        let number = |text: &str| text.trim().parse().map_err(|_| Wrong::new(format!("`{text}` is no whole number")));
        *list = texts.iter().flat_map(|text| text.split(',')).map(number).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Puts a number into a slot.
    pub fn number(&self, slot: &mut Option<f64>) -> Result<(), Wrong> {
        let text = self.text()?;
        *slot = Some(text.trim().parse().map_err(|_| Wrong::new(format!("`{text}` is no number")))?);
        Ok(())
    }

    /// Puts a flag into a slot.
    pub fn flag(&self, slot: &mut Option<bool>) -> Result<(), Wrong> {
        *slot = Some(self.said()?);
        Ok(())
    }

    /// Is a flag said?
    pub fn said(&self) -> Result<bool, Wrong> {
        match self {
            Value::Flag(said) => Ok(*said),
            Value::Text(text) if text == "true" => Ok(true),
            Value::Text(text) if text == "false" => Ok(false),
            _ => Err(Wrong::new("this is said or not: write true or false")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn numbers_are_read_from_numbers_and_from_texts() {
        for json in ["5", "\"5\"", "[5]"] {
            let mut slot = None;
            value(json).whole::<u32>(&mut slot).unwrap();
            assert_eq!(slot, Some(5), "{json}");
        }
        let mut slot = None;
        assert_eq!(value("5.5").whole::<u32>(&mut slot), Err(Wrong::new("`5.5` is no whole number")));
        assert_eq!(value("-1").whole::<u32>(&mut slot), Err(Wrong::new("`-1` is no whole number")));
        let mut number = None;
        value("\"0.25\"").number(&mut number).unwrap();
        assert_eq!((slot, number), (None, Some(0.25)));
    }

    #[test]
    fn a_seed_of_64_bits_survives() {
        let mut slot = None;
        value("18446744073709551615").whole::<u64>(&mut slot).unwrap();
        assert_eq!(slot, Some(u64::MAX));
    }

    #[test]
    fn a_map_says_the_same_as_texts() {
        assert_eq!(value(r#"{"age,sex": 20, "zip": 5}"#).entries(':').unwrap(), ["age,sex:20", "zip:5"]);
        assert_eq!(value(r#"["age,sex:20", "zip:5"]"#).entries(':').unwrap(), ["age,sex:20", "zip:5"]);
        assert!(value(r#"{"a": [1, 2]}"#).entries(':').is_err());
    }

    #[test]
    fn flags_are_true_or_false() {
        let said = |json: &str| value(json).said().ok();
        assert_eq!([said("true"), said("false"), said("\"true\"")], [Some(true), Some(false), Some(true)]);
        assert_eq!([said("1"), said("\"yes\"")], [None, None]);
    }
}
