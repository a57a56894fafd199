//! Tables of Spark clusters.

use cutline::engine::{EngineError, Target};
use cutline::verify::Recount;
use cutline::{Error, Table};
use cutline_spark::{IfExists, IntoPath, IntoTable, Location, ServerError, Source, Spark, TableName};

use super::{Beside, Database, Wanted};

pub(super) fn check(location: &str) -> Result<(), Error> {
    location.parse::<Location>().map_err(EngineError::from)?;
    Ok(())
}

pub(super) fn open(location: &str, wanted: Wanted<'_>) -> Result<Box<dyn Database>, Error> {
    let source = match wanted {
        Wanted::Table(table) => Source::named(table).map_err(EngineError::from)?,
        Wanted::Query(query) => Source::Query(query.to_owned()),
    };
    let location: Location = location.parse().map_err(EngineError::from)?;
    Ok(Box::new(cutline_spark::open(&location, &source)?))
}

impl Database for Spark {
    fn table(&self) -> Table {
        Table::remote(self.clone())
    }

    fn recounted(&self) -> Box<dyn Recount + '_> {
        Box::new(self.recounted())
    }

    fn target(&self, beside: Beside<'_>) -> Result<Box<dyn Target + '_>, Error> {
        if beside.into.contains('/') {
            return Ok(Box::new(IntoPath::new(self, beside.into, beside.files)?));
        }
        let if_exists = if beside.force { IfExists::Replace } else { IfExists::Refuse };
        let into = beside.into.parse::<TableName>().map_err(|error| EngineError::from(ServerError::from(error)))?;
        Ok(Box::new(IntoTable::new(self, &into, if_exists, beside.files)?))
    }
}
