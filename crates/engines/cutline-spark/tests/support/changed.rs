//! A cluster has no snapshot: cells may come between counting and writing.

use arrow_schema::DataType;
use cutline::spec::Spec;
use cutline::{Counts, Job, Silent, Table};
use cutline_spark::IntoPath;

use crate::support::{Server, parquet};

/// Counts a table, changes one of its cells, and publishes it.
pub(crate) fn is_an_error(server: &Server) {
    let (file, into) = (server.path("visits.parquet"), server.path("visits_public"));
    let records = |first: &str| format!("town,age\n{first}\n{}", "Oslo,20\nRome,21\n".repeat(50));
    let spec = "[[qid]]\nattributes = [\"town\", \"age\"]\nk = 10\n";
    let job = Job::new(toml::from_str::<Spec>(spec).unwrap()).unwrap();
    for changed in ["Tulip,20", "Oslo,77"] {
        parquet(&file, &records("Oslo,20"), &[DataType::Utf8, DataType::Int32]);
        let engine = server.open(&file);
        let draft = Counts::new(&job, &Table::remote(engine.clone()), &Silent).unwrap().search(&job, &Silent).unwrap();
        parquet(&file, &records(changed), &[DataType::Utf8, DataType::Int32]);
        let target = IntoPath::new(&engine, &into, None).unwrap();
        let said = draft.publish(Box::new(target), &Silent).err().unwrap().to_string();
        assert!(said.contains("changed") && !said.contains("Tulip") && !said.contains("77"), "{said}");
        assert!(!std::path::Path::new(&into).exists(), "{changed}: something was published");
    }
    std::fs::remove_file(file).unwrap();
}
