//! A look at columns by themselves: what comes back are counts and lengths, and for samples the least and the largest number.

use cutline_engine::{ColumnProfile, EngineError, MOST_DISTINCT, Watch};
use cutline_model::Kind;
use cutline_sql::{Dialect, SqlError};

use crate::compress::number;
use crate::{ALIAS, Server, ServerError};

const LOOKING: &str = "looking at columns";

/// What a number looks like: see `parse_number` of the model.
const NUMBER: &str = "'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'";

/// A number without a fraction; those with an exponent count as having one.
const WHOLE: &str = "'^[+-]?[0-9]+([.]0*)?$'";

/// A code that starts with a zero.
const PADDED: &str = "'^0[^.]+$'";

/// What can be said of all values of a column.
pub(crate) struct Look {
    missing: u64,
    numeric: bool,
    whole: bool,
    padded: bool,
    longest: usize,
    pub(crate) range: Option<(f64, f64)>,
}

/// What is asked of every column; the order is that of [`Look::read`].
const ASKED: usize = 8;

impl Look {
    /// Looks at columns in one pass; gives the number of records, too.
    pub(crate) fn at<S: Server>(
        server: &S,
        columns: &[usize],
        nulls: &[String],
        present: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<(u64, Vec<Self>), EngineError> {
        let dialect = server.dialect();
        let values = columns.iter().enumerate().map(|(place, &column)| {
            Ok(format!("{} AS v{place}", server.opened().columns[column].value(dialect, nulls)?))
        });
        let mut values = values.collect::<Result<Vec<_>, SqlError>>().map_err(ServerError::from)?;
        values.push("1 AS one".to_owned());
        let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
        let asked: String = (0..columns.len()).map(|place| asked(dialect, place)).collect();
        let query = format!(
            "SELECT count(*) AS records{asked} FROM (SELECT {} FROM {} AS {ALIAS}{filter}) AS g",
            values.join(", "),
            server.opened().relation
        );
        let row = server.row(LOOKING, watch, &query)?;
        let looks = (0..columns.len()).map(|place| Look::read(&row, 1 + place * ASKED));
        Ok((number(LOOKING, &row, 0)?, looks.collect::<Result<_, _>>()?))
    }

    fn read(row: &[Option<String>], start: usize) -> Result<Self, EngineError> {
        let told = |place: usize| number::<u64>(LOOKING, row, start + place);
        let bound = |place: usize| row.get(start + place)?.as_deref()?.parse::<f64>().ok();
        Ok(Look {
            missing: told(0)?,
            numeric: told(1)? == 1,
            whole: told(2)? == 1,
            padded: told(3)? == 1 && told(4)? == told(5)?,
            longest: told(5)? as usize,
            range: bound(6).zip(bound(7)).map(|(least, most)| (least + 0.0, most + 0.0)),
        })
    }

    /// By the rule of `RawColumn::guess_kind`.
    pub(crate) fn kind(&self) -> Kind {
        if self.numeric && !self.padded { Kind::Continuous } else { Kind::Categorical }
    }
}

/// What is asked of the column with this place.
fn asked(dialect: Dialect, place: usize) -> String {
    let v = format!("v{place}");
    let all = |pattern: &str| {
        format!(
            "coalesce(min(CASE WHEN {v} IS NULL THEN NULL WHEN {} THEN 1 ELSE 0 END), 0)",
            like(dialect, &v, pattern)
        )
    };
    let double = if dialect == Dialect::Postgres { "DOUBLE PRECISION" } else { "DOUBLE" };
    let number = format!("CASE WHEN {} THEN CAST({v} AS {double}) END", like(dialect, &v, NUMBER));
    let asked: [String; ASKED] = [
        format!("coalesce(sum(CASE WHEN {v} IS NULL THEN 1 ELSE 0 END), 0)"),
        all(NUMBER),
        all(WHOLE),
        format!("coalesce(max(CASE WHEN {} THEN 1 ELSE 0 END), 0)", like(dialect, &v, PADDED)),
        format!("coalesce(min(octet_length({v})), 0)"),
        format!("coalesce(max(octet_length({v})), 0)"),
        format!("min({number})"),
        format!("max({number})"),
    ];
    let named = asked.iter().enumerate().map(|(what, asked)| format!(", {asked} AS a{place}_{what}"));
    named.collect()
}

fn like(dialect: Dialect, text: &str, pattern: &str) -> String {
    let operator = if dialect == Dialect::Postgres { "~" } else { "RLIKE" };
    format!("{text} {operator} {pattern}")
}

/// A look at each column that has values.
pub fn profile<S: Server>(server: &S, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
    let all = &server.opened().columns;
    let columns: Vec<usize> = (0..all.len()).filter(|&column| all[column].column.has_values()).collect();
    let (records, looks) = Look::at(server, &columns, nulls, None, watch)?;
    let mut profiles = Vec::with_capacity(columns.len());
    for (column, look) in columns.into_iter().zip(looks) {
        profiles.push(ColumnProfile {
            name: all[column].column.name.clone(),
            records,
            missing: look.missing,
            distinct: distinct(server, column, nulls, watch)?.min(MOST_DISTINCT),
            numeric: look.numeric,
            whole: look.whole,
            padded: look.padded,
            longest: look.longest,
        });
    }
    watch.advance(server.opened().records);
    Ok(profiles)
}

/// How many different values a column has.
fn distinct<S: Server>(server: &S, column: usize, nulls: &[String], watch: &dyn Watch) -> Result<usize, EngineError> {
    let value = server.opened().columns[column].value(server.dialect(), nulls).map_err(ServerError::from)?;
    let relation = &server.opened().relation;
    let query = format!("SELECT count(v) AS n FROM (SELECT {value} AS v FROM {relation} AS {ALIAS} GROUP BY 1) AS g");
    number(LOOKING, &server.row(LOOKING, watch, &query)?, 0)
}
