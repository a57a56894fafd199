//! A page in the browser, served on this machine only: look at a table, see what a requirement costs, move the line, publish.
//!
//! | file | answers |
//! | --- | --- |
//! | `server` | Where does it listen, and when does it end? |
//! | `guard` | Who may ask? Host, Origin, token; what a page may load |
//! | `confine` | Which files may be read and written? |
//! | `routes` | What can be asked? One function for each question |
//! | `session` | What does a tab work with? Its table, its counts, its draft |
//! | `watch` | How far is it, and must it stop? |
//! | `open` | What does the path that somebody named stand for? |
//! | `elsewhere` | Which tables are no files, and who opens them? |
//! | `view/` | What is shown: plain data, made from the stages of `cutline` |
//! | `by_hand` | What if somebody moves the line? |
//! | `told` | Which command, and which call in Python, does the same? |
//! | `taxonomy` | Trees to edit: proposed, read, written |
//!
//! The page itself is in `page/`: plain modules and styles, embedded in the program. Values of records reach the steward's own browser,
//! and nothing else.

mod assets;
mod by_hand;
mod confine;
mod elsewhere;
mod fault;
mod guard;
mod open;
mod routes;
mod server;
mod session;
mod taxonomy;
mod told;
mod view;
mod watch;

pub use confine::Confines;
pub use elsewhere::Elsewhere;
pub use server::Server;
