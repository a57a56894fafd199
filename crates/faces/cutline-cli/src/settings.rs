//! Settings as flags: the command's flags are made from their definitions.

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fmt;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use cutline::Error;
use cutline::settings::{Definition, Reach, Section, SettingError, Shape, Value, all, mentions};
use cutline::spec::Spec;

/// Which settings a command has.
pub(crate) trait Selection: 'static {
    /// Has it this one?
    fn has(setting: &Definition) -> bool;
}

/// All of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Everything;

/// Those that say how to mask a table without publishing it, and how to cluster.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evaluating;

/// How a table is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading;

/// How a table is read, and what a recoding does not say of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Applying;

/// How a table is read that must satisfy conditions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verifying;

impl Selection for Everything {
    fn has(_: &Definition) -> bool {
        true
    }
}

impl Selection for Evaluating {
    fn has(setting: &Definition) -> bool {
        match setting.section {
            Section::Output => false,
            Section::Clusters => {
                ["clustering", "recipient-clustering", "cluster-on", "not-cluster-on"].contains(&setting.name)
            }
            // What is evaluated is not published.
            _ => !["keep", "sensitive"].contains(&setting.name),
        }
    }
}

impl Selection for Reading {
    fn has(setting: &Definition) -> bool {
        setting.section == Section::Input
    }
}

impl Selection for Applying {
    fn has(setting: &Definition) -> bool {
        Reading::has(setting)
            || ["drop", "tokenize", "unknown", "shuffle", "shuffle-key", "token-key", "format", "into"]
                .contains(&setting.name)
    }
}

impl Selection for Verifying {
    fn has(setting: &Definition) -> bool {
        [
            "condition",
            "bound",
            "person",
            "weight",
            "sampling-fraction",
            "table",
            "query",
            "null",
            "input-format",
            "delimiter",
            "encoding",
            "decimal",
            "thousands",
            "no-header",
        ]
        .contains(&setting.name)
    }
}

/// The settings of a selection that were said by flag.
pub(crate) struct Said<S> {
    said: Vec<(&'static str, Value)>,
    selection: PhantomData<S>,
}

impl<S: Selection> Said<S> {
    /// A spec of nothing else.
    pub(crate) fn spec(&self) -> Result<Spec, Error> {
        self.over(Spec::default())
    }

    /// The spec with everything that was said in place of what it said: flags win.
    pub(crate) fn over(&self, mut spec: Spec) -> Result<Spec, Error> {
        spec.set_all(self.said.iter().map(|(name, value)| (*name, value)))?;
        Ok(spec)
    }

    fn selected() -> impl Iterator<Item = &'static Definition> {
        all().iter().filter(|setting| setting.reach == Reach::Everywhere && S::has(setting))
    }
}

impl<S> fmt::Debug for Said<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Said").field(&self.said).finish()
    }
}

impl<S: Selection> Args for Said<S> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::selected().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: Selection> FromArgMatches for Said<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let said = Self::selected().filter_map(|setting| Some((setting.name, value(setting, matches)?))).collect();
        Ok(Said { said, selection: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of a setting.
fn argument(setting: &'static Definition) -> Arg {
    let argument = Arg::new(setting.name).long(setting.name).help_heading(setting.section.title()).help(help(setting));
    if setting.shape == Shape::Flag {
        return argument.action(ArgAction::SetTrue);
    }
    let action = if setting.shape.repeats() { ArgAction::Append } else { ArgAction::Set };
    let argument = argument.action(action).value_name(setting.placeholder).value_parser(Checked(setting));
    // A text may be anything, also `-`.
    if setting.shape == Shape::Texts { argument.allow_hyphen_values(true) } else { argument }
}

fn help(setting: &Definition) -> String {
    let help = flags(setting.help);
    match setting.default {
        default if default.is_empty() || setting.shape == Shape::Flag => help,
        default => format!("{help} [default: {default}]"),
    }
}

/// What was said of a setting, if anything was.
fn value(setting: &Definition, matches: &ArgMatches) -> Option<Value> {
    if setting.shape == Shape::Flag {
        return matches.get_flag(setting.name).then_some(Value::Flag(true));
    }
    let texts: Vec<&str> = matches.get_many::<String>(setting.name)?.map(String::as_str).collect();
    Some(match setting.shape {
        // `--drop a,b --drop c` are three names.
        Shape::Names => Value::from(&texts.join(",")[..]),
        shape if shape.repeats() => Value::List(texts.into_iter().map(Value::from).collect()),
        _ => Value::from(texts.last().copied()?),
    })
}

/// Refuses what is no value for a setting while the arguments are read, so that the message names the flag.
#[derive(Clone)]
struct Checked(&'static Definition);

impl TypedValueParser for Checked {
    type Value = String;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, text: &OsStr) -> Result<String, clap::Error> {
        let said = StringValueParser::new().parse_ref(command, flag, text)?;
        match self.0.check(&Value::from(&said[..])) {
            Ok(()) => Ok(said),
            Err(_) if !self.0.choices.is_empty() => {
                let names = self.0.choices.iter().map(|choice| choice.name);
                PossibleValuesParser::new(names).parse_ref(command, flag, text)
            }
            Err(error) => (move |_: &str| Err::<String, String>(reason(&error))).parse_ref(command, flag, text),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |choice: &cutline::settings::Choice| PossibleValue::new(choice.name).help(choice.help);
        (!self.0.choices.is_empty()).then(|| Box::new(self.0.choices.iter().map(value)) as Box<_>)
    }
}

/// What is wrong with a value, where the flag is named anyway.
pub(crate) fn reason(error: &SettingError) -> String {
    match error {
        SettingError::Value { wrong, .. } => flags(&wrong.what),
        unknown => unknown.to_string(),
    }
}

/// A message of the library with its settings as flags.
pub(crate) fn flags(text: &str) -> String {
    mentions(text, |name, value| match value {
        Some(value) => format!("--{name} {value}"),
        None => format!("--{name}"),
    })
}
