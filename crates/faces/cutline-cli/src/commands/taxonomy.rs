//! `cutline taxonomy`.

mod build;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cutline::engine::{CompressPlan, Engine, Unwatched};
use cutline::model::recoding::LabelError;
use cutline::model::{Classification, Taxonomy};
use cutline::spec::Spec;
use cutline::{Destination, Error, Table, cores, read_taxonomy, source_options, write_text};

use crate::args::{TaxonomyCommand, TaxonomyFormat};
use crate::names;
use crate::out;

pub(crate) fn run(command: TaxonomyCommand) -> Result<ExitCode, Error> {
    match command {
        TaxonomyCommand::List => list(),
        TaxonomyCommand::Show { file, cut } => show(&file, cut.as_deref()),
        TaxonomyCommand::Check { file, data, column, read } => check(&file, data.zip(column), &read.spec()?),
        TaxonomyCommand::Convert { file, to, output, force } => convert(&file, to, output, force),
        TaxonomyCommand::Build(args) => build::run(args),
    }
}

fn read(file: &Path) -> Result<Taxonomy, Error> {
    read_taxonomy(&file.file_stem().unwrap_or_default().to_string_lossy(), file)
}

/// What comes with the program.
fn list() -> Result<ExitCode, Error> {
    for classification in Classification::all() {
        let Classification { name, about, example, source, licence, .. } = classification;
        out::print(format_args!("builtin:{name}\n  {about}: {example}\n  {source}; {licence}\n\n"))?;
    }
    out::print("name one as the taxonomy of a column, as in --taxonomy country=builtin:countries\n")?;
    Ok(ExitCode::SUCCESS)
}

fn show(file: &Path, cut: Option<&str>) -> Result<ExitCode, Error> {
    let taxonomy = read(file)?;
    let mut marked = Vec::new();
    for label in cut.map(names::list).unwrap_or_default() {
        let node = taxonomy.node(&label).ok_or_else(|| Error::NotSaid {
            what: format!("the taxonomy has no node `{label}`"),
            hint: "nodes of --cut are named by their labels, separated by commas",
        })?;
        marked.push(node);
    }
    out::print(taxonomy.show(&marked))?;
    if !marked.is_empty() && !taxonomy.is_cut(&marked) {
        out::tell("note: these nodes are no cut: every leaf must have exactly one of them above it");
    }
    Ok(ExitCode::SUCCESS)
}

fn check(file: &Path, column: Option<(String, String)>, spec: &Spec) -> Result<ExitCode, Error> {
    let taxonomy = read(file)?;
    let leaves = taxonomy.leaves().count();
    out::print(format_args!(
        "{}: {leaves} leaves, {} nodes, {} levels\n",
        file.display(),
        taxonomy.len(),
        taxonomy.height() + 1
    ))?;
    match column {
        None => Ok(ExitCode::SUCCESS),
        Some((data, column)) => check_values(&taxonomy, &data, &column, spec),
    }
}

fn check_values(taxonomy: &Taxonomy, data: &str, column: &str, spec: &Spec) -> Result<ExitCode, Error> {
    let engine = Table::open(data, &source_options(spec)?, cores())?;
    let index = cutline::parts::find_column(&engine, column)?;
    let plan = CompressPlan { columns: vec![index], nulls: spec.input.null.clone(), ..CompressPlan::default() };
    let table = engine.compress(&plan, &Unwatched)?.table;
    let unknown: Vec<LabelError> = table.columns[0]
        .values()
        .filter(|(value, _)| !taxonomy.node(value).is_some_and(|node| taxonomy.is_leaf(node)))
        .map(|(value, _)| LabelError::unknown(taxonomy, value))
        .collect();
    unknown.iter().for_each(|error| out::tell(format_args!("error: {error}")));
    if unknown.is_empty() {
        out::print(format_args!("all {} values of `{column}` are leaves\n", table.columns[0].values().count()))?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::from(2))
}

fn convert(file: &Path, to: TaxonomyFormat, output: Option<PathBuf>, force: bool) -> Result<ExitCode, Error> {
    let taxonomy = read(file)?;
    if matches!(to, TaxonomyFormat::Outline) && !taxonomy.fits_outline() {
        return Err(Error::NotSaid {
            what: "a label has blanks at its ends or a line break, which an outline cannot hold".to_owned(),
            hint: "convert it to json or arx",
        });
    }
    write(&taxonomy, to, output, force)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a taxonomy to a file, or to standard output.
fn write(taxonomy: &Taxonomy, format: TaxonomyFormat, output: Option<PathBuf>, force: bool) -> Result<(), Error> {
    let text = match format {
        TaxonomyFormat::Outline => taxonomy.to_outline(),
        TaxonomyFormat::Arx => taxonomy.to_arx(),
        TaxonomyFormat::Json => taxonomy.to_json() + "\n",
    };
    match output {
        None => out::print(text)?,
        Some(path) => write_text(&Destination { path, force }, &text)?,
    }
    Ok(())
}
