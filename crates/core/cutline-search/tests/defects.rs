//! Tables on which a search once went wrong.

mod support;

use cutline_model::Masking;
use cutline_model::recoding::Label;
use cutline_search::bottom_up::Pruning;
use cutline_search::top_down::Score;
use cutline_table::LabelKind;

use support::{Sample, generalizations, generalize, naive, refinements, requirement, undeclared};

/// The rare value `a` could never be told, so its records were no longer counted; what was left of a group after taking its
/// smaller parts away was then wrong for all values that come after `a`.
#[test]
fn values_after_an_invalid_one_were_counted_wrong() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("city", Masking::Suppress)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .records(1, "a M Y")
        .records(5, "b M Y")
        .records(5, "z M Y")
        .records(2, "b F N")
        .records(4, "d F N")
        .records(4, "e F N")
        .records(4, "z F N");
    let requirement = requirement(&["city,sex:3"]);
    let outcome = sample.search(&requirement, Score::Tdr);
    assert_eq!(outcome.anonymity, sample.recount(&requirement, &outcome.recoding));
    let naive = naive::search(&sample, &requirement, Score::Tdr);
    assert_eq!(outcome.recoding, naive.recoding);
    assert_eq!(outcome.steps.len(), naive.steps.len());
}

#[test]
fn a_leaf_without_records_was_called_missing() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("sex", generalize("Any\n  M\n  F\n"))
        .records(3, "M Y")
        .records(3, "? N");
    let outcome = sample.search(&requirement(&["sex:2"]), Score::Tdr);
    assert_eq!(refinements(&outcome)[0].into, ["M".into(), "F".into(), Label::Missing]);
}

/// Every split of the six numbers leaves one class in three on both sides: no gain, however it is rounded.
#[test]
fn rounding_chose_between_splits_without_gain() {
    let sample = Sample::new(LabelKind::Classes)
        .attribute("age", undeclared())
        .records(4, "2 N")
        .records(2, "2 Y")
        .records(8, "3 N")
        .records(4, "3 Y")
        .records(2, "4 N")
        .records(1, "4 Y");
    let outcome = sample.search(&requirement(&["age:1"]), Score::Tdr);
    let trace: Vec<(&[Label], f64)> = refinements(&outcome).iter().map(|step| (&step.into[..], step.gain)).collect();
    let [first, second] = [["<3", ">=3"], ["[3-4)", ">=4"]].map(|into| into.map(Label::from));
    assert_eq!(trace, [(&first[..], 0.0), (&second[..], 0.0)]);
}

/// After two steps the means of `a`, `b` and `c` are that of all three: no gain, however it is rounded.
#[test]
fn rounding_chose_between_values_without_gain() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("city", Masking::Suppress)
        .records(2, "a 2.25")
        .records(4, "b 1.5")
        .records(3, "b 2.25")
        .records(6, "b 2.75")
        .records(1, "c 2.25")
        .records(1, "d 1.5")
        .records(1, "d 2.25")
        .records(1, "? 2.25")
        .records(1, "? 2.75");
    let outcome = sample.search(&requirement(&["city:1"]), Score::Tdr);
    let disclosed: Vec<&str> = refinements(&outcome).iter().map(|step| step.into[0].as_str()).collect();
    assert_eq!(disclosed, ["d", "missing", "a", "b"]);
    assert_eq!(refinements(&outcome)[2].gain, 0.0);
}

/// `a` and `b` have the same number of records and the same mean: the gain is the same, and `a` comes first. It is so small that
/// it drowned in the difference of two rounded variances.
#[test]
fn rounding_chose_between_values_with_the_same_small_gain() {
    let sample = Sample::new(LabelKind::Numbers)
        .attribute("city", Masking::Suppress)
        .records(1, "a 1.25")
        .records(1, "a 2")
        .records(2, "a 2.25")
        .records(2, "a 2.75")
        .records(1, "b 2")
        .records(5, "b 2.25")
        .records(1, "c 2.25");
    let outcome = sample.search(&requirement(&["city:2"]), Score::Tdr);
    assert_eq!(refinements(&outcome)[0].into, ["a", "*"].map(Label::from));
}

/// P and Q have the same three parts in another order, so they lose the same, and P comes first. The loss is so small that it
/// drowned in the difference of two rounded entropies.
#[test]
fn rounding_chose_between_generalizations_with_the_same_small_loss() {
    let outline = "Any\n  P\n    1\n    2\n    3\n  Q\n    4\n    5\n    6\n  7\n";
    let mut sample = Sample::new(LabelKind::Classes).attribute("x", generalize(outline)).records(1, "7 Y");
    for (value, (yes, no)) in [(4, 5), (5, 6), (5, 6), (5, 6), (5, 6), (4, 5)].into_iter().enumerate() {
        sample = sample.records(yes, &format!("{} Y", value + 1)).records(no, &format!("{} N", value + 1));
    }
    let outcome = sample.climb_steps(&requirement(&["x:2"]), Pruning::On, Some(1));
    assert_eq!(generalizations(&outcome)[0].into, Label::from("P"));
}
