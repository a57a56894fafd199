//! `cutline studio`.

use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use cutline::Error;
use cutline_studio::{Confines, Server};

use crate::args::StudioArgs;
use crate::database::Servers;
use crate::out;
use crate::signals::Signals;

/// How often it is asked whether somebody wants to end.
const PATIENCE: Duration = Duration::from_millis(100);

pub(crate) fn run(args: StudioArgs) -> Result<ExitCode, Error> {
    let signals = Signals::listen();
    let confines = Confines::of(args.input.as_deref(), args.read.spec()?)?;
    let failed = |source| Error::Io { path: "127.0.0.1".into(), action: "serve a page on", source };
    let server = Server::start(confines, Arc::new(Servers)).map_err(failed)?;
    out::print(format_args!("{}\n", server.url()))?;
    if !args.no_open && !opened(server.url()) {
        out::tell("note: no browser could be opened; open the address above in one");
    }
    out::tell("Ctrl-C ends the studio; the address is for you alone");
    while !signals.cancelled() && !server.has_ended() {
        std::thread::sleep(PATIENCE);
    }
    server.stop().map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Opens an address in the user's browser.
fn opened(url: &str) -> bool {
    let opener: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["rundll32", "url.dll,FileProtocolHandler"],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(opener[0]);
    command.args(&opener[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
