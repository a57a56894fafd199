//! Are record batches in memory recounted like a file that has them?

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use cutline_verify::{Batches, Claim, Options, Recount, VerifyError, WrittenFile};

use crate::conditions::with;
use crate::formats::write_arrow;
use crate::{Tables, all_values, claim};

fn batch(ages: &[Option<i64>], sexes: &[&str]) -> RecordBatch {
    let ages = Arc::new(Int64Array::from(ages.to_vec())) as ArrayRef;
    let sexes = Arc::new(StringArray::from(sexes.to_vec())) as ArrayRef;
    RecordBatch::try_from_iter_with_nullable([("age", ages, true), ("sex", sexes, true)]).unwrap()
}

fn error(batches: &[RecordBatch], claim: Claim) -> VerifyError {
    Batches::new(batches).recount(&[claim], &Options::default(), &|_| ()).unwrap_err()
}

#[test]
fn memory_and_file_have_the_same_verdict() {
    let batches = [batch(&[Some(1), Some(2), None], &["F", "M", "F"]), batch(&[Some(1), None], &["F", "M"])];
    let tables = Tables::new();
    write_arrow(&tables.path("t.arrow"), &batches);
    let claims = [with("age", 1, &["distinct-l:sex=1"]), claim("sex,age", 2)];
    let options = Options { union: true, sensitive: vec![], ..all_values() };
    let file = WrittenFile::new(tables.path("t.arrow")).recount(&claims, &options, &|_| ()).unwrap();
    let memory = Batches::new(&batches).recount(&claims, &options, &|_| ()).unwrap();
    assert_eq!(file, memory);
    assert_eq!((memory.records, memory.findings[1].violating_groups), (5, 3));
}

#[test]
fn errors_say_that_the_table_is_in_memory() {
    let one = [batch(&[Some(1)], &["F"])];
    let message = error(&one, claim("agee", 1)).to_string();
    assert!(message.starts_with("table in memory: there is no column `agee`, the nearest is `age`"), "{message}");
    assert_eq!(error(&[], claim("age", 1)).to_string(), "table in memory: the file is empty");
    let other = RecordBatch::try_from_iter([("age", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]).unwrap();
    let message = error(&[one[0].clone(), other], claim("age", 1)).to_string();
    assert!(message.contains("`sex` missing"), "{message}");
}
