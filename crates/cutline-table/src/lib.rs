//! Which code does this cell have, how many records share it?
//!
//! A search never sees records. It sees the *compressed table*: the distinct (quasi values, target) combinations as small codes,
//! with the number of records that share each of them.
//!
//! ```text
//! cells ──► Compressor ──► RawTable ──► CompressedTable ──► Projection (one for each QID)
//!           (streaming)    (texts)      (ordered codes)     (distinct qids)
//! ```

mod codes;
mod compressed;
mod compressor;
mod domain;
mod encode;
mod grouper;
mod interner;
mod projection;
mod raw;

pub use codes::{Code, Codes};
pub use compressed::{Attribute, AttributeId, CompressedTable, Labels};
pub use compressor::{Block, BlockColumn, Compressor};
pub use domain::Domain;
pub use encode::{LabelKind, TableError, encode};
pub use projection::Projection;
pub use raw::{RawColumn, RawTable};
