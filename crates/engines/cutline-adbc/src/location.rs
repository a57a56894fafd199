//! Which driver, and what does it open? `adbc:` and then as driver managers write it: `adbc:sqlite:patients.db`, `adbc:profile://care`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use adbc_core::error::{Error, Result, Status};
use adbc_core::options::{AdbcVersion, OptionDatabase};
use adbc_core::{Database, Driver, LOAD_FLAG_DEFAULT};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase, ManagedDriver};

use crate::AdbcError;

/// A driver and what it opens. It has no secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The name or path of a driver, or [`PROFILE`].
    driver: String,
    /// What the driver opens, in its own words; or the whole name of a profile.
    uri: String,
}

/// In place of a driver: a file of the user's own that names the driver and its options.
const PROFILE: &str = "profile";

/// What DuckDB's library calls `AdbcDriverInit`, which is looked for where a library does not have this one.
const ENTRY: Option<&[u8]> = Some(b"duckdb_adbc_init");

impl FromStr for Location {
    type Err = AdbcError;

    fn from_str(text: &str) -> std::result::Result<Self, AdbcError> {
        let rest = text.strip_prefix("adbc:").ok_or(AdbcError::Location("it does not begin with adbc:"))?;
        let (driver, opens) = rest.split_once(':').ok_or(AdbcError::Location("it names a driver and nothing else"))?;
        if driver.is_empty() || opens.is_empty() {
            return Err(AdbcError::Location("it needs a driver, a colon, and what the driver opens"));
        }
        if has_secret(opens) {
            return Err(AdbcError::SecretInLocation);
        }
        // In a URL the scheme is the driver's name, and belongs to what the driver is told.
        let uri = if opens.starts_with("//") { rest } else { opens };
        Ok(Location { driver: driver.to_owned(), uri: uri.to_owned() })
    }
}

/// Is there a password before the host, or a parameter that sounds like a secret?
fn has_secret(opens: &str) -> bool {
    let authority = opens.trim_start_matches('/');
    let user = authority.rsplit_once('@').map(|(user, _)| user).filter(|_| !authority.starts_with("file:"));
    let secret = |parameter: &str| {
        let key = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
        ["pass", "pwd", "token", "secret", "key"].iter().any(|word| key.contains(word))
    };
    user.is_some_and(|user| user.contains(':')) || opens.split(['?', '&', ';']).skip(1).any(secret)
}

impl Location {
    pub(crate) fn connect(&self) -> std::result::Result<ManagedConnection, AdbcError> {
        // SQLite and DuckDB would make a database of a file that is not there.
        let is_path = self.driver != PROFILE && !self.uri.contains(':');
        if is_path && !Path::new(&self.uri).exists() {
            return Err(AdbcError::NoFile(self.uri.clone()));
        }
        let cannot = |error: Error| AdbcError::Connect { place: self.to_string(), reason: self.reason(&error) };
        let database = match self.driver == PROFILE {
            true => newest(|version| ManagedDatabase::from_uri(&self.uri, ENTRY, version, LOAD_FLAG_DEFAULT, None)),
            false => {
                let load =
                    |version| ManagedDriver::load_from_name(&self.driver, ENTRY, version, LOAD_FLAG_DEFAULT, None);
                let mut driver = newest(load).map_err(|error| self.not_loaded(&error))?;
                driver.new_database_with_opts([(OptionDatabase::Uri, self.uri.as_str().into())])
            }
        };
        database.and_then(|database| database.new_connection()).map_err(cannot)
    }

    /// Why there is no connection. A driver may quote an option of a profile, and that may be a secret.
    fn reason(&self, error: &Error) -> String {
        let of_profiles = ["Profile not found", "could not read profile", "missing", "Environment variable"];
        match self.driver != PROFILE || of_profiles.iter().any(|start| error.message.starts_with(start)) {
            true => first_line(error),
            false => format!("{:?} (what is said of it may quote an option of the profile)", error.status),
        }
    }

    fn not_loaded(&self, error: &Error) -> AdbcError {
        let reason = match error.status {
            Status::NotImplemented => "it is made for a version of ADBC that is not known here".to_owned(),
            _ => first_line(error),
        };
        AdbcError::Driver { driver: self.driver.clone(), reason }
    }
}

/// With the newest version of ADBC that a driver has.
fn newest<T>(load: impl Fn(AdbcVersion) -> Result<T>) -> Result<T> {
    match load(AdbcVersion::V110) {
        Err(error) if error.status == Status::NotImplemented => load(AdbcVersion::V100),
        loaded => loaded,
    }
}

fn first_line(error: &Error) -> String {
    error.message.lines().next().unwrap_or_default().to_owned()
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.uri.starts_with(&self.driver) {
            true => f.write_str(&self.uri),
            false => write!(f, "{}:{}", self.driver, self.uri),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_driver_opens_is_told_in_its_own_words() {
        let told = |text: &str| {
            let Location { driver, uri } = text.parse().unwrap();
            (driver, uri)
        };
        let of = |driver: &str, uri: &str| (driver.to_owned(), uri.to_owned());
        assert_eq!(told("adbc:sqlite:/data/care.db"), of("sqlite", "/data/care.db"));
        assert_eq!(told("adbc:duckdb::memory:"), of("duckdb", ":memory:"));
        assert_eq!(told("adbc:/lib/libduckdb.so:a.duckdb"), of("/lib/libduckdb.so", "a.duckdb"));
        assert_eq!(told("adbc:snowflake://ann@host/care"), of("snowflake", "snowflake://ann@host/care"));
        assert_eq!(told("adbc:profile://care"), of("profile", "profile://care"));
        for wrong in ["adbc:", "adbc:sqlite", "adbc::x", "adbc:sqlite:", "odbc:x:y"] {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_secret_in_a_location_is_refused_and_not_repeated() {
        for secret in
            ["snowflake://ann:tulip@host/care", "x:ann:tulip@host", "x:host?Password=tulip", "x:h;token=tulip"]
        {
            let refused = format!("adbc:{secret}").parse::<Location>().unwrap_err();
            assert!(matches!(refused, AdbcError::SecretInLocation) && !format!("{refused:?}").contains("tulip"));
        }
        assert!("adbc:sqlite:file:/data/a@b.db?mode=ro".parse::<Location>().is_ok());
    }
}
