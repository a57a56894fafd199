//! The `cutline` command: arguments in, a release out.

mod args;
mod builtin;
mod commands;
mod names;
mod progress;
mod settings;
mod signals;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Demo(args) => commands::demo::run(args),
        Command::Init(args) => commands::init::run(args),
        Command::Anonymize(args) => commands::anonymize::run(*args),
        Command::Apply(args) => commands::apply::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Attack(args) => commands::attack::run(args),
        Command::Evaluate(args) => commands::evaluate::run(*args),
        Command::Screen(args) => commands::screen::run(args),
        Command::Sql(args) => commands::sql::run(*args),
        Command::Taxonomy(args) => commands::taxonomy::run(args),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {}", settings::flags(&error.to_string()));
            if let Some(hint) = error.hint() {
                eprintln!("hint: {}", settings::flags(&hint));
            }
            ExitCode::from(error.exit_status())
        }
    }
}
