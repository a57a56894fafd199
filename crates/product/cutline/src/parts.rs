//! Pieces of a release for those who build on them: studies, benchmarks, other faces. Nobody needs them to publish a table.

pub use crate::cluster::drawn::{Known, MOST_DRAWN, space};
pub use crate::cluster::settings::{TOO_FEW_CLUSTERS, too_few};
pub use crate::columns::{Columns, find_column, known_position, names_of, position};
pub use crate::find::{Found, Way, find};
pub use crate::recount::{verified_format, verified_notation};
