//! Clusters of mixed tables, and the comparison of two clusterings.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod bisecting;
mod compare;
mod gain;
mod k_means;
mod sample;
mod space;
mod support;
mod threads;
