//! `cutline sql`.

use std::path::Path;
use std::process::ExitCode;

use cutline::model::recoding::Unknown;
use cutline::{Apply, Error, give_taxonomy};
use cutline_sql::{Request, SqlError, statements};

use crate::args::SqlArgs;
use crate::names;
use crate::out;

/// Prints the statements; what the user should know goes to standard error.
pub(crate) fn run(args: SqlArgs) -> Result<ExitCode, Error> {
    let mut recoding = Apply::read(&args.recoding)?.recoding;
    let unknown = if args.unknown == Some(cutline::spec::IfUnknown::Root) { Unknown::Root } else { Unknown::Error };
    for (name, file) in &args.taxonomy {
        give_taxonomy(&mut recoding, name, Path::new(file), unknown)?;
        out::tell(format_args!(
            "note: the statements tell what is below the labels of `{name}`, whose taxonomy is private; so does a view to whoever may \
             read its definition"
        ));
    }
    recoding.null.extend(args.null.iter().cloned());
    let script = statements(&recoding, &request(args, unknown)).map_err(refused)?;
    script.notes.iter().for_each(|note| out::tell(format_args!("note: {note}")));
    out::print(script)?;
    Ok(ExitCode::SUCCESS)
}

fn request(args: SqlArgs, unknown: Unknown) -> Request {
    let usual = Request::new(args.dialect, args.form, args.table);
    Request {
        into: args.into.unwrap_or_else(|| usual.into.clone()),
        columns: args.columns.as_deref().map(names::list).unwrap_or_default(),
        key: args.key,
        unknown,
        qids: args.qid,
        ..usual
    }
}

fn refused(error: SqlError) -> Error {
    let hint = error.hint().unwrap_or("rename the column in the table, or use `cutline apply`").to_owned();
    Error::Contradiction { what: error.to_string(), hint }
}
