//! A look at columns by themselves: what comes back are counts and lengths, and for samples the least and the largest number.

use cutline_engine::{CellKind, ColumnProfile, EngineError, MOST_DISTINCT, Watch};
use cutline_model::{Kind, parse_number};
use cutline_sql::{Dialect, Looks};

use crate::compress::number;
use crate::{ALIAS, Server, ServerError};

const LOOKING: &str = "looking at columns";

/// What can be said of all values of a column.
pub(crate) struct Look {
    missing: u64,
    numeric: bool,
    whole: bool,
    padded: bool,
    longest: usize,
    range: Ends,
    different: usize,
}

impl Look {
    /// Looks at columns. Each column is grouped by value first: most have far fewer values than records, and to see what a text looks like
    /// takes longest.
    fn at<S: Server>(
        server: &S,
        columns: &[usize],
        nulls: &[String],
        present: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<Vec<Self>, EngineError> {
        let (dialect, relation) = (server.dialect(), &server.opened().relation);
        let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
        let mut looks = Vec::with_capacity(columns.len());
        for &column in columns {
            let value = server.opened().columns[column].value(dialect, nulls).map_err(ServerError::from)?;
            let values = format!("SELECT {value} AS v, count(*) AS n FROM {relation} AS {ALIAS}{filter} GROUP BY 1");
            let query = format!("SELECT {} FROM ({values}) AS g", asked(dialect));
            looks.push(Look::read(&server.row(LOOKING, watch, &query)?)?);
        }
        Ok(looks)
    }

    /// The order is that of [`asked`].
    fn read(row: &[Option<String>]) -> Result<Self, EngineError> {
        let told = |place: usize| number::<u64>(LOOKING, row, place);
        let bound = |place: usize| row.get(place)?.as_deref()?.parse::<f64>().ok();
        Ok(Look {
            missing: told(0)?,
            numeric: told(1)? == 1,
            whole: told(2)? == 1,
            padded: told(3)? == 1 && told(4)? == told(5)?,
            longest: told(5)? as usize,
            range: bound(6).zip(bound(7)).map(|(least, most)| (least + 0.0, most + 0.0)),
            different: told(8)? as usize,
        })
    }

    /// By the rule of `RawColumn::guess_kind`.
    fn kind(&self) -> Kind {
        if self.numeric && !self.padded { Kind::Continuous } else { Kind::Categorical }
    }
}

/// The least and the largest number of a column, if it has any.
type Ends = Option<(f64, f64)>;

/// What all values of a column are, and their ends.
pub(crate) type Seen = (Kind, Ends);

/// The number of records, and what is known of columns of whole numbers before any record is drawn: these only have to be asked for the
/// ends.
pub(crate) struct Outline {
    pub(crate) records: u64,
    /// In the order of the columns; nothing where the values must be looked at.
    whole: Vec<Option<Seen>>,
}

impl Outline {
    pub(crate) fn of<S: Server>(
        server: &S,
        columns: &[usize],
        (nulls, present): (&[String], Option<&str>),
        watch: &dyn Watch,
    ) -> Result<Self, EngineError> {
        let all = &server.opened().columns;
        let unmistakable = nulls.iter().all(|null| parse_number(null).is_none());
        let is_whole = |column: &usize| unmistakable && all[*column].column.cells == CellKind::Integer;
        let (records, ends) = ends(server, columns.iter().copied().filter(is_whole), present, watch)?;
        let mut ends = ends.into_iter();
        let seen = |range: Ends| (if range.is_some() { Kind::Continuous } else { Kind::Categorical }, range);
        let whole = columns.iter().map(|column| is_whole(column).then(|| seen(ends.next().flatten()))).collect();
        Ok(Outline { records, whole })
    }

    /// What the values of columns are of which some records were drawn. One with a drawn text that is no number is one of names, whatever
    /// the others are.
    pub(crate) fn seen<S: Server>(
        self,
        server: &S,
        (columns, drawn): (&[usize], &[Vec<Option<String>>]),
        (nulls, present): (&[String], Option<&str>),
        watch: &dyn Watch,
    ) -> Result<Vec<Seen>, EngineError> {
        let is_name = |text: &String| parse_number(text).is_none();
        let seen = self.whole.into_iter().enumerate().map(|(place, whole)| match whole {
            Some(seen) => Ok(seen),
            None if drawn[place].iter().flatten().any(is_name) => Ok((Kind::Categorical, None)),
            None => {
                let looks = Look::at(server, &columns[place..=place], nulls, present, watch)?;
                Ok(looks.first().map_or((Kind::Categorical, None), |look| (look.kind(), look.range)))
            }
        });
        seen.collect()
    }
}

/// The number of records, and the least and the largest number of columns of whole numbers.
fn ends<S: Server>(
    server: &S,
    columns: impl Iterator<Item = usize>,
    present: Option<&str>,
    watch: &dyn Watch,
) -> Result<(u64, Vec<Ends>), EngineError> {
    let opened = server.opened();
    let filter = present.map(|present| format!(" WHERE {present}")).unwrap_or_default();
    let names: Vec<String> = columns.map(|column| opened.columns[column].name()).collect();
    let asked = names.iter().enumerate().map(|(n, name)| format!(", min({name}) AS l{n}, max({name}) AS m{n}"));
    let asked: String = asked.collect();
    let query = format!("SELECT count(*) AS n{asked} FROM {} AS {ALIAS}{filter}", opened.relation);
    let row = server.row(LOOKING, watch, &query)?;
    let end = |place: usize| row.get(place)?.as_deref()?.parse::<f64>().ok();
    let ends = (0..names.len()).map(|name| end(1 + 2 * name).zip(end(2 + 2 * name)));
    Ok((number(LOOKING, &row, 0)?, ends.collect()))
}

/// What is asked of a column whose values `v` are there with their records `n`.
fn asked(dialect: Dialect) -> String {
    let all = |looks: Looks| {
        let like = dialect.looks_like("v", looks);
        format!("coalesce(min(CASE WHEN v IS NULL THEN NULL WHEN {like} THEN 1 ELSE 0 END), 0)")
    };
    let number = format!("CASE WHEN {} THEN {} END", dialect.looks_like("v", Looks::Number), dialect.number("v"));
    let octets = dialect.octets("v");
    let asked: [String; 9] = [
        "CAST(coalesce(sum(CASE WHEN v IS NULL THEN n ELSE 0 END), 0) AS BIGINT)".to_owned(),
        all(Looks::Number),
        all(Looks::Whole),
        format!("coalesce(max(CASE WHEN {} THEN 1 ELSE 0 END), 0)", dialect.looks_like("v", Looks::Padded)),
        format!("coalesce(min({octets}), 0)"),
        format!("coalesce(max({octets}), 0)"),
        format!("min({number})"),
        format!("max({number})"),
        "count(v)".to_owned(),
    ];
    let named: Vec<String> = asked.iter().enumerate().map(|(what, asked)| format!("{asked} AS a{what}")).collect();
    named.join(", ")
}

/// A look at each column that has values.
pub(crate) fn profile<S: Server>(
    server: &S,
    nulls: &[String],
    watch: &dyn Watch,
) -> Result<Vec<ColumnProfile>, EngineError> {
    let all = &server.opened().columns;
    let columns: Vec<usize> = (0..all.len()).filter(|&column| all[column].column.has_values()).collect();
    let (records, _) = ends(server, std::iter::empty(), None, watch)?;
    let looks = Look::at(server, &columns, nulls, None, watch)?;
    let mut profiles = Vec::with_capacity(columns.len());
    for (column, look) in columns.into_iter().zip(looks) {
        profiles.push(ColumnProfile {
            name: all[column].column.name.clone(),
            records,
            missing: look.missing,
            distinct: look.different.min(MOST_DISTINCT),
            numeric: look.numeric,
            whole: look.whole,
            padded: look.padded,
            longest: look.longest,
        });
    }
    watch.advance(server.opened().records);
    Ok(profiles)
}
