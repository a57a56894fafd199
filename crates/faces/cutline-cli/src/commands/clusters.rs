//! `cutline evaluate RAW MASKED --clusters N`.

use std::path::Path;
use std::process::ExitCode;

use cutline::spec::IfMissing;
use cutline::{Error, Table, cores, source_options};
use cutline_report::text::TableComparisonSummary;
use cutline_study::clusters::{CompareOptions, compare_tables};

use super::evaluate::{ignored, kinds};
use super::verify::{recoding_of, table_of};
use crate::args::EvaluateArgs;
use crate::out;
use crate::progress::Progress;

/// Compares the clusters of two tables.
pub(crate) fn evaluate(args: EvaluateArgs, clusters: u32) -> Result<ExitCode, Error> {
    let masked = args.masked.clone().ok_or(Error::NotSaid {
        what: "there is no table to compare with".to_owned(),
        hint: "name the masked table too: cutline evaluate RAW MASKED --clusters 6 (to mask a table, use anonymize)",
    })?;
    let (raw, json, spec) = (args.input.clone(), args.json, args.settings.spec()?);
    let method = spec.purpose.clustering.clone();
    let threads = spec.search.threads.filter(|&threads| threads > 0).unwrap_or_else(cores);
    let open = |location: &str| {
        let location = table_of(Path::new(location))?.display().to_string();
        Table::open(&location, &source_options(&spec)?, threads)
    };
    let algorithm = method.algorithm.unwrap_or_default();
    let options = CompareOptions {
        clusters,
        algorithm,
        recipient: method.recipient.unwrap_or(algorithm),
        encode: method.encode_names.unwrap_or_default(),
        seed: spec.search.seed.unwrap_or_default(),
        on: method.on,
        not_on: method.not_on.into_iter().chain(ignored(&spec)).collect(),
        kinds: kinds(&spec),
        nulls: spec.input.null.clone(),
        missing: spec.input.missing.unwrap_or(IfMissing::Value),
        recoding: recoding_of(Path::new(&masked))?,
        threads,
    };
    let progress = Progress::new(json);
    let comparison = open(&raw).and_then(|raw| compare_tables(&raw, &open(&masked)?, &options, &progress));
    progress.finish();
    let comparison = comparison?;
    if json {
        // Plain data: writing it as JSON cannot fail.
        out::print(format_args!("{}\n", serde_json::to_string_pretty(&comparison).unwrap_or_default()))?;
    } else {
        out::print(TableComparisonSummary(&comparison))?;
    }
    Ok(ExitCode::SUCCESS)
}
