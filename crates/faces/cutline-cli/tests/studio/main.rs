//! `cutline studio`: who may ask it, and what a person does with it in a real browser.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![cfg(feature = "studio")]

mod asked;
mod attacks;
mod browser;
#[cfg(feature = "spark")]
mod cluster;
mod eyes;
mod http;
mod lines;
mod person;
mod rules;
mod running;
mod saved;
#[cfg(feature = "postgres")]
mod servers;
#[path = "../support/mod.rs"]
mod support;
