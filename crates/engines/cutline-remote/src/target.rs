//! Which tables are ours to replace?

/// What a table of ours says of itself.
pub const MARK: &str = "Published by Cutline. Grants, keys and indexes are up to its owner.";

/// What to do if the table is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Leave it alone.
    Refuse,
    /// Replace it if it is one of ours.
    Replace,
}
