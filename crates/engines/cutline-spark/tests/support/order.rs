//! Records lie in files in the order in which they were written: it must not be that of the raw table.

use std::path::Path;

use arrow_schema::DataType;
use cutline::spec::Spec;
use cutline::{Counts, Job, Silent, Table};
use cutline_spark::IntoPath;

use crate::support::{Server, parquet, rows};

/// Publishes records with a number each, and looks which of them are neighbours.
pub(crate) fn is_random(server: &Server) {
    let (file, into) = (server.path("visits.parquet"), server.path("visits_public"));
    let records = (1..=5000).map(|visit| format!("{visit},{}\n", 20 + visit % 3)).collect::<String>();
    parquet(&file, &format!("visit,age\n{records}"), &[DataType::Int64, DataType::Int32]);
    let spec = "[[qid]]\nattributes = [\"age\"]\nk = 10\n[attributes.visit]\nkeep = true\n";
    let job = Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap();
    let engine = server.open(&file);
    let draft = Counts::new(&job, &Table::remote(engine.clone()), &Silent).unwrap().search(&job, &Silent).unwrap();
    draft.publish(Box::new(IntoPath::new(&engine, &into, None).unwrap()), &Silent).unwrap();
    let visits = rows(Path::new(&into));
    let visits: Vec<i64> = visits.iter().map(|row| row.split('|').next().unwrap().parse().unwrap()).collect();
    assert_eq!(visits.len(), 5000);
    // Every pair is one of 5000 by chance.
    let neighbours = visits.windows(2).filter(|pair| (pair[0] - pair[1]).abs() <= 3).count();
    assert!(neighbours < 60, "{neighbours} of 5000 neighbours are still near each other");
    std::fs::remove_dir_all(into).unwrap();
    std::fs::remove_file(file).unwrap();
}
