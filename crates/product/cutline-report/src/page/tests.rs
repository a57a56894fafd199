//! The pages of a small made-up release.

use cutline_measure::loss::{AttributeLoss, Losses};
use cutline_model::recoding::{Achieved, Label, Missing, SuppressHow};
use cutline_model::{AttributeRecoding, Bound, Recoding, Taxonomy};
use cutline_search::{
    AttributeWhy, Bar, Broken, Generalization, Improvement, LabelWhy, Left, Refinement, Step, Stopped, Why,
};

use cutline_verify::{Claim, Options, Verdict, verify};

use super::{private, public};
use crate::{Alternative, Change, ErrorKind, Figures, WhatIf};
use crate::{AttributeReport, PRIVATE_NOTICE, PublicReport, PublicSpec, QidReport, Report, Screened, Seconds};

fn attribute(name: &str, operation: &'static str, recoding: &AttributeRecoding) -> AttributeReport {
    AttributeReport {
        name: name.to_owned(),
        operation,
        values: 9,
        labels: recoding.labels().len(),
        top: recoding.is_top(),
        whole: false,
    }
}

fn recoding() -> Recoding {
    let taxonomy = Taxonomy::parse("Any\n  School\n    9th\n    10th\n  University\n").expect("a taxonomy");
    let attributes = [
        ("education", AttributeRecoding::Generalize { cut: texts(&["School", "University"]), missing: None, taxonomy }),
        ("town", AttributeRecoding::Suppress { disclosed: texts(&["R&D <Park>"]), missing: Some(Missing::Masked) }),
        ("age", AttributeRecoding::numbers([None, Some(30.0), None].map(Bound).to_vec(), None)),
    ];
    Recoding {
        required: Vec::new(),
        format: Recoding::FORMAT.to_owned(),
        regions: None,
        attributes: attributes.into_iter().map(|(name, recoding)| (name.to_owned(), recoding)).collect(),
        identifiers: Default::default(),
        columns: None,
        suppression: None,
        requirement: Achieved::default(),
        null: Vec::new(),
        private_taxonomies: Vec::new(),
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn labels(texts: &[&str]) -> Vec<Label> {
    texts.iter().map(|&text| text.into()).collect()
}

fn report(recoding: &Recoding) -> Report {
    let qid = |attributes: &[&str], k| QidReport {
        attributes: texts(attributes),
        k,
        anonymity: 12,
        groups: 3,
        sizes: vec![(12, 1), (20, 1), (68, 1)],
        ..QidReport::default()
    };
    let loss = |name: &String| AttributeLoss {
        name: name.clone(),
        general: 0.25,
        entropy_bits: 0.5,
        entropy_bits_of_all: 2.0,
    };
    let each = |(name, recoding): (&String, &AttributeRecoding)| attribute(name, recoding.operation(), recoding);
    Report {
        format: Report::FORMAT,
        notice: PRIVATE_NOTICE,
        version: "0.0.0",
        arguments: toml::Table::new(),
        purpose: "classification of <income>".to_owned(),
        algorithm: "tdr".to_owned(),
        records: 100,
        dropped: 0,
        suppressed: 0,
        suppressed_how: None,
        distinct: 50,
        qids: vec![qid(&["education", "town"], 5), qid(&["town", "age"], 10)],
        union_risk: None,
        redundant: Vec::new(),
        attributes: recoding.attributes.iter().map(each).collect(),
        why: Vec::new(),
        what_if: None,
        series: None,
        steps: 2,
        stopped: Stopped::Complete,
        metrics: Losses {
            weighted: None,
            general: 0.75,
            entropy: 0.25,
            classification: Some(0.125),
            classification_cost: None,
            regression_variance: None,
            regression_median: None,
            attributes: recoding.attributes.keys().map(loss).collect(),
            qids: Vec::new(),
        },
        evaluation: None,
        clusters: None,
        screened: Screened::default(),
        seconds: Seconds::default(),
    }
}

fn refined(step: usize, attribute: &str, refined: &str, into: &[&str]) -> Step {
    Step::Refinement(Refinement {
        step,
        attribute: attribute.to_owned(),
        refined: refined.into(),
        into: labels(into),
        gain: 0.5,
        loss: 10.0,
        score: 0.045,
        anonymity: vec![100, 12],
    })
}

fn generalized(step: usize, attribute: &str, generalized: &[&str], into: &str) -> Step {
    Step::Generalization(Generalization {
        step,
        attribute: attribute.to_owned(),
        generalized: labels(generalized),
        into: into.into(),
        loss: 0.5,
        gain: 0.0,
        ip: None,
        anonymity: vec![1, 1],
    })
}

fn page(steps: &[Step]) -> String {
    let recoding = recoding();
    private(&report(&recoding), &recoding, steps).to_string()
}

#[test]
fn the_page_shows_the_whole_release() {
    let page =
        page(&[refined(1, "age", "*", &["<30", ">=30"]), refined(2, "education", "Any", &["School", "University"])]);
    for text in [
        "✓ The requirement holds for 2 QIDs.",
        "QID 2: town, age",
        "<span class=\"holds\">✓ holds</span>",
        "<bdi class=\"node published\">School</bdi>",
        "<bdi class=\"node below\">9th</bdi>",
        "Everything else is <bdi class=\"node published\">*</bdi>",
        "split in step 1",
        "aria-label=\"Anonymity: QID 1: education, town from 100 to 100; QID 2: town, age from 12 to 12\"",
        "<bdi>Any</bdi> → <bdi>School</bdi>, <bdi>University</bdi>",
        "12.5 %",
        "8.3 % (1 in 12)",
        "Cutline 0.0.0 made this release",
    ] {
        assert!(page.contains(text), "no `{text}`");
    }
    assert!(!page.contains("id=\"error\""));
}

#[test]
fn text_of_the_data_is_never_markup() {
    let page = page(&[refined(1, "town", "*", &["R&D <Park>", "*"])]);
    assert!(page.contains("classification of &lt;income&gt;") && page.contains("R&amp;D &lt;Park&gt;"));
    assert!(!page.contains("<income>") && !page.contains("<Park>"));
}

#[test]
fn the_page_asks_for_nothing_from_elsewhere() {
    let page = page(&[refined(1, "age", "*", &["<30", ">=30"])]);
    for text in ["http:", "https:", "<script", "url(", "@import", "src="] {
        assert!(!page.contains(text), "`{text}`");
    }
}

#[test]
fn every_tag_is_closed() {
    let page = page(&[refined(1, "age", "*", &["<30", ">=30"])]);
    for tag in
        ["div", "table", "tr", "td", "th", "ul", "li", "svg", "figure", "section", "details", "p", "dl", "bdi", "span"]
    {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn the_same_release_has_the_same_page_whatever_the_time_it_took() {
    let recoding = recoding();
    let steps = [refined(1, "age", "*", &["<30", ">=30"])];
    let slow = Report { seconds: Seconds { search: 99.0, ..Seconds::default() }, ..report(&recoding) };
    let page = |report: &Report| private(report, &recoding, &steps).to_string();
    assert_eq!(page(&report(&recoding)), page(&slow));
}

#[test]
fn the_steward_sees_what_every_step_did() {
    let page = page(&[
        generalized(1, "town", &["Smallville"], "*"),
        generalized(2, "age", &["[41-43)", "[43-47)"], "[41-47)"),
        generalized(3, "education", &["9th"], "School"),
    ]);
    for step in
        ["<bdi>Smallville</bdi> → <bdi>*</bdi>", "<bdi>[43-47)</bdi> → <bdi>[41-47)</bdi>", "→ <bdi>School</bdi>"]
    {
        assert!(page.contains(step), "{step}");
    }
}

#[test]
fn a_long_trace_is_thinned_and_folded() {
    let steps: Vec<Step> = (1..=5000).map(|step| refined(step, "education", "Any", &["School"])).collect();
    let page = page(&steps);
    assert_eq!(page.matches("<bdi>Any</bdi> →").count(), 500);
    assert!(page.contains("<summary>All 5,000 steps</summary>") && page.contains("and 4,500 more: see trace.jsonl"));
    let longest =
        page.lines().filter(|line| line.contains("class=\"line s")).map(|line| line.matches('L').count()).max();
    assert!(longest.is_some_and(|points| points <= 400));
}

#[test]
fn a_genetic_search_shows_loss_and_suppressed_records() {
    let step = |step, loss| {
        Step::Improvement(Improvement { step, evaluations: step * 100, loss, suppressed: 7, anonymity: vec![12, 12] })
    };
    let page = page(&[step(1, 0.5), step(2, 0.25)]);
    assert!(
        page.contains("aria-label=\"Loss: from 0.5 to 0.25\"")
            && page.contains("aria-label=\"Suppressed: from 7 to 7\"")
    );
    assert!(page.contains("candidates tried"));
}

#[test]
fn suppressed_and_dropped_records_are_told() {
    let recoding = recoding();
    let mut report =
        Report { suppressed: 25, suppressed_how: Some(SuppressHow::Drop), dropped: 100, ..report(&recoding) };
    let page = private(&report, &recoding, &[]).to_string();
    assert!(page.contains("<b>25</b> records in groups that were too small (20 %): left out"));
    assert!(page.contains("<b>100</b> because a value was missing") && page.contains("The search made no step."));
    report.suppressed_how = Some(SuppressHow::Mask);
    assert!(private(&report, &recoding, &[]).to_string().contains("(25 %): published with all QID attributes as *"));
}

#[test]
fn a_requirement_that_does_not_hold_is_never_said_to_hold() {
    let recoding = recoding();
    let mut report = report(&recoding);
    report.qids[0].k = 13;
    let page = private(&report, &recoding, &[]).to_string();
    assert!(page.contains("✗ does not hold") && page.contains("holds for 1 of 2 QIDs only"));
}

/// What the verifier reads back from a table of twelve records.
fn verdict() -> Verdict {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.csv");
    let record = |index: usize| format!("School,*,{}\n", ["<30", ">=30"][index % 2]);
    let table: String = (0..12).map(record).collect();
    std::fs::write(&path, format!("education,town,age\n{table}")).expect("a table");
    let claim = |attributes: &[&str], k| Claim::new(texts(attributes), k);
    let claims = [claim(&["education", "town"], 5), claim(&["town", "age"], 6)];
    verify(&path, &claims, &Options { union: true, ..Options::default() }, &|_| ()).expect("a verdict")
}

fn public_report() -> PublicReport {
    let spec = PublicSpec {
        version: "0.0.0".to_owned(),
        purpose: "classification of <income>".to_owned(),
        algorithm: "tdr".to_owned(),
        format: "csv".to_owned(),
        ..PublicSpec::default()
    };
    PublicReport::new(&verdict(), &recoding(), &spec)
}

#[test]
fn the_public_page_shows_what_the_published_table_tells() {
    let page = public(&public_report(), &recoding()).to_string();
    for text in [
        "Published for classification of &lt;income&gt;.",
        "✓ The requirement holds for 2 QIDs.",
        "<b>12</b> published",
        "<b>6</b> records, by QID 2; at least 6 were asked for",
        "Who knows the attributes of all QIDs together",
        "<bdi class=\"node published\">School</bdi>",
        "Everything else is <bdi class=\"node published\">*</bdi>",
        "cutline verify table.csv \\\n  --qid education,town:5 \\\n  --qid town,age:6",
        "Releases of tables that share persons can be compared",
    ] {
        assert!(page.contains(text), "no `{text}`");
    }
    for private in ["Private.", "search, step by step", "split in step", " values → ", "bits lost", "C4.5"] {
        assert!(!page.contains(private), "`{private}`");
    }
}

#[test]
fn the_public_report_tells_nothing_of_the_search() {
    let json = public_report().to_json();
    for key in ["steps", "seconds", "metrics", "distinct", "dropped", "suppressed", "arguments", "evaluation", "values"]
    {
        assert!(!json.contains(&format!("\"{key}\"")), "`{key}`");
    }
    for text in ["cutline-public-report/1", "\"anonymity\": 6", "\"labels\": [", "\">=30\""] {
        assert!(json.contains(text), "no `{text}` in {json}");
    }
}

#[test]
fn the_full_report_says_that_it_is_private() {
    let recoding = recoding();
    assert!(report(&recoding).to_json().contains(PRIVATE_NOTICE));
    assert!(page(&[]).contains(PRIVATE_NOTICE));
}

#[test]
fn without_a_purpose_a_step_is_chosen_by_records() {
    let recoding = recoding();
    let general = Report { purpose: cutline_model::Purpose::General.to_string(), ..report(&recoding) };
    let steps = [refined(1, "age", "*", &["<30", ">=30"])];
    let page = private(&general, &recoding, &steps).to_string();
    assert!(page.contains("the one with the most records") && !page.contains("most information"));
}

#[test]
fn on_a_phone_every_number_of_the_requirement_says_what_it_is() {
    let page = page(&[]);
    assert!(page.contains("<td class=\"number\" data-head=\"smallest group\">12</td>"));
}

fn forbidden(gain: f64) -> AttributeWhy {
    let bar = Bar {
        broken: vec![
            Broken { qid: 0, condition: None, groups: 2, records: 7 },
            Broken { qid: 1, condition: Some("distinct-l:<ill>=2".to_owned()), groups: 1, records: 12 },
        ],
        limit: 19,
        thresholds: vec![(0, 3)],
        without: vec!["age".to_owned()],
        lacking: None,
    };
    let left = Left { into: texts(&["R&D <Park>", "*"]), gain };
    let labels = vec![
        LabelWhy { label: Some("*".to_owned()), records: 88, why: Why::Forbidden { left, bar } },
        LabelWhy { label: None, records: 12, why: Why::Finest },
    ];
    AttributeWhy { attribute: "town".to_owned(), missing: 12, labels }
}

#[test]
fn the_steward_reads_why_and_what_if() {
    let recoding = recoding();
    let figures = Figures { loss: 0.25, groups: 3, smallest: 12, suppressed: 0, error: Some(0.125) };
    let alternative = |change, figures: Option<Figures>| Alternative { change, figures, impossible: None };
    let what_if = WhatIf {
        alternatives: vec![
            alternative(Change::Nothing, Some(figures)),
            alternative(Change::Thresholds(vec![10, 20]), None),
            alternative(Change::Without("<town>".to_owned()), Some(figures)),
        ],
        error: Some(ErrorKind::Classes),
    };
    let report = Report { why: vec![forbidden(0.0312)], what_if: Some(what_if), ..report(&recoding) };
    let page = private(&report, &recoding, &[]).to_string();
    for text in [
        "12 records lack a value.",
        "1 label is one value: there is nothing to refine.",
        "R&amp;D &lt;Park&gt;",
        "0.0312 bits",
        "7 records in groups of QID 1 below k and 12 records in groups of QID 2 that break distinct-l:&lt;ill&gt;=2",
        "suppress limit 19%; k = 3 for QID 1; without age",
        "k = 10, 20",
        "impossible",
        "without &lt;town&gt;",
        "12.5 %",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}

#[test]
fn many_labels_are_folded_away() {
    let recoding = recoding();
    let mut why = forbidden(1.0);
    why.labels = vec![why.labels[0].clone(); 90];
    let page = private(&Report { why: vec![why], ..report(&recoding) }, &recoding, &[]).to_string();
    assert!(page.contains("<details class=\"fold\"><summary>All 90 labels</summary><div class=\"why\">"));
}
