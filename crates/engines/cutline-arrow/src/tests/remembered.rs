//! What the first pass remembers is what the second would read.

use arrow_array::RecordBatch;
use cutline_engine::Watch;
use cutline_model::Bound;
use cutline_model::recoding::LabelError;

use super::*;
use crate::rewrite::MaskedBatches;

/// Columns a and c masked, b as it is; which of them must not be missing.
fn plan(disclosed: &[&str], required: Vec<usize>) -> RewritePlan {
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let attributes = [
        AttributeRecoding::Suppress { disclosed: names(disclosed), missing: None },
        AttributeRecoding::Suppress { disclosed: names(&["xx", "xxxx"]), missing: None },
    ];
    let columns = [(0, Treatment::Mask(0)), (1, Treatment::Keep), (2, Treatment::Mask(1))];
    RewritePlan {
        columns: columns.into_iter().map(|(source, how)| OutputColumn { source, how }).collect(),
        mask: MaskPlan::new(&attributes, Unknown::Error),
        nulls: vec!["xxx".to_owned()],
        required,
        order: Default::default(),
        cluster: None,
        person: None,
    }
}

/// Counted before, by so many columns and with these texts for a missing value.
fn counted(engine: Embedded, columns: &[usize], nulls: &[String], watch: &dyn Watch) -> Embedded {
    let plan = CompressPlan { columns: columns.to_vec(), nulls: nulls.to_vec(), ..CompressPlan::default() };
    engine.compress(&plan, watch).unwrap();
    engine
}

fn rows(masked: &MaskedBatches) -> Vec<String> {
    let cells = |batch: &RecordBatch, row: usize| -> String {
        let cell = |column| cells::text_of(column).unwrap().iter().nth(row).flatten().map(str::to_owned);
        format!("{:?}", batch.columns().iter().map(cell).collect::<Vec<_>>())
    };
    let first =
        |batch: &RecordBatch| (0..batch.num_rows()).step_by(997).map(|row| cells(batch, row)).collect::<Vec<_>>();
    masked.batches.iter().flat_map(first).collect()
}

#[test]
fn what_is_remembered_is_masked_as_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for required in [vec![], vec![0], vec![2, 1]] {
        let plan = plan(&["x", "xxxxx"], required);
        let read = open(&folder, 2).masked_batches(&plan, &Unwatched).unwrap();
        assert!(!rows(&read).is_empty());
        for (threads, columns) in [(1, &[0, 1, 2][..]), (3, &[2, 0]), (8, &[2]), (2, &[1])] {
            let engine = counted(open(&folder, threads), columns, &plan.nulls, &Unwatched);
            let masked = engine.masked_batches(&plan, &Unwatched).unwrap();
            assert_eq!(rows(&masked), rows(&read), "{threads} threads, {columns:?} remembered");
            let figures = |masked: &MaskedBatches| (masked.dropped, masked.suppressed, masked.origin.clone());
            assert_eq!(figures(&masked), figures(&read));
        }
    }
}

#[test]
fn a_table_of_which_nothing_is_left_to_read_is_masked() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["x"], vec![0, 2]);
    plan.columns.remove(1);
    let read = open(&folder, 2).masked_batches(&plan, &Unwatched).unwrap();
    let engine = counted(open(&folder, 2), &[0, 2], &plan.nulls, &Unwatched);
    let masked = engine.masked_batches(&plan, &Unwatched).unwrap();
    assert_eq!((rows(&masked), masked.dropped), (rows(&read), read.dropped));
}

#[test]
fn other_texts_for_a_missing_value_are_not_what_was_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&["x"], vec![0]);
    let read = open(&folder, 2).masked_batches(&plan, &Unwatched).unwrap();
    let engine = counted(open(&folder, 2), &[0, 1, 2], &[], &Unwatched);
    let masked = engine.masked_batches(&plan, &Unwatched).unwrap();
    assert_eq!((rows(&masked), masked.dropped), (rows(&read), read.dropped));
}

#[test]
fn a_remembered_value_without_a_label_is_an_error_where_a_record_is_published_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let ages = |required| RewritePlan {
        mask: MaskPlan::new(
            &[AttributeRecoding::numbers([None, Some(2.0), None].map(Bound).to_vec(), None)],
            Unknown::Error,
        ),
        columns: vec![OutputColumn { source: 0, how: Treatment::Mask(0) }],
        nulls: Vec::new(),
        ..plan(&[], required)
    };
    let open = |text: &str| counted(of_text(&folder, text, 2), &[0, 1], &[], &Unwatched);
    let refused = open("a,b\n1,x\nold,\n").masked_batches(&ages(vec![]), &Unwatched);
    let is_no_number = |error: &EngineError| error.to_string().contains(&LabelError::NotANumber.to_string());
    assert!(refused.is_err_and(|error| is_no_number(&error)));
    let masked = open("a,b\n1,x\nold,\n").masked_batches(&ages(vec![1]), &Unwatched).unwrap();
    assert_eq!((rows(&masked).len(), masked.dropped), (1, 1));
}
