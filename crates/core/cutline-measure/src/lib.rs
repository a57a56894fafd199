//! What did the masking cost?
//!
//! | folder | question |
//! | --- | --- |
//! | [`loss`] | How much was lost, by a formula? |
//! | [`classify`] | How much worse is a classifier that learns from the masked table? |
//! | [`cluster`] | Are the clusters of the raw records still there? |
//! | [`screen`] | Which columns single persons out, or give hidden values away? |

pub mod classify;
pub mod cluster;
pub mod loss;
pub mod screen;
