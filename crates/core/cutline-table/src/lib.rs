//! Which code does this cell have, how many records share it?
//!
//! A search never sees records. It sees the *compressed table*: the distinct (quasi values, target) combinations as small codes,
//! with the number of records that share each of them.
//!
//! ```text
//! cells ──► Compressor ──► RawTable ──► CompressedTable ──► Projection (one for each QID)
//!           (streaming)    (texts)      (ordered codes) │   (distinct qids)
//! groups ─► from_groups, merge ─┘                       └─► Masked (rows of labels, under a recoding)
//! ```

mod codes;
mod compressed;
mod compressor;
mod costs;
mod domain;
mod encode;
mod grouper;
mod groups;
mod history;
mod interner;
mod mask;
mod masked;
mod numbering;
mod ordered;
mod persons;
mod projection;
mod qid;
#[cfg(test)]
mod random;
mod raw;
mod record;
mod regions;
mod regroup;
mod round;
mod settled;
mod suppress;
mod tidy;
mod waiting;

pub use codes::{Code, Codes};
pub use compressed::{Attribute, AttributeId, CompressedTable, Labels};
pub use compressor::{Block, BlockColumn, BlockGroups, CodedColumn, Compressor, FRESH};
pub use costs::{Cost, Costs};
pub use domain::Domain;
pub use encode::{LabelKind, TableError, encode};
pub use groups::GroupsError;
pub use history::{Histories, History, Patterns};
pub use mask::{AttributeMask, ColumnLabels, Mask, MaskPlan, RareLabels, RecordLabels, SuppressPlan};
pub use masked::{MaskError, Masked, Suppressed};
pub use numbering::{Numbering, combine, sums, sums_alone};
pub use persons::{Members, PersonNumbers, Persons};
pub use projection::Projection;
pub use qid::{TableCondition, TableQid};
pub use raw::{Dictionary, RawColumn, RawTable};
pub use record::RecordNumber;
pub use settled::Settled;
pub use suppress::{Judgement, Sensitive, Suppressor};
