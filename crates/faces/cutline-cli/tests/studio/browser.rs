//! A real browser, led through the pipe that Chromium has for that: messages of JSON, each ended by a zero byte.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Nothing that a page does takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    next: u64,
    page: Option<String>,
    /// What the page complained of.
    pub(crate) complaints: Vec<String>,
    _folder: TempDir,
}

/// Chromium, by whatever name.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}

impl Browser {
    /// A browser, if there is one on this machine. In CI there must be.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            assert!(std::env::var_os("CI").is_none(), "there is no Chromium: run scripts/setup-tests.sh");
            eprintln!("SKIPPED: there is no Chromium; scripts/setup-tests.sh sets it up");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        assert!(Command::new("mkfifo").arg(&input).arg(&output).status().unwrap().success());
        let child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<"$STUDIO_IN" 4>"$STUDIO_OUT""#, "sh"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--remote-debugging-pipe", "--hide-scrollbars", "--force-prefers-reduced-motion"])
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .env("STUDIO_IN", &input)
            .env("STUDIO_OUT", &output)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The shell opens them in this order, and each waits for its other end.
        let to = OpenOptions::new().write(true).open(&input).unwrap();
        let from = listen(File::open(&output).unwrap());
        let mut browser = Browser { child, to, from, next: 0, page: None, complaints: Vec::new(), _folder: folder };
        browser.open_page();
        Some(browser)
    }

    fn open_page(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = self.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        self.page = Some(attached["sessionId"].as_str().unwrap().to_owned());
        for part in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.call(part, json!({}));
        }
    }

    /// Asks the browser for something, and waits for the answer.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(page) = &self.page {
            message["sessionId"] = json!(page);
        }
        self.to.write_all(message.to_string().as_bytes()).and_then(|()| self.to.write_all(&[0])).unwrap();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let said = self.from.recv_timeout(left).unwrap_or_else(|_| panic!("{method}: no answer"));
            if said["id"] == json!(self.next) {
                assert!(said["error"].is_null(), "{method}: {}", said["error"]);
                return said["result"].clone();
            }
            self.note(&said);
        }
    }

    /// Remembers errors of the page.
    fn note(&mut self, said: &Value) {
        match said["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(said["params"]["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if said["params"]["entry"]["level"] == "error" => {
                self.complaints.push(said["params"]["entry"]["text"].to_string());
            }
            _ => {}
        }
    }

    pub(crate) fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
    }

    /// What an expression comes to in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let found = self.call("Runtime.evaluate", asked);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {}", found["exceptionDetails"]);
        found["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.value(&format!("!!({expression})")) != json!(true) {
            if Instant::now() > deadline {
                let page = self.value("document.body.innerText.slice(0, 1500)");
                panic!("it never came to: {expression}\n{page}\n{:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for an element and clicks into its middle, as a hand would.
    pub(crate) fn click(&mut self, selector: &str) {
        let found = format!("document.querySelector({})", json!(selector));
        self.wait(&format!("{found} && !{found}.disabled"));
        self.value(&format!("{found}.scrollIntoView({{ block: 'center', inline: 'center' }})"));
        let place = self.value(&format!(
            "(() => {{ const r = {found}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Clicks the button with a text.
    pub(crate) fn press(&mut self, text: &str) {
        let mark = format!(
            "(() => {{ document.querySelectorAll('[data-test]').forEach((e) => delete e.dataset.test); const b = \
             [...document.querySelectorAll('button')].find((b) => b.textContent.trim() === {} && !b.disabled); if (b) b.dataset.test = '1'; return !!b; }})()",
            json!(text)
        );
        self.wait(&mark);
        self.click("[data-test]");
    }

    /// Chooses in a list, moves a slider, or writes into a field, and tells the page.
    pub(crate) fn set(&mut self, selector: &str, value: &str, event: &str) {
        let found = format!("document.querySelector({})", json!(selector));
        self.wait(&found);
        self.value(&format!(
            "(() => {{ const e = {found}; e.value = {}; e.dispatchEvent(new Event({}, {{ bubbles: true }})); }})()",
            json!(value),
            json!(event)
        ));
    }

    pub(crate) fn look(&mut self, width: u32, scheme: Scheme) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let value = if scheme == Scheme::Dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// A picture of the whole page.
    pub(crate) fn picture(&mut self) -> String {
        let asked = json!({ "format": "png", "captureBeyondViewport": true });
        self.call("Page.captureScreenshot", asked)["data"].as_str().unwrap_or_default().to_owned()
    }
}

/// Reads messages as they come.
fn listen(from: File) -> Receiver<Value> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut message = Vec::new();
        while from.read_until(0, &mut message).is_ok_and(|read| read > 0) {
            message.pop();
            if let Ok(said) = serde_json::from_slice(&message)
                && send.send(said).is_err()
            {
                return;
            }
            message.clear();
        }
    });
    receive
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
