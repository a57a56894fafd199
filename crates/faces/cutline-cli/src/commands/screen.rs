//! `cutline screen`.

use std::process::ExitCode;

use cutline::{Error, ScreenPlan, cores, screen};
use cutline_report::text::ScreenSummary;

use crate::args::ScreenArgs;
use crate::database;
use crate::out;
use crate::progress::Progress;

pub(crate) fn run(args: ScreenArgs) -> Result<ExitCode, Error> {
    let spec = args.read.spec()?;
    let threads = args.threads.unwrap_or_else(cores);
    let table = database::table(&args.data, &spec, threads)?;
    let progress = Progress::new(args.json);
    let plan = ScreenPlan { qids: args.qid, nulls: spec.input.null, threads, ..ScreenPlan::default() };
    let screen = screen(&table, &plan, &progress);
    progress.finish();
    let screen = screen?;
    if args.json {
        out::print(screen.to_json())?;
    } else {
        out::print(format_args!("{}: {} records\n{}", args.data, screen.records, ScreenSummary(&screen)))?;
    }
    Ok(ExitCode::SUCCESS)
}
