//! `cutline attack`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::engine::Engine;
use cutline::model::Recoding;
use cutline::model::recoding::Unknown;
use cutline::spec::Spec;
use cutline::{Error, Release, Table, cores, give_taxonomy, read_text, source_options};
use cutline_report::text::{AttackSummary, ComparedSummary};
use cutline_study::attack::Attack;
use serde_json::json;

use super::verify::table_of;
use crate::args::AttackArgs;
use crate::names;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: AttackArgs) -> Result<ExitCode, Error> {
    let recoding = recoding(&args)?;
    let spec = args.read.spec()?;
    let open = |location: &str| {
        let location = table_of(Path::new(location))?.display().to_string();
        Table::open(&location, &source_options(&spec)?, args.threads.unwrap_or_else(cores))
    };
    let progress = Progress::new(args.json);
    if let [_, _, ..] = &args.released[..] {
        return several(&args, &spec, open, &progress);
    }
    let (released, external) = (open(args.first())?, open(&args.external)?);
    let attack = |on: Vec<String>| {
        let attack = Attack {
            on,
            truth: args.truth.clone(),
            person: person(&args, recoding.as_ref(), &released),
            sensitive: args.sensitive.iter().flat_map(|names| names::list(names)).collect(),
            recoding: recoding.clone(),
            nulls: spec.input.null.clone(),
        };
        attack.run(&released, &external, &progress)
    };
    let attacked = attacked(&args, recoding.as_ref());
    warn_of_private(recoding.as_ref(), &attacked);
    let outcomes = attacked.into_iter().map(attack).collect::<Result<Vec<_>, _>>();
    progress.finish();
    let outcomes = outcomes?;
    if args.json {
        out::print(format_args!("{:#}\n", json!({ "attacks": outcomes })))?;
    } else {
        out::print(format_args!("{}: {} records\n", args.first(), outcomes[0].records))?;
        out::print(format_args!("{}: {} persons\n", args.external, outcomes[0].persons))?;
        outcomes.iter().try_for_each(|outcome| out::print(format_args!("\n{}", AttackSummary(outcome))))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What comparing several releases tells.
fn several(
    args: &AttackArgs,
    spec: &Spec,
    open: impl Fn(&str) -> Result<Table, Error>,
    progress: &Progress,
) -> Result<ExitCode, Error> {
    let tables = args.released.iter().map(|location| open(location)).collect::<Result<Vec<_>, _>>()?;
    let release = |(table, location): (&'_ Table, &String)| {
        let recoding = Release::at(Path::new(location))?.map(|release| release.recoding().clone());
        Ok((table.clone(), recoding))
    };
    let releases = tables.iter().zip(&args.released).map(release).collect::<Result<Vec<_>, Error>>()?;
    let releases: Vec<(&dyn Engine, Option<Recoding>)> =
        releases.iter().map(|(table, recoding)| (table as &dyn Engine, recoding.clone())).collect();
    let last = releases.last().and_then(|(_, recoding)| recoding.as_ref());
    let sensitive: Vec<String> = args.sensitive.iter().flat_map(|names| names::list(names)).collect();
    let external = open(&args.external)?;
    let compare = |on: Vec<String>| {
        let nulls = spec.input.null.clone();
        Attack { on, sensitive: sensitive.clone(), nulls, ..Attack::default() }.compare(&releases, &external, progress)
    };
    let outcomes = attacked(args, last).into_iter().map(compare).collect::<Result<Vec<_>, _>>();
    progress.finish();
    let outcomes = outcomes?;
    if args.json {
        out::print(format_args!("{:#}\n", json!({ "comparisons": outcomes })))?;
    } else {
        out::print(format_args!("{}: {} persons\n", args.external, outcomes[0].persons))?;
        let summary = |outcome| ComparedSummary { outcome, names: &args.released };
        outcomes.iter().try_for_each(|outcome| out::print(format_args!("\n{}", summary(outcome))))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The column that was named, or that of a release whose table has it.
fn person(args: &AttackArgs, recoding: Option<&Recoding>, released: &Table) -> Option<String> {
    let own = recoding.and_then(|recoding| recoding.requirement.person.as_ref());
    let published = own.filter(|name| released.columns().iter().any(|column| column.name == **name));
    args.person.as_ref().or(published).cloned()
}

/// The recoding that was named, or that of a release.
fn recoding(args: &AttackArgs) -> Result<Option<Recoding>, Error> {
    let stored = |path: &PathBuf| {
        let recoding = Recoding::from_json(&read_text(path)?);
        recoding.map_err(|source| Error::Recoding { path: path.clone(), source })
    };
    let own = || Ok::<_, Error>(Release::at(Path::new(args.first()))?.map(|release| release.recoding().clone()));
    let recoding = args.recoding.as_ref().map_or_else(own, |path| stored(path).map(Some))?;
    let Some(mut recoding) = recoding else {
        return match args.taxonomy.first() {
            None => Ok(None),
            Some(_) => Err(Error::NotSaid {
                what: "a taxonomy is given, but no recoding that has a private one".to_owned(),
                hint: "name the release, or its recoding.json with --recoding",
            }),
        };
    };
    for (name, file) in &args.taxonomy {
        // Were labels that the taxonomy lacks let through, the attack with a wrong one would find nothing, and seem harmless.
        give_taxonomy(&mut recoding, name, Path::new(file), Unknown::Error)?;
    }
    Ok(Some(recoding))
}

/// An attack by somebody who knows less than the publisher finds less: that must not be taken for the whole risk.
fn warn_of_private(recoding: Option<&Recoding>, attacked: &[Vec<String>]) {
    for name in recoding.iter().flat_map(|recoding| &recoding.private_taxonomies) {
        let tells =
            recoding.and_then(|recoding| recoding.attributes.get(name)).is_some_and(|one| one.labels().len() > 1);
        if tells && attacked.iter().any(|on| on.contains(name)) {
            out::tell(format_args!(
                "note: the taxonomy of `{name}` is private, so its values match any label; whoever has it or guesses it learns more: \
                 see that with --taxonomy {name}=FILE"
            ));
        }
    }
}

impl AttackArgs {
    /// The table that is attacked, if there is one.
    fn first(&self) -> &str {
        self.released.first().map_or("", String::as_str)
    }
}

/// The columns of each attack: at least one, if only to say that there are none.
fn attacked(args: &AttackArgs, recoding: Option<&Recoding>) -> Vec<Vec<String>> {
    let named: Vec<Vec<String>> = args.on.iter().map(|names| names::list(names)).collect();
    let qids = recoding.iter().flat_map(|recoding| &recoding.requirement.qids).map(|qid| qid.attributes.clone());
    let attacked: Vec<Vec<String>> = if named.is_empty() { qids.collect() } else { named };
    if attacked.is_empty() { vec![Vec::new()] } else { attacked }
}
