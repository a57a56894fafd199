//! One file for each subcommand.

pub(crate) mod anonymize;
pub(crate) mod apply;
pub(crate) mod attack;
pub(crate) mod clusters;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod init;
pub(crate) mod manual;
pub(crate) mod screen;
pub(crate) mod sql;
#[cfg(feature = "studio")]
pub(crate) mod studio;
pub(crate) mod taxonomy;
pub(crate) mod verify;
