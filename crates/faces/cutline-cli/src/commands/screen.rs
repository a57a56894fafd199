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
    let table = database::table(&args.data, &spec, args.threads.unwrap_or_else(cores))?;
    let progress = Progress::new(args.json);
    let screen =
        screen(&table, &ScreenPlan { qids: args.qid, nulls: spec.input.null, ..ScreenPlan::default() }, &progress);
    progress.finish();
    let screen = screen?;
    if args.json {
        out::print(screen.to_json())?;
    } else {
        out::print(format_args!("{}: {} records\n{}", args.data, screen.records, ScreenSummary(&screen)))?;
    }
    Ok(ExitCode::SUCCESS)
}
