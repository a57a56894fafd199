//! In which order are records published?
//!
//! A random order follows from a key. Nothing that others know may lead to it: no seed with a default, and no digest of the raw table
//! either, because whoever guesses what a small table hides could see by the order that the guess is right. So it comes from the
//! operating system, or from a file that the data holder keeps.

use std::fmt;
use std::path::Path;

use cutline_engine::{Engine, EngineError, Order, RecordOrder};

use crate::columns::random_key;
use crate::error::{Error, read_text};
use crate::keys;
use crate::spec::OutputSpec;

/// The file of a release's private part that has its key.
pub(crate) const KEY_FILE: &str = "shuffle.key";

/// In which order records are published.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shuffle {
    /// That of the table.
    #[default]
    No,
    /// A random one that never was before.
    Fresh,
    /// The random one of a key: the same table is published in the same order again.
    With(ShuffleKey),
}

/// What a random order follows from. It is never published.
#[derive(Clone, PartialEq, Eq)]
pub struct ShuffleKey([u8; 16]);

impl Shuffle {
    /// What is said of the output. A key means that its order is wanted.
    ///
    /// # Errors
    /// If the key cannot be read, or is given although records keep their order.
    pub fn new(said: &OutputSpec) -> Result<Self, Error> {
        match (said.shuffle, &said.shuffle_key) {
            (Some(false), Some(_)) => Err(Error::Contradiction {
                what: "there is a key of a random order, but records are to keep theirs".to_owned(),
                hint: "leave out ‹shuffle-key›, or say ‹shuffle›".to_owned(),
            }),
            (_, Some(path)) => Ok(Shuffle::With(ShuffleKey::read(path)?)),
            (Some(true), None) => Ok(Shuffle::Fresh),
            _ => Ok(Shuffle::No),
        }
    }

    /// An error if the records are where they cannot be published in such an order.
    pub(crate) fn check(&self, engine: &dyn Engine) -> Result<(), Error> {
        match (self, engine.order()) {
            (Shuffle::No, _) | (_, Order::KeptOrRandom) => Ok(()),
            (_, Order::Kept | Order::None) => Err(EngineError::Order(engine.name().to_owned()).into()),
        }
    }

    /// The key of one release, if it needs one.
    pub(crate) fn key(&self) -> Result<Option<ShuffleKey>, Error> {
        match self {
            Shuffle::No => Ok(None),
            Shuffle::Fresh => Ok(Some(ShuffleKey(random_key()?))),
            Shuffle::With(key) => Ok(Some(key.clone())),
        }
    }
}

impl ShuffleKey {
    /// Reads a key as a release keeps it: 32 hexadecimal digits, after lines that start with `#`.
    fn read(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        keys::from_text(&text).map(ShuffleKey).ok_or_else(|| Error::Contradiction {
            what: format!("{}: this is no key, which would be 32 hexadecimal digits", path.display()),
            hint: format!("name the `private/{KEY_FILE}` of a release that was made with ‹shuffle›"),
        })
    }

    /// The text of the file that keeps it.
    pub(crate) fn to_text(&self) -> String {
        let digits = keys::to_digits(&self.0);
        format!("# Never publish this: whoever has it can undo the order of the published records.\n{digits}\n")
    }
}

/// The order of a plan.
pub(crate) fn order(key: Option<&ShuffleKey>) -> RecordOrder {
    key.map_or(RecordOrder::Kept, |key| RecordOrder::Random(key.0))
}

/// Shows no key.
impl fmt::Debug for ShuffleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShuffleKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ShuffleKey, Error> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        ShuffleKey::read(file.path())
    }

    #[test]
    fn a_key_reads_back_and_is_not_shown() {
        let key = Shuffle::Fresh.key().unwrap().unwrap();
        assert_eq!(read(&key.to_text()).unwrap(), key);
        assert_ne!(Shuffle::Fresh.key().unwrap().unwrap(), key, "a fresh one is another one");
        assert_eq!(format!("{:?}", Shuffle::With(key)), "With(ShuffleKey)");
    }

    #[test]
    fn what_anybody_could_guess_is_no_key() {
        let digits = "0123456789abcdef0123456789ABCDEF";
        assert!(read(digits).is_ok());
        for text in ["", "42", &digits[1..], &format!("+{}", &digits[1..]), &format!("{digits}\n{digits}\n"), "# 42\n"]
        {
            let error = read(text).unwrap_err();
            assert!(error.to_string().contains("no key") && !error.to_string().contains("1234"), "{error}");
        }
    }

    #[test]
    fn a_key_means_its_order_unless_records_keep_theirs() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), ShuffleKey([7; 16]).to_text()).unwrap();
        let said = |shuffle| OutputSpec { shuffle, shuffle_key: Some(file.path().into()), ..OutputSpec::default() };
        assert_eq!(Shuffle::new(&said(None)).unwrap(), Shuffle::With(ShuffleKey([7; 16])));
        assert!(matches!(Shuffle::new(&said(Some(false))), Err(Error::Contradiction { .. })));
        assert_eq!(Shuffle::new(&OutputSpec::default()).unwrap(), Shuffle::No);
    }
}
