//! The page's own files.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use cutline::report::page::PALETTE;
use rust_embed::RustEmbed;

/// All files of the folder, in the program.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The colours of the report, which the page shares.
const PALETTE_FILE: &str = "palette.css";

/// A file of the page; the page itself at `/`.
pub(crate) async fn asset(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let Some(kind) = kind(path) else { return StatusCode::NOT_FOUND.into_response() };
    if path == PALETTE_FILE {
        return ([(header::CONTENT_TYPE, kind)], PALETTE).into_response();
    }
    match Page::get(path) {
        Some(file) => ([(header::CONTENT_TYPE, kind)], file.data).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What browsers are told that a file is; nothing of other kinds is served.
fn kind(path: &str) -> Option<&'static str> {
    match path.rsplit_once('.')?.1 {
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
