//! Tables of databases with an ADBC driver.

use cutline::engine::{EngineError, Target};
use cutline::verify::Recount;
use cutline::{Error, Table};
use cutline_adbc::{Adbc, IfExists, IntoTable, Location, ServerError, Source, TableName};

use super::{Beside, Database, Wanted};

pub(super) fn check(location: &str) -> Result<(), Error> {
    location.parse::<Location>().map_err(EngineError::from)?;
    Ok(())
}

pub(super) fn open(location: &str, wanted: Wanted<'_>) -> Result<Box<dyn Database>, Error> {
    let source = match wanted {
        Wanted::Table(table) => Source::Table(name(table)?),
        Wanted::Query(query) => Source::Query(query.to_owned()),
    };
    let location: Location = location.parse().map_err(EngineError::from)?;
    Ok(Box::new(cutline_adbc::open(&location, &source)?))
}

fn name(name: &str) -> Result<TableName, EngineError> {
    name.parse::<TableName>().map_err(|error| ServerError::from(error).into())
}

impl Database for Adbc {
    fn table(&self) -> Table {
        Table::remote(self.clone())
    }

    fn recounted(&self) -> Box<dyn Recount + '_> {
        Box::new(self.recounted())
    }

    fn target(&self, beside: Beside<'_>) -> Result<Box<dyn Target + '_>, Error> {
        let if_exists = if beside.force { IfExists::Replace } else { IfExists::Refuse };
        Ok(Box::new(IntoTable::new(self, &name(beside.into)?, if_exists, beside.files)?))
    }
}
