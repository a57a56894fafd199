//! A table is read once, searched twice, looked at, and published.
//!
//! ```sh
//! cargo run -p cutline --example anonymize -- examples/patients.csv published
//! ```

use cutline::spec::Spec;
use cutline::{Counts, Destination, Error, Folder, Job, Silent, Table, cores};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().unwrap_or("examples/patients.csv".to_owned());
    let path = arguments.next().unwrap_or("published".to_owned()).into();

    let mut spec = Spec::default();
    spec.set("qid", &"birth_year,sex,zip:20".into())?;
    spec.set("target", &"readmitted".into())?;
    spec.set("drop", &"patient_id".into())?;
    let table = Table::open(&data, &Default::default(), cores())?;
    let counts = Counts::new(&Job::new(spec.clone())?, &table, &Silent)?;

    let draft = counts.search(&Job::new(spec.clone())?, &Silent)?;
    spec.set("qid", &"birth_year,sex,zip:50".into())?;
    let safer = counts.search(&Job::new(spec)?, &Silent)?;
    println!("k = 20 takes {} steps, k = 50 takes {}", draft.steps().len(), safer.steps().len());
    for (attribute, recoding) in draft.recoding() {
        println!("{attribute}: {}", recoding.labels().join("  "));
    }
    let report = draft.publish(Box::new(Folder::new(&Destination { path, force: false })?), &Silent)?;
    println!("{} records are published", report.records);
    Ok(())
}
