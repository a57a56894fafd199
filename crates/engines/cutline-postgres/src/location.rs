//! Which server, and who are we there? As `psql` decides it: the location, then the service file, then the environment.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use postgres::config::Host;
use postgres::{Client, Config};

use crate::error::{PostgresError, told};
use crate::password;
use crate::tls::{Tls, Trust};

/// Is this the location of a database, rather than a file?
pub fn is_postgres(location: &str) -> bool {
    location.starts_with("postgresql://") || location.starts_with("postgres://")
}

/// A database that can be connected to. It is shown without its user's secrets.
#[derive(Clone)]
pub struct Location {
    config: Config,
    pub(crate) trust: Trust,
}

/// What the driver does not know.
const OURS: [&str; 4] = ["sslmode", "sslrootcert", "service", "passfile"];

impl FromStr for Location {
    type Err = PostgresError;

    fn from_str(text: &str) -> Result<Self, PostgresError> {
        Location::new(text, &|name| std::env::var(name).ok())
    }
}

impl Location {
    fn new(text: &str, environment: &dyn Fn(&str) -> Option<String>) -> Result<Self, PostgresError> {
        let (plain, mut said) = taken_apart(text)?;
        let mut config: Config =
            plain.parse().map_err(|_| PostgresError::Location("it is not a location of PostgreSQL".to_owned()))?;
        if config.get_password().is_some() {
            return Err(PostgresError::PasswordInLocation);
        }
        if let Some(service) = said.remove("service").or_else(|| environment("PGSERVICE")) {
            for (key, value) in password::service(&service, environment)? {
                said.entry(key).or_insert(value);
            }
        }
        let mut setting = |key: &str, variable: &str| said.remove(key).or_else(|| environment(variable));
        fill(&mut config, &mut setting)?;
        let trust = Trust::new(setting("sslmode", "PGSSLMODE").as_deref(), setting("sslrootcert", "PGSSLROOTCERT"))?;
        config.ssl_mode(trust.mode());
        let passfile = setting("passfile", "PGPASSFILE");
        if let Some(password) = setting("password", "PGPASSWORD") {
            config.password(password);
        } else if let Some(password) = password::from_file(&config, passfile, environment)? {
            config.password(password);
        }
        Ok(Location { config, trust })
    }

    pub(crate) fn connect(&self, tls: &Tls) -> Result<Client, PostgresError> {
        self.config.connect(tls.clone()).map_err(|error| PostgresError::Connect {
            place: self.to_string(),
            reason: match error.as_db_error() {
                Some(said) => told(said.code(), said.message()),
                None => std::error::Error::source(&error).map_or_else(|| error.to_string(), |cause| cause.to_string()),
            },
        })
    }

    #[cfg(test)]
    fn uses_tls(&self) -> bool {
        self.config.get_ssl_mode() != postgres::config::SslMode::Disable
    }
}

/// The location without what only we know, and that.
fn taken_apart(text: &str) -> Result<(String, BTreeMap<String, String>), PostgresError> {
    let Some((base, query)) = text.split_once('?') else { return Ok((text.to_owned(), BTreeMap::new())) };
    let mut said = BTreeMap::new();
    let mut others = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("password", _)) => return Err(PostgresError::PasswordInLocation),
            Some((key, value)) if OURS.contains(&key) => {
                said.insert(key.to_owned(), decoded(value));
            }
            _ => others.push(pair),
        }
    }
    let plain = if others.is_empty() { base.to_owned() } else { format!("{base}?{}", others.join("&")) };
    Ok((plain, said))
}

/// `%2F` and the like.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = (first == b'%').then(|| behind.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the location does not say.
fn fill(config: &mut Config, setting: &mut dyn FnMut(&str, &str) -> Option<String>) -> Result<(), PostgresError> {
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        config.host(&setting("host", "PGHOST").unwrap_or_else(|| "localhost".to_owned()));
    }
    if let (true, Some(port)) = (config.get_ports().is_empty(), setting("port", "PGPORT")) {
        config.port(port.parse().map_err(|_| PostgresError::Location("the port is no number".to_owned()))?);
    }
    if let (None, Some(user)) = (config.get_user(), setting("user", "PGUSER")) {
        config.user(&user);
    }
    if let (None, Some(database)) = (config.get_dbname(), setting("dbname", "PGDATABASE")) {
        config.dbname(&database);
    }
    if config.get_application_name().is_none() {
        config.application_name("cutline");
    }
    Ok(())
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.display().to_string(),
            None => self.config.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
        };
        let port = self.config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
        let database = self.config.get_dbname().map(|name| format!("/{name}")).unwrap_or_default();
        write!(f, "{host}{port}{database}")
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

    fn location(text: &str, environment: &[(&str, &str)]) -> Result<Location, PostgresError> {
        let found = |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Location::new(text, &found)
    }

    #[test]
    fn a_password_in_a_location_is_refused_and_not_repeated() {
        for text in ["postgresql://ann:tulip@h/d", "postgresql://h/d?user=ann&password=tulip"] {
            let error = location(text, &[]).unwrap_err();
            assert!(matches!(error, PostgresError::PasswordInLocation));
            assert!(!error.to_string().contains("tulip"));
        }
    }

    #[test]
    fn what_the_location_does_not_say_the_environment_does() {
        let environment = [("PGHOST", "db"), ("PGUSER", "ann"), ("PGPASSWORD", "tulip"), ("PGDATABASE", "x")];
        let found = location("postgresql:///care", &environment).unwrap();
        assert_eq!(found.to_string(), "db/care");
        assert_eq!(found.config.get_user(), Some("ann"));
        assert_eq!(found.config.get_password(), Some(&b"tulip"[..]));
        assert!(!format!("{found:?}").contains("tulip"));
    }

    #[test]
    fn a_service_names_what_to_connect_to_and_a_password_file_the_password() {
        let folder = tempfile::tempdir().unwrap();
        let (services, passwords) = (folder.path().join("services"), folder.path().join("passwords"));
        std::fs::write(&services, "[care]\nhost=db\nport = 5433\nuser=ann\ndbname=care\n[other]\nhost=x\n").unwrap();
        std::fs::write(&passwords, "# ours\nx:*:*:ann:no\ndb:5433:*:ann:tu\\:lip\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let open = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(&passwords, open).unwrap();
        }
        let names = [services.to_str().unwrap(), passwords.to_str().unwrap()];
        let environment = [("PGSERVICEFILE", names[0]), ("PGPASSFILE", names[1]), ("PGSERVICE", "care")];
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let refused = location("postgresql://", &environment).unwrap_err().to_string();
            assert!(refused.contains("others may read it"), "{refused}");
            std::fs::set_permissions(&passwords, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        let found = location("postgresql://", &environment).unwrap();
        assert_eq!(found.to_string(), "db:5433/care");
        assert_eq!(found.config.get_password(), Some(&b"tu:lip"[..]));
        let unknown = [("PGSERVICEFILE", names[0]), ("PGSERVICE", "none")];
        assert!(matches!(location("postgresql://", &unknown), Err(PostgresError::File { .. })));
    }

    #[test]
    fn modes_of_tls_are_read() {
        let mode = |mode: &str| location(&format!("postgresql://h/d?sslmode={mode}"), &[]);
        assert!(!mode("disable").unwrap().uses_tls());
        assert!(mode("verify-full").unwrap().uses_tls());
        assert!(mode("verify").is_err());
    }
}
