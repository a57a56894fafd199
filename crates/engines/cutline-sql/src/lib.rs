//! A stored recoding as statements for servers, and statements that verify the result.
//!
//! For tables that live where Cutline has no engine: [`statements`] writes what masks a table as a [`Recoding`] says, in the server's own
//! dialect, and what recounts the masked table. The statements mean what `cutline apply` does:
//!
//! | question | answer, as in `apply` | where |
//! | --- | --- | --- |
//! | What is missing? | NULL, and texts that are empty or a null marker, blanks around them aside | `cell` |
//! | What is a number? | a finite one with digits, point and exponent, in a numeric column or as text | `cell` |
//! | Which label has a value? | that of [`Labeler`](cutline_model::recoding::Labeler) | `label` |
//! | A value without one? | the statement fails; there is never a NULL label for it | `label` |
//! | Which records are suppressed? | those of groups that are too small; of one QID, by number of records | `suppress` |
//! | What is published? | masked columns, those that conditions look at, and those that are named | `plan` |
//!
//! A missing value that is published is NULL. The `verify` module makes the statements that recount. It is given the requirement, the null
//! markers and the table's name, and shares with the rest only how a dialect writes names, texts and failures.
//!
//! A script is *all or nothing* if its client stops at the first error: a verification that does not hold is an error, and what was
//! made before it is taken back with the transaction, or never gets its name.
//!
//! ```
//! use cutline_model::Recoding;
//! use cutline_sql::{Dialect, Form, Request, statements};
//!
//! let recoding = Recoding::from_json(r#"{"format": "cutline-recoding/1",
//!     "attributes": {"age": {"operation": "discretize", "bounds": [null, 37, null]}},
//!     "requirement": {"qids": [{"attributes": ["age"], "k": 10, "anonymity": 12}]}}"#)?;
//! let request = Request::new(Dialect::DuckDb, Form::Table, "patients".parse()?);
//! let script = statements(&recoding, &request)?.to_string();
//! assert!(script.contains("WHEN t.\"age\" < 37 THEN '<37'"));
//! assert!(script.contains("HAVING COUNT(*) < 10"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod dialect;
mod error;
mod forms;
mod label;
mod looks;
mod lookup;
mod mapping;
mod mask;
mod name;
mod plan;
mod quote;
mod script;
mod suppress;
pub mod verify;

pub use cell::value_of;
pub use cutline_model::Recoding;
pub use dialect::{Dialect, Gives};
pub use error::SqlError;
pub use forms::Form;
pub use looks::Looks;
pub use lookup::{Lookup, UNLISTED, Unlisted};
pub use name::TableName;
pub use plan::Request;
pub use script::Statements;

use plan::Plan;

/// The statements that mask a table as the recoding says, and those that verify the result, in the order in which they are to be run.
pub fn statements(recoding: &Recoding, request: &Request) -> Result<Statements, SqlError> {
    forms::statements(&Plan::new(recoding, request)?)
}
