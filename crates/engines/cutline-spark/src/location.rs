//! Which cluster, and who are we there? As Spark writes it: `sc://host:port/;use_ssl=true;user_id=ann`.

use std::fmt;
use std::str::FromStr;

use tonic::metadata::{Ascii, MetadataKey, MetadataValue};
use tonic::transport::{Channel, ClientTlsConfig, Endpoint};

use crate::SparkError;

/// Is this the location of a cluster, rather than a file?
pub fn is_spark(location: &str) -> bool {
    location.starts_with("sc://")
}

const DEFAULT_PORT: u16 = 15002;

/// A Spark Connect server. It is shown without secrets.
#[derive(Clone)]
pub struct Location {
    host: String,
    port: u16,
    tls: bool,
    pub(crate) user: String,
    /// What is sent with every request.
    pub(crate) headers: Vec<(MetadataKey<Ascii>, MetadataValue<Ascii>)>,
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl FromStr for Location {
    type Err = SparkError;

    fn from_str(text: &str) -> Result<Self, SparkError> {
        Location::new(text, &|name| std::env::var(name).ok())
    }
}

fn wrong(what: &str) -> SparkError {
    SparkError::Location(what.to_owned())
}

impl Location {
    fn new(text: &str, environment: Environment<'_>) -> Result<Self, SparkError> {
        let rest = text.strip_prefix("sc://").ok_or_else(|| wrong("it does not begin with sc://"))?;
        let (authority, parameters) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = address(authority)?;
        let user = ["SPARK_USER", "USER"].iter().find_map(|name| environment(name));
        let mut location = Location {
            host,
            port,
            tls: false,
            user: user.unwrap_or_else(|| "cutline".to_owned()),
            headers: Vec::new(),
        };
        for parameter in parameters.split(';').filter(|parameter| !parameter.is_empty()) {
            let (key, value) = parameter.split_once('=').ok_or_else(|| wrong("a parameter has no value"))?;
            location.take(key, value)?;
        }
        match environment("SPARK_CONNECT_AUTHENTICATE_TOKEN") {
            Some(token) => location.with_token(&token),
            None => Ok(location),
        }
    }

    /// The same, for a server that wants to know a secret. It is sent through TLS unless the server is on this machine.
    ///
    /// # Errors
    /// If the token cannot be sent.
    pub fn with_token(mut self, token: &str) -> Result<Self, SparkError> {
        // A token must not be sent where others can read it.
        self.tls |= !self.is_this_machine();
        self.header("authorization", &format!("Bearer {token}"))?;
        Ok(self)
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), SparkError> {
        match (key, value) {
            ("token" | "authorization", _) => return Err(SparkError::TokenInLocation),
            ("use_ssl", "true") => self.tls = true,
            ("use_ssl", "false") => self.tls = false,
            ("use_ssl", _) => return Err(wrong("use_ssl is true or false")),
            ("user_id", user) => user.clone_into(&mut self.user),
            ("user_agent" | "session_id", _) => {}
            (key, _) if key.starts_with("grpc_") => {}
            (key, value) => self.header(key, value)?,
        }
        Ok(())
    }

    fn header(&mut self, key: &str, value: &str) -> Result<(), SparkError> {
        let key = MetadataKey::from_bytes(key.as_bytes()).map_err(|_| wrong("a parameter has no name"))?;
        let mut value = MetadataValue::try_from(value).map_err(|_| wrong("a parameter cannot be sent"))?;
        value.set_sensitive(true);
        self.headers.push((key, value));
        Ok(())
    }

    fn is_this_machine(&self) -> bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(&&self.host[..])
    }

    pub(crate) fn endpoint(&self) -> Result<Endpoint, SparkError> {
        let scheme = if self.tls { "https" } else { "http" };
        let address = format!("{scheme}://{}:{}", self.host, self.port);
        let endpoint =
            Channel::from_shared(address).map_err(|_| wrong("the host has characters that hosts have not"))?;
        match self.tls {
            false => Ok(endpoint),
            true => {
                let tls = ClientTlsConfig::new().with_enabled_roots();
                endpoint.tls_config(tls).map_err(|error| SparkError::Location(format!("TLS cannot be set up: {error}")))
            }
        }
    }
}

/// Host and port; the address of an IPv6 host stands in brackets.
fn address(authority: &str) -> Result<(String, u16), SparkError> {
    let port = authority.rsplit_once(':').filter(|(_, port)| !port.contains(']'));
    let (host, port) = match port {
        Some((host, port)) => (host, port.parse().map_err(|_| wrong("the port is no number"))?),
        None => (authority, DEFAULT_PORT),
    };
    if host.is_empty() { Err(wrong("it names no host")) } else { Ok((host.to_ascii_lowercase(), port)) }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(text: &str, environment: &[(&str, &str)]) -> Result<Location, SparkError> {
        let found = |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Location::new(text, &found)
    }

    #[test]
    fn a_location_is_read_as_spark_writes_it() {
        let found = location("sc://Spark.example.org/;use_ssl=true;user_id=ann;x-team=care", &[]).unwrap();
        assert_eq!((found.to_string().as_str(), found.tls), ("spark.example.org:15002", true));
        assert_eq!((found.user.as_str(), found.headers.len()), ("ann", 1));
        let plain = location("sc://[::1]:7077", &[("USER", "bob")]).unwrap();
        assert_eq!((plain.to_string().as_str(), plain.tls, plain.user.as_str()), ("[::1]:7077", false, "bob"));
        for wrong in ["http://h", "sc://", "sc://h:many", "sc://h/;use_ssl", "sc://h/;use_ssl=yes"] {
            assert!(location(wrong, &[]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_token_comes_from_the_environment_and_goes_through_tls_alone() {
        let refused = location("sc://h/;token=tulip", &[]).unwrap_err();
        assert!(matches!(refused, SparkError::TokenInLocation) && !refused.to_string().contains("tulip"));
        let token = [("SPARK_CONNECT_AUTHENTICATE_TOKEN", "tulip")];
        let found = location("sc://h", &token).unwrap();
        assert!(found.tls && found.headers[0].0 == "authorization" && !format!("{found:?}").contains("tulip"));
        assert!(!location("sc://localhost", &token).unwrap().tls);
        assert!(found.endpoint().is_ok());
    }
}
