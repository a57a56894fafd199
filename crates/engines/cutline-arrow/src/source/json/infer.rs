//! Which columns do lines of JSON have, and of which type?
//!
//! We infer by hand, not with `arrow-json`: there the order of columns is that of a hash map,
//! messages quote the values, and all values are built only to be looked at. Here keys stand in the
//! order in which they first appear, and blocks are looked at on all cores and merged.

use std::fmt;
use std::mem::discriminant;

use arrow_schema::{DataType, Field, Fields};
use foldhash::fast::FixedState;
use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// What the values of a key have in common.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JsonKind {
    /// Only nulls so far.
    Nothing,
    Boolean,
    Integer,
    /// Whole numbers, some of which are no floating-point numbers.
    Long,
    Float,
    /// Strings, or scalars of several kinds: each is read as its own text.
    Text,
    List(Box<JsonKind>),
    Object(Keys),
}

/// The keys of an object in the order of their first appearance.
pub(super) type Keys = IndexMap<String, JsonKind, FixedState>;

/// A key that holds values which no column can hold together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    pub(super) key: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.key.is_empty() {
            return f.write_str("not a JSON object");
        }
        write!(f, "`{}` holds a list, an object or a scalar, and another of these before", self.key)
    }
}

impl JsonKind {
    /// The kind of this and the other values together.
    pub(super) fn merge(&mut self, other: JsonKind, key: &str) -> Result<(), Conflict> {
        match (&mut *self, other) {
            (_, JsonKind::Nothing) => Ok(()),
            (JsonKind::Nothing, other) => {
                *self = other;
                Ok(())
            }
            (JsonKind::List(items), JsonKind::List(others)) => items.merge(*others, key),
            (JsonKind::Object(keys), JsonKind::Object(others)) => merge_keys(keys, others),
            (JsonKind::List(_) | JsonKind::Object(_), _) | (_, JsonKind::List(_) | JsonKind::Object(_)) => {
                Err(Conflict { key: key.to_string() })
            }
            (mine, other) if *mine == other => Ok(()),
            (JsonKind::Integer | JsonKind::Long, JsonKind::Integer | JsonKind::Long) => {
                *self = JsonKind::Long;
                Ok(())
            }
            (JsonKind::Integer | JsonKind::Float, JsonKind::Integer | JsonKind::Float) => {
                *self = JsonKind::Float;
                Ok(())
            }
            _ => {
                *self = JsonKind::Text;
                Ok(())
            }
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            JsonKind::Boolean => DataType::Boolean,
            JsonKind::Integer | JsonKind::Long => DataType::Int64,
            JsonKind::Float => DataType::Float64,
            JsonKind::Nothing | JsonKind::Text => DataType::Utf8,
            JsonKind::List(items) => DataType::new_list(items.data_type(), true),
            JsonKind::Object(keys) => DataType::Struct(fields(keys)),
        }
    }
}

/// The columns for the keys of all records.
pub(super) fn fields(keys: &Keys) -> Fields {
    keys.iter().map(|(key, kind)| Field::new(key, kind.data_type(), true)).collect()
}

/// Adds the keys of later records.
pub(super) fn merge_keys(keys: &mut Keys, others: Keys) -> Result<(), Conflict> {
    for (key, kind) in others {
        match keys.get_mut(&key) {
            Some(mine) => mine.merge(kind, &key)?,
            None => {
                keys.insert(key, kind);
            }
        }
    }
    Ok(())
}

/// Adds the keys of one line; what is wrong with it otherwise, without its text.
pub(super) fn add_line(keys: &mut JsonKind, line: &str) -> Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let merge = Merge { kind: keys, key: "" };
    let outcome = merge.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    outcome.map_err(|error| match error.classify() {
        // Only ours are errors of data, and they hold no values; serde adds a position.
        serde_json::error::Category::Data => {
            let text = error.to_string();
            text.split(" at line ").next().unwrap_or_default().to_string()
        }
        _ => format!("not valid JSON at column {}", error.column()),
    })
}

/// Whole numbers up to this are floating-point numbers, too.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// Merges a value into a kind while it is parsed.
struct Merge<'a> {
    kind: &'a mut JsonKind,
    key: &'a str,
}

impl Merge<'_> {
    /// Adds a scalar.
    fn add<E: Error>(self, kind: JsonKind) -> Result<(), E> {
        if discriminant(self.kind) == discriminant(&kind) {
            return Ok(());
        }
        self.kind.merge(kind, self.key).map_err(E::custom)
    }
}

impl<'de> DeserializeSeed<'de> for Merge<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Merge<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        // A line that is null is not a record.
        if self.key.is_empty() { self.add(JsonKind::Boolean) } else { Ok(()) }
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.add(JsonKind::Boolean)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.add(if value.unsigned_abs() <= EXACT { JsonKind::Integer } else { JsonKind::Long })
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        // A number that is too large for the column type keeps its digits as text.
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => self.add(JsonKind::Text),
        }
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.add(JsonKind::Float)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.add(JsonKind::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Merge { kind, key } = self;
        kind.merge(JsonKind::List(Box::new(JsonKind::Nothing)), key).map_err(A::Error::custom)?;
        if let JsonKind::List(kind) = kind {
            while items.next_element_seed(Merge { kind: kind.as_mut(), key })?.is_some() {}
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Merge { kind, key } = self;
        kind.merge(JsonKind::Object(Keys::default()), key).map_err(A::Error::custom)?;
        if let JsonKind::Object(keys) = kind {
            let mut next = 0;
            while let Some(at) = entries.next_key_seed(Key { keys, guess: next })? {
                next = at + 1;
                if let Some((key, kind)) = keys.get_index_mut(at) {
                    entries.next_value_seed(Merge { kind, key })?;
                }
            }
        }
        Ok(())
    }
}

/// Finds or adds a key while it is parsed, and copies it only if it is new.
struct Key<'a> {
    keys: &'a mut Keys,
    /// Where the key is if this record has its keys in the order of those before it.
    guess: usize,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<usize, E> {
        if self.keys.get_index(self.guess).is_some_and(|(guess, _)| guess == key) {
            return Ok(self.guess);
        }
        Ok(match self.keys.get_index_of(key) {
            Some(at) => at,
            None => self.keys.insert_full(key.to_string(), JsonKind::Nothing).0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(lines: &[&str]) -> Result<Fields, String> {
        let mut kind = JsonKind::Object(Keys::default());
        for line in lines {
            add_line(&mut kind, line)?;
        }
        let JsonKind::Object(keys) = kind else { panic!("not an object") };
        Ok(fields(&keys))
    }

    fn kind_of(values: &[&str]) -> Result<DataType, String> {
        let lines: Vec<String> = values.iter().map(|value| format!("{{\"k\":{value}}}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        Ok(infer(&lines)?[0].data_type().clone())
    }

    #[test]
    fn scalars_meet_in_the_narrowest_type_that_holds_them() {
        assert_eq!(kind_of(&["1", "null", "-2"]), Ok(DataType::Int64));
        assert_eq!(kind_of(&["1", "2.5"]), Ok(DataType::Float64));
        assert_eq!(kind_of(&["true", "false"]), Ok(DataType::Boolean));
        assert_eq!(kind_of(&["true", "1"]), Ok(DataType::Utf8));
        assert_eq!(kind_of(&["1.5", "\"x\""]), Ok(DataType::Utf8));
        assert_eq!(kind_of(&["1", "18446744073709551615"]), Ok(DataType::Utf8));
        assert_eq!(kind_of(&["9007199254740993", "-1"]), Ok(DataType::Int64));
        assert_eq!(kind_of(&["9007199254740992", "0.5"]), Ok(DataType::Float64));
        for rounded in ["9007199254740993", "-9007199254740993"] {
            assert_eq!(kind_of(&["1", rounded, "0.5"]), Ok(DataType::Utf8), "digits are not lost");
            assert_eq!(kind_of(&["0.5", rounded]), Ok(DataType::Utf8));
        }
        assert_eq!(kind_of(&["null"]), Ok(DataType::Utf8));
    }

    #[test]
    fn lists_and_objects_are_merged_item_by_item() {
        assert_eq!(kind_of(&["[]", "[1]", "[2.5]"]), Ok(DataType::new_list(DataType::Float64, true)));
        let DataType::Struct(fields) = kind_of(&["{\"b\":1}", "{\"a\":1,\"b\":0.5}"]).unwrap() else {
            panic!("not an object")
        };
        let names: Vec<_> = fields.iter().map(|f| (f.name().as_str(), f.data_type())).collect();
        assert_eq!(names, [("b", &DataType::Float64), ("a", &DataType::Int64)]);
    }

    #[test]
    fn columns_stand_in_the_order_of_their_first_appearance() {
        let fields = infer(&["{\"z\":1,\"b\":1}", "{\"a\":1,\"z\":2}"]).unwrap();
        assert_eq!(fields.iter().map(|f| f.name()).collect::<Vec<_>>(), ["z", "b", "a"]);
    }

    #[test]
    fn problems_are_told_without_values() {
        let problem = infer(&["{\"k\":[1]}", "{\"k\":\"secret\"}"]).unwrap_err();
        assert!(problem.starts_with("`k` holds a list"), "{problem}");
        for line in ["\"secret\"", "[\"secret\"]", "null", "1"] {
            assert_eq!(infer(&[line]).unwrap_err(), "not a JSON object");
        }
        assert_eq!(infer(&["{\"a\": secret}"]).unwrap_err(), "not valid JSON at column 7");
        assert_eq!(infer(&["{\"a\": 1} {}"]).unwrap_err(), "not valid JSON at column 10");
        assert!(infer(&["{\"a\":"]).unwrap_err().starts_with("not valid JSON"));
    }
}
