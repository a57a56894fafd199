//! What is known of single attributes.

use std::path::PathBuf;

use cutline_model::{Date, DateForm, Identifier, Kind, Role, Scale, parse_number};
use cutline_settings::{Reach, Setting, Shape, Value, Wrong};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::names;

/// What is known of the attributes, by name.
pub type Attributes = IndexMap<String, AttributeSpec>;

/// What is known of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeSpec {
    /// Its role. Quasi attributes and the target follow from the QIDs and the purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// What becomes of an identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<Identifier>,
    /// Overrides the guessed kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The file of its taxonomy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxonomy: Option<PathBuf>,
    /// Is the taxonomy not to be published? What is below the cut is in no file of the release then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
    /// Is it meant to be published as it is, whatever it looks like?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<bool>,
    /// The declared range of a continuous attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
    /// Where the line must be open: nodes, bounds, values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// Where the line must stay closed: nodes, intervals, values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// How dates are written, if not as ISO 8601 says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<DateForm>,
    /// Publish the age at this date in place of a date of birth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age_at: Option<Date>,
    /// The only bounds that intervals may have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bins: Option<Vec<f64>>,
    /// Numbers below and above are not told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clamp: Option<(f64, f64)>,
    /// Intervals begin and end at multiples of this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<f64>,
}

/// What is said of single attributes.
pub(super) const SETTINGS: &[Setting<Attributes>] = &[
    Setting {
        name: "taxonomy",
        key: "NAME.taxonomy",
        shape: Shape::PerAttribute,
        placeholder: "NAME=FILE",
        default: "frequent values are kept, the others become `*`; numbers become intervals",
        help: "Taxonomy of an attribute: outline, ARX CSV or JSON, or builtin:NAME; repeat for several",
        doc: "An outline has two spaces a level, ARX CSV a line for each leaf (`leaf;…;root`). A path in a spec is relative to the \
              spec's folder. `builtin:countries`, `builtin:icd-10` and others come with the program: `cutline taxonomy list`.",
        example: "education=education.txt",
        set: |attributes, value| {
            for (name, file) in assignments(value)? {
                attributes.entry(name).or_default().taxonomy = Some(file.into());
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "private-taxonomy",
        key: "NAME.private",
        shape: Shape::Names,
        default: "taxonomies are published",
        help: "Publish nothing of these taxonomies that is below the cut: they were made from values of records (several: a,b)",
        doc: "To apply such a recoding to another table the taxonomy must be given again.",
        example: "zip",
        set: |attributes, value| each(attributes, value, |attribute| attribute.private = Some(true)),
        ..Setting::BLANK
    },
    Setting {
        name: "range",
        key: "NAME.range",
        shape: Shape::PerAttribute,
        placeholder: "NAME=LOW..HIGH",
        default: "the outermost bounds are not told",
        help: "Declared range of a continuous attribute",
        doc: "The outermost intervals are written with these bounds. Without them they are written `<37` and `>=37`, because the smallest \
              and the largest value of the data may identify someone. In a spec: `range = [0, 120]`.",
        example: "age=0..120",
        set: |attributes, value| set_pairs(attributes, value, |attribute, ends| attribute.range = Some(ends)),
        ..Setting::BLANK
    },
    Setting {
        name: "bins",
        key: "NAME.bins",
        shape: Shape::PerAttribute,
        placeholder: "NAME=BOUNDS",
        default: "any value may be a bound",
        help: "The bounds that intervals of a continuous attribute may have, as in age=0,18,30,50,65",
        doc: "The search chooses among these intervals and unions of neighbours. What is below the first bound is an interval of its own. \
              In a spec: `bins = [0, 18, 30, 50, 65]`.",
        example: "age=18,30,50,65",
        set: set_bins,
        ..Setting::BLANK
    },
    Setting {
        name: "round",
        key: "NAME.round",
        shape: Shape::PerAttribute,
        placeholder: "NAME=STEP",
        default: "any value may be a bound",
        help: "Intervals of a continuous attribute begin and end at multiples of a number, as in income=1000",
        doc: "No interval is narrower than the step. In a spec: `round = 1000`.",
        example: "income=1000",
        set: |attributes, value| {
            for (name, step) in assignments(value)? {
                attributes.entry(name).or_default().round = Some(number(&step)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "clamp",
        key: "NAME.clamp",
        shape: Shape::PerAttribute,
        placeholder: "NAME=LOW..HIGH",
        default: "all values may be told apart",
        help: "Bottom and top code of a continuous attribute: numbers beyond are not told apart, as in income=0..200000",
        doc: "What is above is published as `>=200000` at most, however many such records there are. Unlike a range, it is no error to be \
              beyond. In a spec: `clamp = [0, 200000]`.",
        example: "income=0..200000",
        set: |attributes, value| set_pairs(attributes, value, |attribute, ends| attribute.clamp = Some(ends)),
        ..Setting::BLANK
    },
    Setting {
        name: "date",
        key: "NAME.kind",
        shape: Shape::Names,
        default: "recognized if all values are dates of ISO 8601, as in 1984-03-05",
        help: "Treat as dates, which are masked along the calendar (several: a,b)",
        doc: "Intervals begin and end with decades, years, quarters, months, weeks or days, the longest first, and are written \
              `1980s`, `1984`, `1984-Q2`, `1984-03`, `1984-W10` or `[1984-03, 1984-09)`. A time is passed over: the day is that of the \
              zone which the time is told in. In a spec: `kind = \"date\"`.",
        example: "birth",
        set: |attributes, value| each(attributes, value, |attribute| attribute.kind = Some(Kind::Date)),
        ..Setting::BLANK
    },
    Setting {
        name: "date-format",
        key: "NAME.date_format",
        shape: Shape::PerAttribute,
        placeholder: "NAME=FORMAT",
        default: "ISO 8601, as in 1984-03-05",
        help: "How the dates of a column are written, as in birth=%d.%m.%Y",
        doc: "`%d` is the day, `%m` the month, `%b` its English name, `%Y` the year; what else stands there must stand in the values. \
              Which of two numbers is the day is never guessed.",
        example: "birth=%d.%m.%Y",
        set: |attributes, value| {
            for (name, form) in assignments(value)? {
                attributes.entry(name).or_default().date_format = Some(form.parse().map_err(Wrong::new)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "age-at",
        key: "NAME.age_at",
        shape: Shape::PerAttribute,
        placeholder: "NAME=DATE",
        default: "dates are masked as dates",
        help: "Publish the age at a date in place of a date of birth, as in birth=2026-01-01",
        doc: "Completed years, masked as numbers: ‹range›, ‹bins› and so on speak of years. The column keeps its name.",
        example: "birth=2026-01-01",
        set: |attributes, value| {
            for (name, date) in assignments(value)? {
                attributes.entry(name).or_default().age_at = Some(date.parse().map_err(Wrong::new)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "pin-open",
        key: "NAME.open",
        shape: Shape::PerAttribute,
        placeholder: "NAME=LABEL",
        default: "the search decides",
        help: "Tell at least this: what is below a node of a taxonomy, a bound between numbers, a value; repeat for several",
        doc: "A search begins with it, whatever it gains, and fails if the requirement does not hold then. A bound is at the first value of \
              the table that is not below it. For tdr, tds and refine. In a spec a list: `open = [\"University\"]`.",
        example: "education=University",
        clear: |attributes| attributes.values_mut().for_each(|attribute| attribute.open.clear()),
        set: |attributes, value| {
            for (name, label) in each_of(value)? {
                attributes.entry(name).or_default().open.push(label);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "pin-closed",
        key: "NAME.closed",
        shape: Shape::PerAttribute,
        placeholder: "NAME=LABEL",
        default: "the search decides",
        help: "Tell no more than this: nothing below a node of a taxonomy, no bound in an interval, not this value (*: no other bound or value than those that are open); repeat for several",
        doc: "An interval, as in `[20-37)`, `<20` or `>=37`, stays as it is: its bounds are told, and none between them. For tdr, tds and \
              refine. In a spec a list: `closed = [\"Secondary\"]`.",
        example: "education=Secondary",
        clear: |attributes| attributes.values_mut().for_each(|attribute| attribute.closed.clear()),
        set: |attributes, value| {
            for (name, label) in each_of(value)? {
                attributes.entry(name).or_default().closed.push(label);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
    Setting {
        name: "categorical",
        key: "NAME.kind",
        shape: Shape::Names,
        default: "guessed from the values",
        help: "Treat as names, even if the values are numbers (several: a,b)",
        doc: "In a spec: `kind = \"categorical\"`.",
        example: "zip",
        set: |attributes, value| each(attributes, value, |attribute| attribute.kind = Some(Kind::Categorical)),
        ..Setting::BLANK
    },
    Setting {
        name: "continuous",
        key: "NAME.kind",
        shape: Shape::Names,
        default: "guessed from the values",
        help: "Treat as numbers (several: a,b)",
        doc: "In a spec: `kind = \"continuous\"`.",
        example: "score",
        set: |attributes, value| each(attributes, value, |attribute| attribute.kind = Some(Kind::Continuous)),
        ..Setting::BLANK
    },
    Setting {
        name: "drop",
        key: "NAME.identifier",
        shape: Shape::Names,
        help: "Do not publish these columns (several: a,b)",
        doc: "In a spec: `identifier = \"drop\"`.",
        example: "name,phone",
        set: |attributes, value| each(attributes, value, |attribute| attribute.identifier = Some(Identifier::Drop)),
        ..Setting::BLANK
    },
    Setting {
        name: "tokenize",
        key: "NAME.identifier",
        shape: Shape::Names,
        help: "Replace the values of these columns by random tokens (several: a,b)",
        doc: "Equal values get equal tokens, others in every release unless there is a ‹token-key›. In a spec: `identifier = \"tokenize\"`.",
        example: "patient_id",
        set: |attributes, value| each(attributes, value, |attribute| attribute.identifier = Some(Identifier::Tokenize)),
        ..Setting::BLANK
    },
    Setting {
        name: "shift",
        key: "NAME.identifier",
        shape: Shape::Names,
        help: "Move the dates of these columns by up to 52 weeks, all of a ‹person› by the same number (several: a,b)",
        doc: "The number of weeks is secret, never 0, and another one in every release unless there is a ‹token-key›. What lies between two \
              dates of a person survives, and so does the weekday; what that does not protect is told in \
              [dates that are moved](how-to/real-tables.md#dates-that-are-moved). In a spec: `identifier = \"shift\"`.",
        example: "admission,discharge",
        set: |attributes, value| each(attributes, value, |attribute| attribute.identifier = Some(Identifier::Shift)),
        ..Setting::BLANK
    },
    Setting {
        name: "keep",
        key: "NAME.keep",
        shape: Shape::Names,
        default: "a column that names persons is refused",
        help: "Publish these columns as they are, although they look identifying (several: a,b)",
        doc: "Names, e-mail addresses, telephone, account and case numbers, addresses, exact times and free text are not published \
              unless it is said that this is meant. What else is found of such a column is in the private report; nothing is warned of.",
        example: "case_number",
        set: |attributes, value| each(attributes, value, |attribute| attribute.keep = Some(true)),
        ..Setting::BLANK
    },
    Setting {
        name: "sensitive",
        key: "NAME.role",
        shape: Shape::Names,
        default: "what conditions are about",
        help: "Watch what groups tell about these columns (several: a,b): how sure of a value they make, and where it is certain",
        doc: "What others should not learn. It is published as it is; the report tells the highest confidence that any group gives about \
              it, and how many groups have one value only. In a spec: `role = \"sensitive\"`.",
        example: "diagnosis",
        set: |attributes, value| each(attributes, value, |attribute| attribute.role = Some(Role::Sensitive)),
        ..Setting::BLANK
    },
    Setting {
        name: "role",
        key: "NAME.role",
        shape: Shape::PerAttribute,
        placeholder: "NAME=ROLE",
        default: "follows from the QIDs and the purpose",
        help: "Role of an attribute: identifier, quasi, sensitive, target or other",
        doc: "An `identifier` is dropped, a `sensitive` one watched; the other roles follow from what else is said and are notes to the reader of the spec.",
        example: "name=identifier",
        reach: Reach::Spec,
        set: |attributes, value| {
            for (name, role) in assignments(value)? {
                attributes.entry(name).or_default().role = Some(parse_role(&role)?);
            }
            Ok(())
        },
        ..Setting::BLANK
    },
];

/// Says something of each named attribute.
fn each(attributes: &mut Attributes, value: &Value, say: fn(&mut AttributeSpec)) -> Result<(), Wrong> {
    names(value)?.into_iter().for_each(|name| say(attributes.entry(name).or_default()));
    Ok(())
}

/// `name=text` of each.
fn assignments(value: &Value) -> Result<Vec<(String, String)>, Wrong> {
    let assignment = |text: String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Wrong::new("write it as NAME=VALUE")),
    };
    value.entries('=')?.into_iter().map(assignment).collect()
}

/// The same, where a map may have several texts for a name.
fn each_of(value: &Value) -> Result<Vec<(String, String)>, Wrong> {
    let Value::Map(map) = value else { return assignments(value) };
    let mut each = Vec::new();
    for (name, value) in map {
        each.extend(value.texts()?.into_iter().map(|text| (name.clone(), text)));
    }
    Ok(each)
}

/// `name=low..high` of each; in a map they may also be a list of two numbers.
fn set_pairs(attributes: &mut Attributes, value: &Value, say: fn(&mut AttributeSpec, (f64, f64))) -> Result<(), Wrong> {
    for (name, bounds) in assignments(&joined(value, "..")?)? {
        let (low, high) = bounds.split_once("..").ok_or_else(|| Wrong::new("write it as NAME=LOW..HIGH"))?;
        say(attributes.entry(name).or_default(), (number(low)?, number(high)?));
    }
    Ok(())
}

/// `name=bound,bound,bound` of each; in a map they may also be a list of numbers.
fn set_bins(attributes: &mut Attributes, value: &Value) -> Result<(), Wrong> {
    for (name, bounds) in assignments(&joined(value, ",")?)? {
        let bounds = bounds.split(',').map(number).collect::<Result<_, _>>()?;
        attributes.entry(name).or_default().bins = Some(bounds);
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, Wrong> {
    parse_number(text).ok_or_else(|| match Scale::dates().read(text) {
        Some(_) => {
            Wrong::new(format!("`{text}` is a date, and bounds are for numbers: dates are cut where the calendar cuts"))
        }
        None => Wrong::new(format!("`{text}` is no number")),
    })
}

/// A map with its lists as texts.
fn joined(value: &Value, between: &str) -> Result<Value, Wrong> {
    let as_text = |value: &Value| match value {
        Value::List(_) => Ok(Value::Text(value.texts()?.join(between))),
        other => Ok(other.clone()),
    };
    let Value::Map(map) = value else { return Ok(value.clone()) };
    map.iter().map(|(name, said)| Ok((name.clone(), as_text(said)?))).collect::<Result<_, _>>().map(Value::Map)
}

fn parse_role(text: &str) -> Result<Role, Wrong> {
    let name = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(text);
    Role::deserialize(name).map_err(Wrong::new)
}
