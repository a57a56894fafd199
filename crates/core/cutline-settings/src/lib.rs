//! What can be set, and how is it said?
//!
//! A flag of the command, a key of the spec, a Python keyword and a form field are one [`Setting`]: it has its name, its shape, its
//! default, its doc and the function that puts a value where it belongs, and it stands beside the thing that it sets.
//!
//! ```
//! use cutline_settings::{Setting, Shape, Value};
//!
//! #[derive(Default)]
//! struct Garden {
//!     trees: Option<u32>,
//! }
//!
//! const SETTINGS: &[Setting<Garden>] = &[Setting {
//!     name: "trees",
//!     key: "trees",
//!     shape: Shape::Whole,
//!     default: "none",
//!     help: "How many trees there are",
//!     example: "3",
//!     set: |garden, value| value.whole(&mut garden.trees),
//!     ..Setting::BLANK
//! }];
//!
//! let mut garden = Garden::default();
//! SETTINGS[0].set(&mut garden, &Value::from("3"))?;
//! assert_eq!(garden.trees, Some(3));
//! assert!(SETTINGS[0].set(&mut garden, &Value::from("many")).is_err());
//! # Ok::<(), cutline_settings::SettingError>(())
//! ```
//!
//! | file | answers |
//! | --- | --- |
//! | `setting` | What is a setting? |
//! | `value` | What can be said, and what is it as a type? |
//! | `choices` | Which of a few words is meant? |
//! | `mention` | How does a message name a setting, so that every face writes it its own way? |

mod choices;
mod mention;
mod setting;
mod value;

pub use choices::{Choice, NoChoice};
pub use mention::mentions;
pub use setting::{Reach, Setting, SettingError, Shape};
pub use value::{Value, Wrong};
