//! Groups of tables that are too large for the random ones.

use cutline_model::Masking;
use cutline_table::AttributeId;

use super::sample::{Sample, disclose, qid};

/// 1,500 records, some of them equal, with so many labels that they take several batches, and then a hash table.
fn many_labels() -> Sample {
    let mut sample = Sample::new(vec![Masking::Suppress; 7], &[]);
    for record in 0..1500_u64 {
        let seed = (record % 1300 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let cell = |column: u32| Some((seed.rotate_left(9 * column) % 80).to_string());
        sample.records.push((0..7).map(cell).collect());
    }
    sample
}

#[test]
fn batches_of_attributes_give_the_groups_of_single_ones() {
    let values: Vec<String> = (0..80).map(|value| value.to_string()).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let all: Vec<usize> = (0..7).collect();
    for disclosed in [5, 40, 80] {
        let recoding = vec![disclose(&values[..disclosed], None); 7];
        let recoded = many_labels().recoded(&recoding, &[qid(&all, 1)]);
        let expected = recoded.masked().groups(all.iter().copied().map(AttributeId));
        assert_eq!(recoded.partition().of_row(), expected.of_row);
        assert_eq!(recoded.partition().kept(), expected.sizes(&recoded.table.weights));
        let recoded = many_labels().recoded(&recoding, &[qid(&all, 2)]);
        let kept = expected.sizes(&recoded.table.weights).into_iter().filter(|&size| size >= 2);
        assert_eq!(recoded.partition().kept(), kept.collect::<Vec<u64>>());
        assert_eq!(recoded.partition().suppressed(), recoded.suppressed.records);
        assert!(recoded.suppressed.records > 0);
    }
}
