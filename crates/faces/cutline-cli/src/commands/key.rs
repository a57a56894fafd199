//! `cutline key`.

use std::process::ExitCode;

use cutline::{Error, TokenKey};

use crate::args::KeyCommand;
use crate::out;
use crate::settings::flags;

pub(crate) fn run(command: KeyCommand) -> Result<ExitCode, Error> {
    let KeyCommand::New { file } = command;
    TokenKey::create(&file)?;
    let file = file.display();
    out::print(flags(&format!(
        "{file}: a new key, which only you can read\nname it with ‹token-key {file}› beside ‹tokenize›; keep a copy where nobody else can \
         read it, because nobody can make it again\n"
    )))?;
    Ok(ExitCode::SUCCESS)
}
