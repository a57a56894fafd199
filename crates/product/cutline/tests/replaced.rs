//! An input that is replaced between the passes is the input's fault, not Cutline's.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::sync::atomic::{AtomicBool, Ordering};

use cutline::engine::{
    Column, ColumnProfile, CompressPlan, Counted, Engine, EngineError, Format, Order, Place, RewritePlan, Sample,
    SamplePlan, Watch, Written,
};
use cutline::spec::Spec;
use cutline::{Destination, Error, Job, Silent, Table, publish};

/// A table that is another one after it was counted, whatever its engine promises.
struct Replaced {
    before: Table,
    after: Table,
    counted: AtomicBool,
}

impl Engine for Replaced {
    fn name(&self) -> &str {
        self.before.name()
    }
    fn size(&self) -> u64 {
        self.before.size()
    }
    fn format(&self) -> Option<Format> {
        self.before.format()
    }
    fn order(&self) -> Order {
        self.before.order()
    }
    fn columns(&self) -> &[Column] {
        self.before.columns()
    }
    fn profile(&self, nulls: &[String], watch: &dyn Watch) -> Result<Vec<ColumnProfile>, EngineError> {
        self.before.profile(nulls, watch)
    }
    fn sample(&self, plan: &SamplePlan, watch: &dyn Watch) -> Result<Sample, EngineError> {
        self.before.sample(plan, watch)
    }
    fn compress(&self, plan: &CompressPlan, watch: &dyn Watch) -> Result<Counted, EngineError> {
        let table = if self.counted.swap(true, Ordering::Relaxed) { &self.after } else { &self.before };
        table.compress(plan, watch)
    }
    fn rewrite(&self, plan: &RewritePlan, place: &Place, watch: &dyn Watch) -> Result<Written, EngineError> {
        self.after.rewrite(plan, place, watch)
    }
}

/// Why a table is not published that is the first one when it is counted, and the second one from then on.
fn error(folder: &std::path::Path, first: &str, second: &str) -> Error {
    let open = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        Table::open(path.to_str().unwrap(), &Default::default(), 1).unwrap()
    };
    let (before, after) = (open("before.csv", first), open("after.csv", second));
    let table = Table::remote(Replaced { before, after, counted: AtomicBool::new(false) });
    let mut spec = Spec::default();
    spec.set("qid", &"age,sex:2".into()).unwrap();
    let destination = Destination { path: folder.join("out"), force: false };
    let error = publish(&Job::new(spec).unwrap(), &table, &destination, &Silent).unwrap_err();
    assert!(!destination.path.exists());
    error
}

#[test]
fn an_input_replaced_between_the_passes_is_no_defect() {
    let folder = tempfile::tempdir().unwrap();
    let first = "age,sex\n30,M\n30,M\n40,F\n40,F\n";
    let error = error(folder.path(), first, &first.replacen("30,M", "40,M", 1));
    assert!(matches!(error, Error::Replaced(_)), "{error:?}");
    assert_eq!(error.exit_status(), 2);
    assert!(error.to_string().starts_with("the input changed while it was read ("), "{error}");
    assert!(error.hint().unwrap().contains("copy that nobody writes to"));
}
