//! LM and entropy.

use cutline_model::Masking;
use cutline_model::recoding::Missing;
use cutline_table::AttributeId;

use super::assert_close;
use super::sample::{Recoded, Sample, by_taxonomy, cut, disclose, intervals, qid};
use crate::loss::general::{code_losses, suppressed_loss};

/// Figure 1 of the paper.
const WORK_CLASS: &str = "\
Any
  Self_employed
    Incorporated
    Not_incorporated
  Government
    Federal
    State
    Local
  Private
  Unemployed
    Without_pay
    Never_worked
";

const NUMBERS: Masking = Masking::numbers(None);

/// One record for each value.
fn values(masking: Masking, values: &str) -> Sample {
    values.split_whitespace().fold(Sample::new(vec![masking], &[]), |sample, value| sample.records(1, value))
}

/// The losses of an attribute's codes.
fn of_codes(recoded: &Recoded) -> Vec<f64> {
    code_losses(&recoded.table.attributes[0], &recoded.recoding[0], recoded.masked().labels(AttributeId(0)))
}

#[test]
fn state_government_as_government_loses_two_sevenths() {
    let work_class = by_taxonomy(WORK_CLASS);
    let sample = values(work_class.clone(), "State Private Never_worked");
    let labels = ["Incorporated", "Not_incorporated", "Government", "Private", "Unemployed"];
    let recoded = sample.recoded(&[cut(&work_class, &labels, None)], &[]);
    assert_eq!(of_codes(&recoded), [2.0 / 7.0, 0.0, 1.0 / 7.0]);
    assert_close(recoded.losses(None).general, 3.0 / 7.0 / 3.0);
}

#[test]
fn the_root_loses_everything() {
    let work_class = by_taxonomy(WORK_CLASS);
    let sample = values(work_class.clone(), "State State Private");
    assert_eq!(sample.recoded(&[cut(&work_class, &["Any"], None)], &[]).losses(None).general, 1.0);
    let sample = sample.records(1, "?");
    let masked = sample.recoded(&[cut(&work_class, &["Any"], Some(Missing::Masked))], &[]);
    assert_eq!(of_codes(&masked), [1.0; 3]);
}

#[test]
fn missing_values_are_a_leaf_under_the_root() {
    let work_class = by_taxonomy(WORK_CLASS);
    let sample = values(work_class.clone(), "State ?");
    let labels = ["Self_employed", "Government", "Private", "Unemployed"];
    let published = sample.recoded(&[cut(&work_class, &labels, Some(Missing::Published))], &[]);
    assert_eq!(of_codes(&published), [2.0 / 8.0, 0.0]);
    // A recoding that was made for a table without missing values gives them the root's label.
    let applied = sample.recoded(&[cut(&work_class, &labels, None)], &[]);
    assert_eq!(of_codes(&applied), [2.0 / 8.0, 1.0]);
    let told_apart = sample.recoded(&[cut(&work_class, &["Any"], Some(Missing::Published))], &[]);
    assert_eq!(of_codes(&told_apart), [7.0 / 8.0, 0.0]);
}

#[test]
fn doctorate_to_masters_loses_two_fifteenths() {
    let sample = values(NUMBERS, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    let recoded = sample.recoded(&[intervals(&[4.0, 5.0], None)], &[]);
    let losses = of_codes(&recoded);
    assert_eq!(losses[0], 2.0 / 15.0);
    // Bachelors is alone in its interval.
    assert_eq!(losses[3], 0.0);
    assert_eq!(losses[4..], [11.0 / 15.0; 12]);
}

#[test]
fn intervals_are_as_long_as_their_values_are_apart() {
    let range = Masking::numbers(Some((0.0, 100.0)));
    let sample = values(range, "10 20 40 50");
    assert_eq!(of_codes(&sample.recoded(&[intervals(&[30.0], None)], &[])), [0.25; 4]);
    let huge = values(NUMBERS, "-1.7e308 0 1.7e308");
    assert_eq!(of_codes(&huge.recoded(&[intervals(&[1.0], None)], &[])), [0.5, 0.5, 0.0]);
}

#[test]
fn numbers_under_the_label_of_missing_values_could_be_anything() {
    let sample = values(NUMBERS, "1 2 ?");
    assert_eq!(of_codes(&sample.recoded(&[intervals(&[2.0], Some(Missing::Masked))], &[])), [1.0; 3]);
    assert_eq!(of_codes(&sample.recoded(&[intervals(&[2.0], Some(Missing::Published))], &[])), [0.0; 3]);
    assert_eq!(of_codes(&sample.recoded(&[intervals(&[], Some(Missing::Published))], &[])), [1.0, 1.0, 0.0]);
    assert_eq!(of_codes(&sample.recoded(&[intervals(&[2.0], None)], &[])), [0.0, 0.0, 1.0]);
    // All numbers are the same, but nobody knows who has one.
    let one = values(NUMBERS, "7 7 ?");
    assert_eq!(of_codes(&one.recoded(&[intervals(&[], Some(Missing::Masked))], &[])), [1.0; 2]);
    assert_eq!(of_codes(&one.recoded(&[intervals(&[], Some(Missing::Published))], &[])), [0.0; 2]);
}

#[test]
fn values_behind_the_star_are_ambiguous_among_themselves() {
    let sample = values(Masking::Suppress, "a a b c d ?");
    let masked = sample.recoded(&[disclose(&["a", "b"], Some(Missing::Masked))], &[]);
    assert_eq!(of_codes(&masked), [0.0, 0.0, 0.5, 0.5, 0.5]);
    let published = sample.recoded(&[disclose(&["a", "b"], Some(Missing::Published))], &[]);
    assert_eq!(of_codes(&published), [0.0, 0.0, 0.25, 0.25, 0.0]);
    assert_close(published.losses(None).general, 0.5 / 6.0);
    assert_eq!(of_codes(&sample.recoded(&[disclose(&["b", "c", "d"], Some(Missing::Published))], &[])), [0.0; 5]);
}

#[test]
fn a_constant_column_has_nothing_to_lose() {
    let maskings = vec![NUMBERS, Masking::Suppress, by_taxonomy("Any\n  only\n"), Masking::Suppress];
    let sample = Sample::new(maskings.clone(), &[]).records(3, "7 x only u").records(1, "7 x only v");
    let only = cut(&maskings[2], &["Any"], None);
    let recoding = [intervals(&[], None), disclose(&[], None), only, disclose(&["u", "v"], None)];
    let recoded = sample.recoded(&recoding, &[qid(&[0, 1, 2, 3], 2)]);
    assert_eq!(recoded.suppressed.records, 1);
    let losses = recoded.losses(None);
    // Only the last attribute of the suppressed record had anything to lose.
    let general: Vec<f64> = losses.attributes.iter().map(|attribute| attribute.general).collect();
    assert_eq!(general, [0.0, 0.0, 0.0, 0.25]);
    assert_eq!(losses.general, 0.25);
    assert_eq!(suppressed_loss(&recoded.table.attributes[0], &recoding[0]), 0.0);
    assert_eq!(suppressed_loss(&recoded.table.attributes[3], &recoding[3]), 1.0);
}

#[test]
fn entropy_counts_the_bits_that_labels_do_not_tell() {
    let sample = Sample::new(vec![Masking::Suppress], &[]).records(4, "a").records(2, "b").records(2, "c");
    let losses = sample.recoded(&[disclose(&["a"], None)], &[]).losses(None);
    // Half of the records are `*`: one bit for each of them. To lose everything is 1.5 bits for each record.
    assert_close(losses.attributes[0].entropy_bits, 0.5);
    assert_close(losses.attributes[0].entropy_bits_of_all, 1.5);
    assert_close(losses.entropy, 1.0 / 3.0);
    assert_eq!(sample.recoded(&[disclose(&[], None)], &[]).losses(None).entropy, 1.0);
    assert_eq!(sample.recoded(&[disclose(&["a", "b", "c"], None)], &[]).losses(None).entropy, 0.0);
}

#[test]
fn suppressed_records_lose_all_their_bits() {
    let sample = Sample::new(vec![Masking::Suppress], &[]).records(6, "a").records(2, "b");
    let recoded = sample.recoded(&[disclose(&["a", "b"], None)], &[qid(&[0], 3)]);
    assert_eq!(recoded.suppressed.records, 2);
    // log2(8/2) for both of them.
    assert_close(recoded.losses(None).attributes[0].entropy_bits, 2.0 * 2.0 / 8.0);
}

#[test]
fn an_empty_table_loses_nothing() {
    let losses =
        Sample::new(vec![Masking::Suppress], &[]).recoded(&[disclose(&[], None)], &[qid(&[0], 2)]).losses(None);
    assert_eq!((losses.general, losses.entropy), (0.0, 0.0));
    assert_eq!((losses.qids[0].groups, losses.qids[0].average_group_size), (0, None));
}
