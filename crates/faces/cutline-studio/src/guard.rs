//! Who may ask, and what a page may load.
//!
//! Other pages in the same browser must not reach the studio: not by a name that resolves to this machine (DNS rebinding: the `Host` is
//! another one), not by a form or a script (CSRF: the `Origin` is another one, and they do not know the token). Other users of this machine
//! do not know the token either.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 24;

/// What every path begins with. Nobody can guess it.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Takes as long for a wrong token as for the right one.
    fn is(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        own.len() == given.len() && own.iter().zip(given).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

/// Where the studio is, and the token that leads there.
pub(crate) struct Gate {
    pub(crate) token: Token,
    pub(crate) port: u16,
}

/// Only what the studio itself serves, and no script or style that is written into a page.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                   frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(&str, &str); 8] = [
    ("content-security-policy", CSP),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];

/// Lets nobody through who is not our own page, and says what the page may do.
pub(crate) async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    for (name, value) in HEADERS {
        // A report says itself what it may do, which is less.
        response.headers_mut().entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Gate {
    /// Is the request one of our own page, or of somebody who was given the address?
    fn check(&self, request: &Request) -> Result<(), StatusCode> {
        let (headers, uri) = (request.headers(), request.uri());
        let host = only(headers, &HOST).ok_or(StatusCode::BAD_REQUEST)?;
        if !self.is_own_host(host) || uri.authority().is_some_and(|authority| !self.is_own_host(authority.as_str())) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        match headers.get(ORIGIN) {
            Some(origin) if !self.is_own_origin(origin) => return Err(StatusCode::FORBIDDEN),
            None if !reads => return Err(StatusCode::FORBIDDEN),
            _ => {}
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if site.is_some_and(|site| site != b"same-origin" && !(reads && site == b"none")) {
            return Err(StatusCode::FORBIDDEN);
        }
        // What a form of another page can send is neither.
        if !reads && !headers.get(CONTENT_TYPE).is_some_and(is_ours) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        let given = uri.path().split('/').nth(1).unwrap_or_default();
        if self.token.is(given) { Ok(()) } else { Err(StatusCode::FORBIDDEN) }
    }

    fn is_own_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    fn is_own_origin(&self, origin: &HeaderValue) -> bool {
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.is_own_host(host))
    }
}

/// The one value of a header.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

fn is_ours(kind: &HeaderValue) -> bool {
    kind == "application/json" || kind == "application/octet-stream"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_compared_as_a_whole() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_ne!(one.text(), other.text());
        assert_eq!(one.text().len(), 2 * TOKEN_BYTES);
        assert!(one.is(one.text()) && !one.is(other.text()) && !one.is("") && !one.is(&one.text()[1..]));
    }

    #[test]
    fn only_names_of_this_machine_with_the_port_are_ours() {
        let gate = Gate { token: Token("t".to_owned()), port: 4711 };
        assert!(gate.is_own_host("127.0.0.1:4711") && gate.is_own_host("localhost:4711"));
        for other in ["127.0.0.1", "127.0.0.1:80", "evil.example:4711", "127.0.0.1:4711.evil.example", "[::1]:4711", ""]
        {
            assert!(!gate.is_own_host(other), "{other}");
        }
        for other in ["null", "https://127.0.0.1:4711", "http://evil.example:4711", "http://127.0.0.1:4712"] {
            assert!(!gate.is_own_origin(&HeaderValue::from_static(other)), "{other}");
        }
    }
}
