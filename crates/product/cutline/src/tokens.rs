//! What do tokens follow from?
//!
//! Tokens of a new random key, which nobody keeps, are others in every release. Those of a key that the data holder keeps are the same: in
//! the next release, and in another table of the same persons.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use crate::columns::random_key;
use crate::spec::OutputSpec;
use crate::{Error, Table, keys};

/// What tokens follow from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tokens {
    /// A new random key that nobody keeps.
    #[default]
    Fresh,
    /// A key that the data holder keeps.
    With(TokenKey),
}

/// What tokens follow from, as it is kept. It is in no report and in no message.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenKey([u8; 16]);

/// Shows no key.
impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey")
    }
}

impl Tokens {
    /// What is said of the output.
    ///
    /// # Errors
    /// If the key cannot be read, or others can read it.
    pub fn new(said: &OutputSpec) -> Result<Self, Error> {
        said.token_key.as_deref().map_or(Ok(Tokens::Fresh), |path| TokenKey::read(path).map(Tokens::With))
    }

    /// The key of one release.
    pub(crate) fn key(&self) -> Result<[u8; 16], Error> {
        match self {
            Tokens::Fresh => random_key(),
            Tokens::With(key) => Ok(key.0),
        }
    }

    /// A key that is kept stays in this process: a server would have it in its statements, and in its log.
    pub(crate) fn check(&self, table: &Table) -> Result<(), Error> {
        match (self, table.in_process()) {
            (Tokens::Fresh, _) | (_, Some(_)) => Ok(()),
            (Tokens::With(_), None) => Err(Error::Contradiction {
                what: "the key of tokens would be part of a statement, which a server may log".to_owned(),
                hint: "leave out ‹token-key›: tokens are then random; or anonymize an export of the table".to_owned(),
            }),
        }
    }
}

impl TokenKey {
    /// Makes a new key in a file that nobody else can read.
    ///
    /// # Errors
    /// If the file exists: a key that is written over is lost.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let key = TokenKey(random_key()?);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let text = format!(
            "# Never publish this, and never lose it: whoever has it can find out whose token is whose, and without it\n\
             # nobody can make the same tokens again.\n{}\n",
            keys::to_digits(&key.0)
        );
        let write = |mut file: File| file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        options.open(path).and_then(write).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Contradiction {
                what: format!("`{}` exists already, and a key that is written over is lost", path.display()),
                hint: "choose another name".to_owned(),
            },
            _ => Error::Io { path: path.to_owned(), action: "write", source },
        })?;
        Ok(key)
    }

    /// Reads a key from its file.
    ///
    /// # Errors
    /// If it is no key, or others than its owner may read it.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let io = |source| Error::Io { path: path.to_owned(), action: "read", source };
        let mut file = File::open(path).map_err(io)?;
        check_mode(path, &file)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io)?;
        keys::from_text(&text).map(TokenKey).ok_or_else(|| Error::Contradiction {
            what: format!("{}: this is no key, which would be 32 hexadecimal digits", path.display()),
            hint: "make one with `cutline key new FILE`".to_owned(),
        })
    }
}

/// Only its owner may have any right to a key.
fn check_mode(path: &Path, file: &File) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let metadata = file.metadata().map_err(|source| Error::Io { path: path.to_owned(), action: "read", source })?;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(Error::Contradiction {
                what: format!("`{}` is a key that others than its owner may read", path.display()),
                hint: format!(
                    "if nobody did, take their rights with `chmod 600 {}`; otherwise make a new key",
                    path.display()
                ),
            });
        }
    }
    #[cfg(not(unix))]
    let _ = (path, file);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_reads_back_and_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.key");
        let key = TokenKey::create(&path).unwrap();
        assert_eq!(TokenKey::read(&path).unwrap(), key);
        assert!(TokenKey::create(&path).unwrap_err().to_string().contains("exists already"));
        assert_eq!(TokenKey::read(&path).unwrap(), key, "it is not written over");
        assert_ne!(TokenKey::create(&folder.path().join("other.key")).unwrap(), key);
        assert_eq!(format!("{:?}", Tokens::With(key)), "With(TokenKey)");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.key");
        TokenKey::create(&path).unwrap();
        let mode = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for others in [0o640, 0o604, 0o660, 0o601] {
            mode(others);
            let error = TokenKey::read(&path).unwrap_err();
            assert!(error.to_string().contains("others") && error.hint().unwrap().contains("chmod 600"), "{error}");
        }
        mode(0o400);
        assert!(TokenKey::read(&path).is_ok());
    }
}
