//! Survey weights are for what a table is published for; protection counts records.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod support;

use support::Desk;

/// Of 30 persons with a weight of 1, `x` tells whether they are ill; of 10 with a weight of 100 (or a hundredth of that), `y` does.
fn survey(light: &str, heavy: &str) -> String {
    let many = (0..30).map(|n| {
        let ill = n % 2;
        format!("{ill},{},{light},{ill}\n", n / 2 % 2)
    });
    let few = (0..10).map(|n| {
        let ill = n % 2;
        format!("{},{ill},{heavy},{ill}\n", n / 2 % 2)
    });
    std::iter::once("x,y,weight,ill\n".to_owned()).chain(many).chain(few).collect()
}

fn told(desk: &Desk, out: &str) -> Vec<String> {
    let recoding: serde_json::Value = serde_json::from_str(&desk.read(&format!("{out}/public/recoding.json"))).unwrap();
    let attributes = recoding["attributes"].as_object().unwrap().iter();
    let told = |recoding: &serde_json::Value| !recoding["disclosed"].as_array().unwrap().is_empty();
    attributes.filter(|(_, recoding)| told(recoding)).map(|(name, _)| name.clone()).collect()
}

#[test]
fn what_is_told_is_what_tells_most_about_the_population() {
    for (number, (light, heavy)) in [("1", "100"), ("0.01", "1"), ("0.25", "12.5")].into_iter().enumerate() {
        let desk = Desk::with("survey.csv", survey(light, heavy));
        let settings = "--qid x,y:15 --target ill --categorical x,y";
        desk.ok(&format!("anonymize survey.csv {settings} -o records"));
        assert_eq!(told(&desk, "records"), ["x"], "{number}");
        desk.ok(&format!("anonymize survey.csv {settings} --weight weight -o weighted"));
        assert_eq!(told(&desk, "weighted"), ["y"], "{number}");
        assert!(desk.read("weighted/public/table.csv").contains(&format!(",{heavy},")), "weights are published");
        desk.ok("verify weighted");
    }
}

/// How large a share was drawn is the steward's to tell.
#[test]
fn the_risk_in_the_population_is_on_the_stewards_page_alone() {
    let desk = Desk::with("survey.csv", survey("1", "100"));
    desk.ok("anonymize survey.csv --qid x,y:5 --target ill --categorical x,y --weight weight -o out");
    let (own, public) = (desk.read("out/private/report.html"), desk.read("out/public/report.html"));
    assert!(own.contains("Alone in the population") && own.contains("about 1,030"), "1,030 persons by weights");
    assert!(public.contains("Re-identification risk") && !public.contains("population"));
    desk.ok("anonymize survey.csv --qid x,y:5 --target ill --categorical x,y -o unknown");
    assert!(!desk.read("unknown/private/report.html").contains("Alone in the population"));
}

#[test]
fn the_risk_in_the_population_is_told_by_weights_or_by_a_fraction() {
    let desk = Desk::with("survey.csv", "town,weight\nUlm,10\nBonn,20\nBonn,20\n");
    let risk = |flags: &str| -> serde_json::Value {
        let told = desk.ok(&format!("verify survey.csv --qid town:1 --json {flags}"));
        serde_json::from_str::<serde_json::Value>(&told).unwrap()["qids"][0]["population"].clone()
    };
    assert_eq!(risk(""), serde_json::Value::Null);
    let weighted = risk("--weight weight");
    assert_eq!((&weighted["population"], &weighted["sample_uniques"]), (&50.0.into(), &1.into()));
    assert_eq!(weighted["expected_population_uniques"], 0.1);
    // p/(1−p) · ln(1/p) for p = 1/10.
    assert!((weighted["highest"].as_f64().unwrap() - 0.255_842_788).abs() < 1e-8, "{weighted}");
    let all = risk("--sampling-fraction 1");
    assert_eq!((&all["population"], &all["highest"]), (&3.0.into(), &1.0.into()));
    assert!((all["average"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12, "two groups, three records: {all}");
    let text = desk.ok("verify survey.csv --qid town:1 --weight weight");
    assert!(text.contains("of a population of about 50: 1 records are alone in the table"), "{text}");
}

#[test]
fn weights_that_are_none_are_refused() {
    let desk = Desk::with("survey.csv", survey("1", "many"));
    for (flags, says) in [
        ("--weight weight", "attribute `weight`, record 31: a value is not a number"),
        ("--weight x", "`x` has survey weights, but is also in a QID"),
        ("--weight ill", "`ill` has survey weights, but is also the target"),
        ("--sampling-fraction 5", "5 is no share of a population"),
    ] {
        let output = desk.run(&format!("anonymize survey.csv --qid x,y:15 --target ill {flags} -o none"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags}: {message}");
        assert!(message.contains(says) && !message.contains("many"), "{flags}: {message}");
    }
}
