//! The facade through its own API: stages that a program can hold.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use cutline::arrow::Origin;
use cutline::engine::Audience;
use cutline::model::{KnownBy, Taxonomy};
use cutline::report::Change;
use cutline::spec::Spec;
use cutline::{Counts, Destination, Draft, Error, Folder, Job, Note, Release, Silent, Table, publish};

/// 300 persons in memory; a town of their own have two of them.
fn table() -> Table {
    let schema = Arc::new(Schema::new(vec![
        Field::new("age", DataType::Int64, false),
        Field::new("town", DataType::Utf8, true),
        Field::new("ill", DataType::Utf8, false),
    ]));
    let age: Int64Array = (0..300).map(|n| 20 + n % 40).collect();
    let town = |n: usize| if n < 2 { "Ulm" } else { ["Oslo", "Rome"][n % 2] };
    let town: StringArray = (0..300).map(|n| Some(town(n))).collect();
    let ill: StringArray = (0..300).map(|n| Some(if n % 40 > 20 { "yes" } else { "no" })).collect();
    let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(age), Arc::new(town), Arc::new(ill)]).unwrap();
    Table::of_batches("persons", schema, vec![batch], 2).unwrap()
}

fn job(settings: &[(&str, &str)]) -> Job {
    let mut spec = Spec::default();
    settings.iter().for_each(|&(name, value)| spec.set(name, &value.into()).unwrap());
    Job::new(spec).unwrap()
}

const TARGET: (&str, &str) = ("target", "ill");

/// It tells towns whatever they gain, so that the two of Ulm are suppressed where that is allowed.
const TDR: (&str, &str) = ("algorithm", "tdr");

#[test]
fn a_table_is_read_once_and_searched_often() {
    let counts = Counts::new(&job(&[("qid", "age,town:5"), TARGET]), &table(), &Silent).unwrap();
    assert_eq!(counts.records(), 300);
    let smallest = |settings: &[(&str, &str)]| {
        let draft = counts.search(&job(settings), &Silent).unwrap();
        draft.groups().unwrap()[0].sizes[0].0
    };
    assert!(smallest(&[("qid", "age,town:5"), TARGET]) >= 5);
    assert!(smallest(&[("qid", "age,town:50"), TARGET]) >= 50);
    assert!(smallest(&[("qid", "age:30"), TARGET]) >= 30, "fewer quasi attributes");
    assert!(smallest(&[("qid", "age,town:5")]) >= 5, "another purpose");
    let more = counts.search(&job(&[("qid", "age,town,ill:5")]), &Silent);
    assert!(more.is_ok(), "the target was counted, so it can be masked");
    let fewer = Counts::new(&job(&[("qid", "age:5")]), &table(), &Silent).unwrap();
    let asked = fewer.search(&job(&[("qid", "age,town:5")]), &Silent);
    assert!(matches!(asked, Err(Error::Contradiction { .. })), "what was not counted cannot be searched");
}

#[test]
fn clusters_are_found_once_and_searched_for_often() {
    let settings = |qid: &'static str| [("qid", qid), ("clusters", "2"), ("seed", "3")];
    let counts = Counts::new(&job(&settings("age,town:5")), &table(), &Silent).unwrap();
    for qid in ["age,town:5", "age,town:40", "age:20", "town:5"] {
        let again = counts.search(&job(&settings(qid)), &Silent).unwrap();
        let anew = Counts::new(&job(&settings(qid)), &table(), &Silent).unwrap();
        let anew = anew.search(&job(&settings(qid)), &Silent).unwrap();
        assert!(again.recoding().eq(anew.recoding()), "{qid}");
        let figures = |draft: &Draft| {
            let clusters = draft.clusters().unwrap();
            (clusters.published, clusters.guided.f_measure, clusters.blind.f_measure)
        };
        assert_eq!(figures(&again), figures(&anew), "{qid}");
    }
    let tuned = |qid: &'static str| job(&[("qid", qid), ("clusters", "2"), ("tune", "true")]);
    let counts = Counts::new(&tuned("age,town:5"), &table(), &Silent).unwrap();
    assert!(counts.search(&tuned("age,town:5"), &Silent).is_ok());
    let other = counts.search(&tuned("age,town:40"), &Silent);
    assert!(matches!(other, Err(Error::Contradiction { .. })), "clusters are tuned for one requirement");
}

#[test]
fn what_a_search_finds_is_seen_before_anything_is_written() {
    let job = job(&[("qid", "age,town:10"), ("suppress-limit", "1%"), ("suppress-how", "drop"), TARGET, TDR]);
    let draft = Counts::new(&job, &table(), &Silent).unwrap().search(&job, &Silent).unwrap();
    assert_eq!(draft.suppressed().0, 2);
    assert_eq!(draft.recoding().map(|(name, _)| name).collect::<Vec<_>>(), ["age", "town"]);
    let preview = draft.preview(300, &Silent).unwrap();
    assert_eq!(preview.rows.len(), 300);
    assert_eq!(preview.rows[0].raw[1].as_deref(), Some("Ulm"));
    assert!(preview.rows[0].masked.is_none(), "this record would be left out");
    assert_eq!(preview.rows[2].masked.as_ref().unwrap()[1].as_deref(), Some("Oslo"));
    assert!(!format!("{draft:?} {preview:?}").contains("Ulm"));
}

#[test]
fn a_draft_says_why_it_masks_and_counts_what_else_could_be() {
    // Two records with a town of their own hide all towns.
    let asked = [("qid", "town:10"), TARGET];
    let counts = Counts::new(&job(&asked), &table(), &Silent).unwrap();
    let masked =
        |settings: &[(&str, &str)]| counts.search(&job(settings), &Silent).unwrap().losses().attributes[0].general;
    let draft = counts.search(&job(&asked), &Silent).unwrap();
    assert!(draft.what_if().is_none(), "nobody asked");
    let why = draft.why().unwrap();
    let (_, _, bar) = why[0].best_forbidden().unwrap();
    // What is said to help, helps.
    let limit = cutline::model::Share::allowing(bar.limit, counts.records()).to_string();
    assert!(masked(&[asked[0], asked[1], ("suppress-limit", &limit)]) < masked(&asked));
    assert!(!format!("{why:?}").contains("Ulm"));

    let what_if = counts.what_if(&job(&asked), &Silent).unwrap();
    let of = |change: &Change| {
        let alternative = what_if.alternatives.iter().find(|alternative| alternative.change == *change).unwrap();
        alternative.figures.unwrap().loss
    };
    assert_eq!(of(&Change::Nothing), masked(&asked));
    assert_eq!(of(&Change::Thresholds(vec![5])), masked(&[("qid", "town:5"), TARGET]));
    let limit = |limit: &str| of(&Change::Limit(limit.parse().unwrap()));
    assert_eq!(limit("2%"), masked(&[asked[0], asked[1], ("suppress-limit", "2%")]));
}

#[test]
fn masked_records_stay_in_memory_and_are_those_that_would_be_written() {
    let job = job(&[("qid", "age,town:10"), ("format", "csv"), TARGET]);
    let draft = Counts::new(&job, &table(), &Silent).unwrap().search(&job, &Silent).unwrap();
    let masked = draft.batches(&Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    let report =
        draft.publish(Box::new(Folder::new(&Destination { path: path.clone(), force: false }).unwrap()), &Silent);
    assert_eq!(report.unwrap().records, 300);
    let release = Release::open(&path).unwrap();
    let written = std::fs::read_to_string(release.table()).unwrap();
    let mut lines = written.lines().skip(1);
    for batch in &masked.batches {
        let columns: Vec<_> = batch.columns().iter().map(|column| column.as_string::<i32>()).collect();
        for row in 0..batch.num_rows() {
            let cells: Vec<&str> = columns.iter().map(|column| column.value(row)).collect();
            assert_eq!(lines.next(), Some(&cells.join(",")[..]));
        }
    }
    assert_eq!(release.recoding().attributes.len(), 2);
    assert!(release.private_report().is_some());
    assert!(Release::open(&path.join("public")).unwrap().private_report().is_none());
    assert!(matches!(Release::open(Path::new("nowhere")), Err(Error::Io { .. })));
}

#[test]
fn a_release_tells_what_it_is_and_can_be_recounted() {
    let job = job(&[("qid", "age,town:10"), ("format", "csv"), ("sensitive", "ill")]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    publish(&job, &table(), &Destination { path: path.clone(), force: false }, &Silent).unwrap();
    let release = Release::at(&path).unwrap().unwrap();
    let verdict = release.verify(&Silent).unwrap();
    assert_eq!((verdict.records, verdict.holds()), (300, true));
    assert_eq!(release.sensitive().unwrap(), ["ill"]);
    let said: Vec<_> = release.guarantees().iter().map(|one| (one.to_string(), one.known())).collect();
    assert_eq!(said, [("every group of {age, town} has at least 10 records".to_owned(), KnownBy::Recount)]);
    let report = std::fs::read_to_string(path.join("public/report.json")).unwrap();
    assert_eq!(release.public_report().unwrap().unwrap().to_json(), report, "it reads back to the last digit");

    assert!(Release::at(folder.path()).unwrap().is_none());
    std::fs::write(path.join("public/recoding.json"), "{").unwrap();
    assert!(matches!(Release::at(&path), Err(Error::Recoding { .. })), "one that is damaged is no other table");
}

#[test]
fn what_a_program_looks_at_can_be_sent_to_a_page() {
    let job = job(&[("qid", "age,town:10"), ("suppress-limit", "1%"), TARGET, TDR]);
    let draft = Draft::new(&job, &table(), &Silent).unwrap();
    let recoding: Vec<_> = draft.recoding().collect();
    let page = serde_json::json!({
        "recoding": recoding,
        "groups": draft.groups().unwrap(),
        "losses": draft.losses(),
        "suppressed": draft.suppressed(),
        "stopped": draft.stopped(),
        "steps": draft.steps(),
        "why": draft.why().unwrap(),
        "screen": draft.screen(&Silent).unwrap(),
        "records": draft.preview(3, &Silent).unwrap(),
        "guarantees": draft.guarantees(),
        "note": Note::Dropped { records: 2 },
    });
    assert_eq!(page["recoding"][1][0], "town");
    assert_eq!(page["records"]["rows"][2]["masked"][1], "Oslo");
    assert_eq!(page["groups"][0]["k"], 10);
    assert_eq!(page["note"]["note"], "dropped");
}

/// Persons with a name each, and a code that repeats their town.
fn named() -> Table {
    let schema = Arc::new(Schema::new(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("town", DataType::Utf8, false),
        Field::new("code", DataType::Int64, false),
    ]));
    let name: StringArray = (0..400).map(|n| Some(format!("Ann{} Lee{}", n % 20, n / 20))).collect();
    let town: StringArray = (0..400).map(|n| Some(format!("t{}", n % 50))).collect();
    let code: Int64Array = (0..400).map(|n| 7 * (n % 50)).collect();
    let batch = RecordBatch::try_new(schema.clone(), vec![Arc::new(name), Arc::new(town), Arc::new(code)]).unwrap();
    Table::of_batches("persons", schema, vec![batch], 2).unwrap()
}

#[test]
fn a_draft_says_what_its_columns_give_away_and_is_not_published_if_one_names_persons() {
    let settings = [("qid", "town:20"), ("categorical", "town")];
    let table = named();
    let counts = Counts::new(&job(&settings), &table, &Silent).unwrap();
    assert!(matches!(counts.check_identifiers(&job(&settings), &Silent), Err(Error::Identifiers(_))));
    let draft = counts.search(&job(&settings), &Silent).unwrap();
    let screen = draft.screen(&Silent).unwrap();
    assert_eq!(screen.unwanted().map(|(name, _)| name).collect::<Vec<_>>(), ["name"]);
    let code = screen.columns.iter().find(|column| column.name == "code").unwrap();
    assert_eq!((&code.reveals[0].attribute[..], code.reveals[0].share), ("town", 1.0));
    let folder = tempfile::tempdir().unwrap();
    let target = || Folder::new(&Destination { path: folder.path().join("out"), force: false }).unwrap();
    let refused = draft.publish(Box::new(target()), &Silent).unwrap_err();
    assert!(matches!(&refused, Error::Identifiers(found) if found.len() == 1 && found[0].0 == "name"), "{refused}");
    assert!(matches!(draft.batches(&Silent), Err(Error::Identifiers(_))));

    let without = |further: &[(&str, &str)]| {
        let draft = counts.search(&job(&[&settings[..], &[("drop", "name")], further].concat()), &Silent).unwrap();
        draft.publish(Box::new(target()), &Silent)
    };
    let strict = without(&[("strict", "true")]).unwrap_err();
    assert!(
        matches!(&strict, Error::Warned(warnings) if warnings[0].starts_with("`code` gives `town` away")),
        "{strict}"
    );
    assert!(!folder.path().join("out").exists());
    let report = without(&[("strict", "true"), ("keep", "code")]).unwrap();
    assert!(report.screened.warnings.is_empty() && report.screened.columns.len() == 2);
}

#[test]
fn a_release_in_memory_is_that_of_a_folder() {
    let job = job(&[("qid", "age,town:10"), TARGET]);
    let draft = Counts::new(&job, &table(), &Silent).unwrap().search(&job, &Silent).unwrap();
    let release = draft.publish_in_memory(&Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    draft.publish(Box::new(Folder::new(&Destination { path: path.clone(), force: false }).unwrap()), &Silent).unwrap();

    let names: Vec<&str> = release.documents.iter().map(|document| &document.name[..]).collect();
    assert_eq!(names[..3], ["recoding.json", "report.json", "report.html"]);
    for document in release.documents.iter().filter(|document| document.audience == Audience::Public) {
        let stored = std::fs::read_to_string(path.join("public").join(&document.name)).unwrap();
        assert!(document.content == stored, "{} differs", document.name);
    }
    assert_eq!((release.report.records, release.report.qids[0].anonymity >= 10), (300, true));
    assert_eq!(format!("{release:?}"), format!("InMemory(300 records, {} documents)", names.len()));
}

#[test]
fn records_in_memory_know_which_they_were_unless_their_order_is_secret() {
    let origin = |more: &[(&str, &str)]| {
        let job = job(&[&[("qid", "age,town:10"), TARGET, TDR], more].concat());
        let draft = Counts::new(&job, &table(), &Silent).unwrap().search(&job, &Silent).unwrap();
        draft.publish_in_memory(&Silent).unwrap().table.origin
    };
    let budget = [("suppress-limit", "1%"), ("suppress-how", "drop")];
    assert_eq!(origin(&[]), Origin::All);
    assert_eq!(origin(&budget), Origin::Some((2..300).collect()), "the two of Ulm are left out");
    assert_eq!(origin(&[("shuffle", "true")]), Origin::Secret);
}

#[test]
fn a_taxonomy_for_numbers_is_refused_and_a_private_one_is_not_told() {
    let tree = || Taxonomy::from_outline("Any\n  North\n    Oslo\n  South\n    Rome\n    Ulm\n").unwrap();
    let mut job = job(&[("qid", "age,town:10"), ("range", "age=0..99"), TARGET]);
    assert!(matches!(job.give_taxonomy("age", tree()), Err(Error::Contradiction { .. })));
    job.give_taxonomy("town", tree()).unwrap();
    let recoding = |job: &Job| {
        let draft = Counts::new(job, &table(), &Silent).unwrap().search(job, &Silent).unwrap();
        draft.publish_in_memory(&Silent).unwrap().documents[0].content.clone()
    };
    assert!(recoding(&job).contains("Ulm"));
    job.hide_taxonomy("town");
    assert!(!recoding(&job).contains("Ulm"));
}
