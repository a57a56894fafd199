//! A look at a column by itself: what comes back are counts and lengths, and for samples the least and the largest number.

use cutline_engine::{ColumnProfile, EngineError, MOST_DISTINCT, Watch};
use cutline_model::Kind;

use crate::cells::ALIAS;
use crate::engine::Postgres;
use crate::error::PostgresError;

const LOOKING: &str = "looking at columns";

/// What a number looks like: see `parse_number` of the model.
const NUMBER: &str = "'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'";

/// A number without a fraction; those with an exponent count as having one.
const WHOLE: &str = "'^[+-]?[0-9]+([.]0*)?$'";

/// What can be said of all values of a column.
pub(crate) struct Look {
    records: u64,
    missing: u64,
    distinct: u64,
    numeric: bool,
    whole: bool,
    padded: bool,
    longest: usize,
    pub(crate) range: Option<(f64, f64)>,
}

impl Look {
    pub(crate) fn at(
        engine: &Postgres,
        column: usize,
        nulls: &[String],
        present: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<Self, EngineError> {
        let value = engine.opened().columns[column].value(nulls).map_err(PostgresError::from)?;
        let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
        let number = format!("CASE WHEN v ~ {NUMBER} THEN v::double precision END");
        let query = format!(
            "SELECT coalesce(sum(n), 0)::bigint, coalesce(sum(n) FILTER (WHERE v IS NULL), 0)::bigint, count(v), \
               coalesce(bool_and(v ~ {NUMBER}), false), coalesce(bool_and(v ~ {WHOLE}), false), \
               coalesce(bool_or(v ~ '^0[^.]+$'), false) AND min(octet_length(v)) = max(octet_length(v)), \
               coalesce(max(octet_length(v)), 0), min({number}), max({number}) \
             FROM (SELECT {value} AS v, count(*) AS n FROM {} AS {ALIAS}{filter} GROUP BY 1) AS g",
            engine.opened().relation
        );
        let rows = engine.session().query(LOOKING, watch, &query, &[])?;
        let row = rows.first().ok_or(PostgresError::Answer { doing: LOOKING, problem: "there is no row" })?;
        let (least, most): (Option<f64>, Option<f64>) = (row.get(7), row.get(8));
        Ok(Look {
            records: row.get::<_, i64>(0) as u64,
            missing: row.get::<_, i64>(1) as u64,
            distinct: row.get::<_, i64>(2) as u64,
            numeric: row.get(3),
            whole: row.get(4),
            padded: row.get::<_, Option<bool>>(5).unwrap_or_default(),
            longest: row.get::<_, i32>(6) as usize,
            range: least.zip(most).map(|(least, most)| (least + 0.0, most + 0.0)),
        })
    }

    /// By the rule of `RawColumn::guess_kind`.
    pub(crate) fn kind(&self) -> Kind {
        if self.numeric && !self.padded { Kind::Continuous } else { Kind::Categorical }
    }
}

pub(crate) fn profile(
    engine: &Postgres,
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Vec<ColumnProfile>, EngineError> {
    let columns = engine.opened().columns.iter().enumerate().filter(|(_, column)| column.column.has_values());
    let looks = columns.map(|(index, column)| {
        let look = Look::at(engine, index, nulls, None, watch)?;
        Ok(ColumnProfile {
            name: column.column.name.clone(),
            records: look.records,
            missing: look.missing,
            distinct: (look.distinct as usize).min(MOST_DISTINCT),
            numeric: look.numeric,
            whole: look.whole,
            padded: look.padded,
            longest: look.longest,
        })
    });
    let profiles = looks.collect::<Result<Vec<_>, EngineError>>()?;
    watch.advance(engine.opened().records);
    Ok(profiles)
}
