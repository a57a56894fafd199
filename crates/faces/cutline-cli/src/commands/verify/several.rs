//! `cutline verify A B …`: what several releases tell together.

use std::process::ExitCode;

use cutline::model::{Qid, Requirement, Share};
use cutline::spec::Spec;
use cutline::{After, Error, Release, Table, compare_releases, cores, source_options};
use cutline_report::text::{JointConditionsTable, Timeline, TrueAnonymityTable};
use serde_json::json;

use crate::args::VerifyArgs;
use crate::out;
use crate::progress::Progress;

/// Counts who shares a trajectory: the same labels in the same releases.
pub(super) fn run(args: &VerifyArgs, spec: &Spec) -> Result<ExitCode, Error> {
    let paths = std::iter::once(&args.data).chain(&args.further);
    let earlier = paths.map(|path| Release::open(path)).collect::<Result<Vec<_>, _>>()?;
    let options = source_options(spec)?;
    let open = |location: &String| Table::open(location, &options, cores());
    let previous = args.previous.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let qids = requirement(args, &earlier)?;
    let releases = After { earlier, previous, hold_back: Share::NONE };
    let progress = Progress::new(args.json);
    let report = compare_releases(&releases, spec.person.as_deref(), &qids, &progress);
    progress.finish();
    let report = report?;
    if args.json {
        out::print(format_args!("{:#}\n", json!({ "holds": report.holds(), "series": report })))?;
    } else {
        out::print(format_args!("{} releases, {} persons\n", report.releases.len(), report.together.persons))?;
        out::print(TrueAnonymityTable(&report.together))?;
        out::print(JointConditionsTable(&report.conditions))?;
        if args.previous.is_empty() && releases.earlier.iter().any(has_conditions) {
            out::print(format_args!(
                "conditions of the releases are not counted: the tables that they were made from tell the values (--previous, --person)\n"
            ))?;
        }
        out::print(format_args!("\n{}", Timeline(&report.releases)))?;
    }
    Ok(if report.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn has_conditions(release: &Release) -> bool {
    release.requirement().iter().any(|qid| !qid.conditions.is_empty())
}

/// What must hold: what was said, or what any of the releases says of itself. Trajectories are only about how many persons there are.
fn requirement(args: &VerifyArgs, releases: &[Release]) -> Result<Vec<Qid>, Error> {
    if !args.qid.is_empty() {
        return Ok(args.qid.clone());
    }
    let promised = releases.iter().flat_map(Release::requirement).map(|qid| Qid::new(qid.attributes, qid.k));
    Ok(Requirement::new(promised.collect())?.qids().to_vec())
}
