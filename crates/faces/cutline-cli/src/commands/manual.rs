//! `cutline completions` and `cutline man`: what shells and `man` know of the command, made from its arguments.

use std::process::ExitCode;

use clap::CommandFactory;
use cutline::Error;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::out;

/// Prints the completions of a shell.
pub(crate) fn completions(args: CompletionsArgs) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cutline", &mut script);
    out::print(String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a page for the command and for each of its subcommands.
pub(crate) fn man(args: ManArgs) -> Result<ExitCode, Error> {
    let written = std::fs::create_dir_all(&args.folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), &args.folder));
    written.map_err(|source| Error::Io { path: args.folder, action: "write", source })?;
    Ok(ExitCode::SUCCESS)
}
