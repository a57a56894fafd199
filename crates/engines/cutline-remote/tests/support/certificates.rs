//! Certificates of the tests' own.

use std::path::Path;
use std::process::Command;

/// Makes an authority (`ours.crt`), a certificate for `localhost` that it signed (`server.crt`, `server.key`), and another authority
/// (`theirs.crt`) that did not.
pub(crate) fn make(folder: &Path) {
    let run = |arguments: &str| {
        let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ours -keyout ours.key -out ours.crt");
    run("req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr");
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").unwrap();
    run("x509 -req -in server.csr -CA ours.crt -CAkey ours.key -CAcreateserial -days 2 -extfile names -out server.crt");
    run("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=theirs -keyout theirs.key -out theirs.crt");
}
