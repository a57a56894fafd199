//! How are the bytes of a file packed?

use std::io::{self, BufReader, Read};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Xz,
    Bzip2,
}

/// The window of a block of `.xz`, in KiB: `xz -9` needs 64 MiB. A damaged file must not ask for all the memory there is.
const XZ_MEMORY: u32 = 1 << 20;

impl Compression {
    pub(crate) fn by_extension(path: &Path) -> Self {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstd,
            "xz" => Self::Xz,
            "bz2" => Self::Bzip2,
            _ => Self::None,
        }
    }

    /// What the first bytes tell, for what has no name. No text begins so.
    pub(crate) fn by_content(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => Self::Bzip2,
            _ => Self::None,
        }
    }

    /// The unpacked bytes. A file may have several parts, as log rotation and `cat` make them.
    pub(crate) fn unpacked(self, stored: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::None => Box::new(stored),
            Self::Gzip => Box::new(MultiGzDecoder::new(stored)),
            Self::Zstd => Box::new(zstd::Decoder::new(stored)?),
            Self::Xz => Box::new(XzReader::new_mem_limit(BufReader::new(stored), true, XZ_MEMORY)),
            Self::Bzip2 => Box::new(MultiBzDecoder::new(stored)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a,b\n` and `1,2\n`, each packed by itself: by `xz` 5.4 and by `bzip2` 1.0.8, the parts one after the other.
    const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a3010003612c620a000f3f2aecc5dd331600011c046f2c9cc11fb6f37d010000000004595afd377a585a000004e6d6b4460200210116000000742fe5a3010003312c320a002d27766aadc74e5900011c046f2c9cc11fb6f37d010000000004595a";
    const BZIP2: &str = "425a683931415926535903433ae000000151000010000430002000219a68334d173c5dc914e142400d0ceb80425a68393141592653597453704900000158000010000430002000219a68334d173c5dc914e14241d14dc124";

    fn bytes(digits: &str) -> Vec<u8> {
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    }

    #[test]
    fn what_others_packed_is_unpacked_whatever_it_is_called() {
        for (packed, compression, name) in [(XZ, Compression::Xz, "a.csv.XZ"), (BZIP2, Compression::Bzip2, "a.csv.bz2")]
        {
            let packed = bytes(packed);
            assert_eq!(Compression::by_extension(Path::new(name)), compression);
            assert_eq!(Compression::by_content(&packed), compression);
            let mut text = String::new();
            compression.unpacked(io::Cursor::new(packed)).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "a,b\n1,2\n");
        }
    }

    #[test]
    fn what_is_cut_off_or_changed_is_an_error() {
        for (packed, compression) in [(XZ, Compression::Xz), (BZIP2, Compression::Bzip2)] {
            let whole = bytes(packed);
            let read = |bytes: Vec<u8>| {
                let mut all = Vec::new();
                compression.unpacked(io::Cursor::new(bytes)).and_then(|mut unpacked| unpacked.read_to_end(&mut all))
            };
            assert!(read(whole[..whole.len() - 9].to_vec()).is_err(), "{compression:?}");
            let mut changed = whole.clone();
            changed[whole.len() / 4] ^= 0x10;
            assert!(read(changed).is_err(), "{compression:?}");
        }
    }
}
