//! The `cutline` command: arguments in, a release out.

// Standard output may be closed or full: `out` knows what to do then.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod builtin;
mod commands;
mod database;
mod names;
mod out;
mod progress;
mod settings;
mod signals;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use cutline::Error;

use args::{Cli, Command};

fn main() -> ExitCode {
    cutline_allocator::share_freed_memory();
    let result = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(usage) => show(&usage),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            out::tell(format_args!("error: {}", settings::flags(&error.to_string())));
            if let Some(hint) = error.hint() {
                out::tell(format_args!("hint: {}", settings::flags(&hint)));
            }
            ExitCode::from(error.exit_status())
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Demo(args) => commands::demo::run(args),
        Command::Init(args) => commands::init::run(args),
        Command::Anonymize(args) => commands::anonymize::run(*args),
        Command::Apply(args) => commands::apply::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Attack(args) => commands::attack::run(args),
        Command::Evaluate(args) => commands::evaluate::run(*args),
        Command::Screen(args) => commands::screen::run(args),
        Command::Sql(args) => commands::sql::run(*args),
        #[cfg(feature = "studio")]
        Command::Studio(args) => commands::studio::run(args),
        Command::Taxonomy(args) => commands::taxonomy::run(args),
        Command::Key(command) => commands::key::run(command),
        Command::Completions(args) => commands::manual::completions(args),
        Command::Man(args) => commands::manual::man(args),
    }
}

/// The help that was asked for, on standard output; or what is wrong with the arguments, on standard error.
fn show(usage: &clap::Error) -> Result<ExitCode, Error> {
    let shown = usage.print().and_then(|()| io::stdout().flush());
    if !usage.use_stderr() {
        out::printed(shown)?;
    }
    Ok(ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2)))
}
