//! One file for each subcommand.

pub(crate) mod anonymize;
pub(crate) mod apply;
pub(crate) mod demo;
pub(crate) mod init;
pub(crate) mod taxonomy;
pub(crate) mod verify;
