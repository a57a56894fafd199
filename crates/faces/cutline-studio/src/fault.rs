//! What is answered if something goes wrong.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cutline::Error;
use cutline::settings::mentions;
use serde::Serialize;

use crate::confine::is_address;

/// An error as the page shows it.
#[derive(Debug, Serialize)]
pub(crate) struct Fault {
    #[serde(skip)]
    status: StatusCode,
    /// Is it only that something newer took its place?
    superseded: bool,
    error: String,
    hint: Option<String>,
}

impl Fault {
    /// Something that a page that we serve does not ask for.
    pub(crate) fn wrong(error: impl Into<String>) -> Self {
        Fault { status: StatusCode::BAD_REQUEST, superseded: false, error: error.into(), hint: None }
    }

    /// A file that may not be read or written here.
    pub(crate) fn outside(path: &str) -> Self {
        // An address that nobody knows may have a secret in it.
        let (error, hint) = match is_address(path) {
            true => ("there is nothing here that could open such an address".to_owned(), "open a file"),
            false => (
                format!("`{path}` is not in the folder that the studio was opened for"),
                "start the studio with that file, or in that folder",
            ),
        };
        Fault { status: StatusCode::FORBIDDEN, superseded: false, error, hint: Some(hint.to_owned()) }
    }

    /// Somebody wants something newer. That is no failure: a browser would complain of one.
    pub(crate) fn superseded() -> Self {
        Fault { status: StatusCode::OK, superseded: true, error: "stopped".to_owned(), hint: None }
    }

    pub(crate) fn hint(self, hint: &str) -> Self {
        Fault { hint: Some(hint.to_owned()), ..self }
    }
}

/// A message of the library with its settings as the page calls them.
pub(crate) fn said(text: &str) -> String {
    mentions(text, |name, value| match value {
        None if name == "force" => "“replace a release that is there”".to_owned(),
        Some(value) => format!("“{} {value}”", name.replace('-', " ")),
        None => format!("“{}”", name.replace('-', " ")),
    })
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Interrupted | Error::Engine(cutline::engine::EngineError::Interrupted) => Fault::superseded(),
            error => Fault {
                status: if error.exit_status() == 3 {
                    StatusCode::INTERNAL_SERVER_ERROR
                } else {
                    StatusCode::UNPROCESSABLE_ENTITY
                },
                superseded: false,
                error: said(&error.to_string()),
                hint: error.hint().map(|hint| said(&hint)),
            },
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
