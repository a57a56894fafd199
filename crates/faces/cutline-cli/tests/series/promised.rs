//! What an earlier release promised holds together with every later one.

use super::{Desk, QID, ends, year};

const FIRST: &str = "anonymize 2024.csv --person id --range age=0..120 --drop town";

/// A release by age and sex, in which sex tells something.
fn by_age_and_sex(k: u64) -> Desk {
    let desk = Desk::with("2024.csv", year(0..48));
    desk.ok(&format!("{FIRST} --qid age,sex:{k} --pin-open sex=M -o first"));
    desk
}

#[test]
fn another_qid_or_a_smaller_k_does_not_take_a_promise_back() {
    let desk = by_age_and_sex(4);
    let (status, told, notes) = ends(&desk, &format!("{FIRST} --qid age:4 --drop sex --after first -o second"));
    assert_eq!(status, Some(0), "{notes}");
    assert!(notes.contains("promised k = 4 on {age, sex}") && notes.contains("it is kept"), "{notes}");
    assert!(told.contains("true anonymity"), "{told}");
    let (status, told, _) = ends(&desk, "verify first second");
    assert!(status == Some(0) && told.contains("age, sex  4"), "{told}");
    let desk = by_age_and_sex(20);
    let (_, _, notes) = ends(&desk, &format!("{FIRST} --qid age,sex:2 --after first -o second"));
    assert!(notes.contains("promised k = 20 on {age, sex}"), "{notes}");
    let (status, told, _) = ends(&desk, "verify first second");
    assert!(status == Some(0) && told.contains("age, sex  20"), "{told}");
}

#[test]
fn a_condition_of_an_earlier_release_is_kept_and_counted() {
    let desk = Desk::with("2024.csv", year(0..48));
    let both = "--previous 2024.csv --previous 2024.csv --person id";
    desk.ok(&format!("{FIRST} --qid age,sex:4 --condition distinct-l:ill=2 -o first"));
    let (status, _, notes) = ends(&desk, &format!("{FIRST} --qid age,sex:4 --after first -o second"));
    assert_eq!(status, Some(0), "{notes}");
    let said =
        "promised `distinct-l:ill=2` on {age, sex}, which is not asked of this one: together with this one it is kept";
    assert!(notes.contains(said), "{notes}");
    let (status, told, _) = ends(&desk, &format!("verify first second {both}"));
    assert!(status == Some(0) && told.matches("distinct-l:ill=2").count() == 2, "{told}");
    let (_, told, _) = ends(&desk, "verify first second");
    assert!(told.contains("conditions of the releases are not counted"), "{told}");
    // Where the values are not told any more, there is nothing to keep.
    let (status, _, notes) = ends(&desk, &format!("{FIRST} --qid age,sex:4 --drop ill --after first -o third"));
    assert!(status == Some(0) && notes.contains("are not published as they are any more"), "{notes}");
}

#[test]
fn releases_that_break_a_promise_of_one_of_them_do_not_hold() {
    let desk = by_age_and_sex(4);
    desk.ok(&format!("{FIRST} --qid age:4 --drop sex -o second"));
    let both = "--previous 2024.csv --previous 2024.csv --person id";
    let (status, told, _) = ends(&desk, &format!("verify first second {both}"));
    assert_eq!(status, Some(1), "{told}");
    let broken = told.lines().find(|line| line.starts_with("age, sex")).unwrap();
    assert!(broken.contains("DOES NOT HOLD"), "{told}");
    assert_eq!(ends(&desk, &format!("verify first second {both} --qid age:4")).0, Some(0), "what is asked for");
    // What they have broken cannot be mended; what is left of it is kept.
    let third =
        format!("anonymize 2024.csv --person id --qid town:4 --drop age,sex --after first --after second {both}");
    let (status, _, notes) = ends(&desk, &format!("{} -o third", third.replace(" --person id --qid", " --qid")));
    assert_eq!(status, Some(0), "{notes}");
    assert!(notes.contains("together the earlier ones have broken that"), "{notes}");
}

#[test]
fn what_was_masked_is_not_published_as_it_is_later() {
    let desk = by_age_and_sex(4);
    let (status, _, errors) = ends(&desk, &format!("{FIRST} --qid age:4 --after first -o second"));
    assert!(status == Some(2) && errors.contains("`sex` is in a QID of an earlier release"), "{errors}");
    assert!(errors.contains("--drop sex"), "{errors}");
    desk.ok(&format!("{FIRST} --qid age:4 --drop sex -o by-age"));
    let apply = "apply by-age/public/recoding.json 2024.csv -o again.csv --person id --after first --keep sex";
    let (status, _, errors) = ends(&desk, apply);
    assert!(status == Some(2), "{errors}");
}

#[test]
fn a_recoding_with_a_budget_holds_back_who_would_stand_out() {
    let desk = Desk::with("2024.csv", year(0..48));
    // Of the young men all have left, and three others are new: more than the budget.
    let stayed = (0..48).filter(|person| ![1, 3, 41, 43].contains(person));
    desk.write("2025.csv", year(stayed.chain([81, 83, 121]).chain(125..135)));
    desk.ok(&format!("anonymize 2024.csv {QID} --suppress-limit 5% --algorithm tdr -o 2024"));
    let apply = "apply 2024/public/recoding.json 2025.csv -o again.csv --person id --after 2024";
    let (status, _, errors) = ends(&desk, &format!("{apply} --hold-back 0%"));
    assert!(status == Some(1) && errors.contains("would stand out"), "{errors}");
    let (status, told, errors) = ends(&desk, apply);
    assert!(status == Some(0) && told.contains("54 records, 3 held back"), "{told}{errors}");
}

#[test]
fn a_condition_is_kept_in_every_joint_group() {
    let desk = super::desk();
    let after = format!("anonymize 2025.csv {QID} --after 2024 --condition distinct-l:ill=2");
    for budget in ["", "--suppress-limit 20%"] {
        let out = if budget.is_empty() { "strict" } else { "loose" };
        let (status, told, errors) = ends(&desk, &format!("{after} {budget} -o {out}"));
        assert_eq!(status, Some(0), "{errors}");
        assert!(told.contains("distinct-l:ill=2"), "{told}");
        assert_eq!(ends(&desk, &format!("verify 2024 {out}")).0, Some(0));
    }
    let (status, _, errors) =
        ends(&desk, &format!("{after} -o typo").replace("distinct-l:ill=2", "bound:ill=HIV<=0.5"));
    assert!(status == Some(2) && errors.contains("no record has the value"), "{errors}");
}
