//! The command, running.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

use crate::http::{self, Answer};
use crate::support::Desk;

/// A studio that was started on a desk. It ends with the test.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    url: String,
}

impl Running {
    pub(crate) fn on(desk: &Desk, arguments: &[&str]) -> Self {
        let mut command = desk.command();
        command.arg("studio").args(arguments).arg("--no-open").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        stdout.read_line(&mut url).unwrap();
        Running { child, stdout, url: url.trim_end().to_owned() }
    }

    /// The address that was printed.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> &str {
        self.url.split('/').nth(2).unwrap()
    }

    /// `/TOKEN`.
    pub(crate) fn token(&self) -> &str {
        self.url.split('/').nth(3).unwrap()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// A question as the page asks it.
    pub(crate) fn post(&self, path: &str, body: &serde_json::Value) -> Answer {
        let origin = format!("http://{}", self.host());
        let headers = [("host", self.host()), ("origin", &origin[..]), ("content-type", "application/json")];
        http::ask(self.host(), "POST", &format!("/{}/{path}", self.token()), &headers, body.to_string().as_bytes())
    }

    /// Waits for its end: its status and what else it printed.
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        (status.code(), rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
