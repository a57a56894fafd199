//! What may be published, and how is it written down?
//!
//! Attributes and their roles, taxonomies, requirements, purposes and recodings. Nothing here reads a file, knows a record or
//! runs a search: these are the words that every other crate speaks.

mod attribute;
mod axis;
pub mod conditions;
mod guarantee;
mod number;
mod purpose;
pub mod recoding;
mod requirement;
mod share;
pub mod taxonomy;

pub use attribute::{Identifier, Kind, Masking, Role};
pub use axis::{Axis, Date, DateForm, DateSpan, Grain, NoDateForm, NoDateSpan, Scale, Unit, boundary};
pub use conditions::Condition;
pub use guarantee::{Guarantee, KnownBy};
pub use number::{Bound, parse_number, shortest};
pub use purpose::Purpose;
pub use recoding::{AttributeRecoding, Recoding};
pub use requirement::{Qid, Redundant, Requirement, RequirementError, split_names};
pub use share::{Share, ShareError};
pub use taxonomy::{Classification, NodeId, Taxonomy, TaxonomyError};
