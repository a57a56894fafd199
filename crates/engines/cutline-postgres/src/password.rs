//! Password files and service files, as PostgreSQL's own clients read them.

use std::path::{Path, PathBuf};

use postgres::Config;
use postgres::config::Host;

use crate::error::PostgresError;

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

fn unusable(file: &Path, problem: impl ToString) -> PostgresError {
    PostgresError::File { file: file.display().to_string(), problem: problem.to_string() }
}

fn in_home(name: &str, environment: Environment<'_>) -> Option<PathBuf> {
    Some(Path::new(&environment("HOME")?).join(name))
}

/// What a service file says of a service.
pub(crate) fn service(name: &str, environment: Environment<'_>) -> Result<Vec<(String, String)>, PostgresError> {
    let usual = || in_home(".pg_service.conf", environment);
    let file = environment("PGSERVICEFILE").map(PathBuf::from).or_else(usual);
    let file = file.ok_or_else(|| PostgresError::Location("there is no service file".to_owned()))?;
    let text = std::fs::read_to_string(&file).map_err(|error| unusable(&file, error))?;
    let mut lines = text.lines().map(str::trim);
    if !lines.any(|line| line == format!("[{name}]")) {
        return Err(unusable(&file, format!("it has no service `{name}`")));
    }
    let section = lines.take_while(|line| !line.starts_with('['));
    let pairs = section.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect())
}

/// The password that a password file has for a server, a database and a user.
pub(crate) fn from_file(
    config: &Config,
    named: Option<String>,
    environment: Environment<'_>,
) -> Result<Option<String>, PostgresError> {
    let Some(file) = named.map(PathBuf::from).or_else(|| in_home(".pgpass", environment)) else { return Ok(None) };
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(None) };
    if is_open(&file) {
        return Err(unusable(&file, "others may read it (chmod 0600)"));
    }
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => config.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let wanted = [&host, &port, config.get_dbname().unwrap_or(user), user];
    Ok(text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let parts = split(line);
        let matches = parts.len() == 5 && parts.iter().zip(wanted).all(|(part, wanted)| part == "*" || part == wanted);
        matches.then(|| parts[4].clone())
    }))
}

/// The parts of a line; a backslash stands before a colon or a backslash that is part of one.
fn split(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ':' if parts.len() < 5 => parts.push(String::new()),
            '\\' => parts.last_mut().into_iter().for_each(|part| part.extend(characters.next())),
            other => parts.last_mut().into_iter().for_each(|part| part.push(other)),
        }
    }
    parts
}

/// May others than its owner read it?
fn is_open(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        false
    }
}
