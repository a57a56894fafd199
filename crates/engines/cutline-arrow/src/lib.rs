//! Records in this process: files and memory, on Apache Arrow.
//!
//! | module | question |
//! | --- | --- |
//! | [`Embedded`] | How do the passes of an [`Engine`](cutline_engine::Engine) run in this process? (`compress`, `rewrite`, `sample`, `profile`) |
//! | `encode`, `recode` | What becomes of a batch in the first pass, and in the second? |
//! | `vocabulary` (with `front` and `close`), `remembered`, `stored` | Which cells does a block share with earlier ones, and a pass with the one before? |
//! | `infer`, `notes` | Which types do texts have, and what may be told beside them? |
//! | `shuffle` | How do records get a random order in bounded memory? |
//! | `persons` | Whose records were written? |
//! | `order` | Are the records in the order of a column? |
//! | `cells`, `notation` | What does a cell say, and which cells say the same? |
//! | [`source`] | Where do records come from? (`files`, `input`, `packed`, `encoding`, `reading`: which bytes are that?) |
//! | [`sink`] | Where do records go to? |
//! | `pass`, `parallel` | How do all cores work on one stream while its order is kept? |
//! | [`crew`] | Which threads work on everything else? |
//! | [`FileError`] | What can go wrong with files? |

mod cells;
mod close;
mod compress;
pub mod crew;
mod digest;
mod distinct;
mod drawing;
mod embedded;
mod encode;
mod encoding;
mod error;
mod fields;
mod files;
mod front;
mod groupings;
mod infer;
mod input;
mod keyed;
mod notation;
mod notes;
mod order;
mod packed;
mod parallel;
mod pass;
mod persons;
mod profile;
mod published;
mod reading;
mod recode;
mod remembered;
mod repeats;
mod rewrite;
mod sample;
mod several;
mod shift;
mod shuffle;
pub mod sink;
pub mod source;
mod stored;
mod taking;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use cells::text_of;
pub use embedded::{Embedded, kind_of};
pub use encoding::Encoding;
pub use error::FileError;
pub use notation::Notation;
pub use rewrite::{MaskedBatches, Origin};
