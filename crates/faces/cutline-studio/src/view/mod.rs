//! What is shown: plain data, made from the stages of `cutline`. It has values of records, so it goes to the steward's own browser alone.

mod attribute;
mod columns;
mod groups;
mod looks;
mod result;
mod tried;

pub(crate) use columns::ColumnsView;
pub(crate) use groups::RawGroups;
pub(crate) use looks::LooksView;
pub(crate) use result::ResultView;
pub(crate) use tried::TriedView;
