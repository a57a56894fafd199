use std::sync::Arc;

use cutline_model::recoding::{Labeler, Missing, Unknown};
use cutline_model::{AttributeRecoding, Bound, Masking, NodeId, Recoding, Taxonomy};

use super::*;
use crate::random::Random;
use crate::{AttributeId, Block, BlockColumn, Compressor, LabelKind, encode};

const PLACES: &str = "Any\n  North\n    Oslo\n    Turku\n    Vaasa\n  South\n    Rome\n    Nice\n";

/// Towns of the taxonomy, some that it lacks, and missing ones.
const TOWNS: [Option<&str>; 9] = [
    Some("Oslo"),
    Some("Turku"),
    Some("Vaasa"),
    Some("Rome"),
    Some("Nice"),
    Some("Kiel"),
    Some("Ulm"),
    Some("Bonn"),
    None,
];

/// A table of one attribute, and all its values under labels of their own.
fn drawn(random: &mut Random) -> (CompressedTable, AttributeRecoding) {
    let records = 5 + random.below(20);
    let town = |random: &mut Random| TOWNS[random.below(9).min(random.below(9)) as usize].map(str::to_owned);
    let texts: Vec<Option<String>> = (0..records).map(|_| town(random)).collect();
    let missing = texts.contains(&None).then_some(Missing::Published);
    let column = BlockColumn { codes: (0..records as u32).collect(), texts };
    let mut compressor = Compressor::new(1);
    compressor.add(&Block { records: records as usize, left_out: Vec::new(), columns: vec![column] });
    let masking = Masking::Generalize(Arc::new(Taxonomy::from_outline(PLACES).unwrap()));
    let none = [(String::new(), LabelKind::None)];
    let table = encode(&compressor.finish(), vec![("town".to_owned(), masking)], &none, Unknown::Root).unwrap();
    let Masking::Generalize(taxonomy) = &table.attributes[0].masking else { unreachable!() };
    let taxonomy = Taxonomy::clone(taxonomy);
    let cut = taxonomy.leaves().map(|leaf| taxonomy.label(leaf).to_owned()).collect();
    (table, AttributeRecoding::Generalize { cut, missing, taxonomy })
}

/// What is stored of a recoding: of labels that are not known to everybody, those that kept rows show.
fn stored(recoding: &AttributeRecoding, table: &CompressedTable, settled: &Settled) -> Recoding {
    let mut shown = Vec::new();
    let masked = Masked::new(table, &settled.recoding).unwrap();
    let labels = Labeler::new(recoding, Unknown::Root);
    let rows = table.attributes[0].codes.iter().zip(&settled.suppressed.rows);
    for (code, _) in rows.filter(|(_, gone)| !**gone) {
        shown.extend(labels.labels()[masked.labels(AttributeId(0))[code as usize] as usize].clone().into_text());
    }
    let text = r#"{"format": "cutline-recoding/1", "attributes": {}, "requirement": {"qids": []}, "private_taxonomies": ["town"]}"#;
    let mut stored = Recoding::from_json(text).unwrap();
    let mut town = recoding.clone();
    town.hide_taxonomy(|taxonomy, node| shown.iter().any(|label| label == taxonomy.label(node)));
    stored.attributes.insert("town".to_owned(), town);
    stored
}

/// The published text of a town.
fn label(recoding: &AttributeRecoding, town: Option<&str>) -> Option<String> {
    let labeler = Labeler::new(recoding, Unknown::Root);
    let number = town.map_or(labeler.missing(), |town| labeler.label(town).unwrap());
    labeler.labels()[number as usize].clone().into_text()
}

#[test]
fn whoever_has_the_stored_part_and_the_taxonomy_labels_as_the_release_does() {
    let mut random = Random(11);
    let (mut merged, mut suppressed) = (0, 0);
    for case in 0..2000 {
        let (table, recoding) = drawn(&mut random);
        let qids = [TableQid::new(vec![AttributeId(0)], 2 + random.below(3))];
        let settled = Settled::new(&table, vec![recoding.clone()], None, &qids, SuppressHow::Drop).unwrap();
        let published = &settled.recoding[0];
        let mut stored = stored(published, &table, &settled);
        stored.restore_taxonomy("town", Taxonomy::from_outline(PLACES).unwrap(), Unknown::Root).unwrap();
        let restored = &stored.attributes["town"];
        for town in TOWNS.into_iter().filter(|town| town.is_none_or(|town| has(&table, town))) {
            assert_eq!(label(published, town), label(restored, town), "{case}: {town:?}");
        }
        merged += usize::from(*published != recoding);
        suppressed += usize::from(settled.suppressed.records > 0);
    }
    assert!(merged > 200 && suppressed > 200, "{merged} {suppressed}");
}

/// Has some record this town?
fn has(table: &CompressedTable, town: &str) -> bool {
    let Masking::Generalize(taxonomy) = &table.attributes[0].masking else { unreachable!() };
    table.attributes[0].domain.as_leaves().iter().any(|&leaf| taxonomy.label(leaf) == town)
}

#[test]
fn a_cut_tells_what_kept_rows_show_and_nothing_of_others() {
    let mut random = Random(12);
    let mut hidden = 0;
    for _ in 0..1000 {
        let (table, recoding) = drawn(&mut random);
        let qids = [TableQid::new(vec![AttributeId(0)], 3)];
        let settled = Settled::new(&table, vec![recoding], None, &qids, SuppressHow::Drop).unwrap();
        let AttributeRecoding::Generalize { cut, missing, taxonomy } = &settled.recoding[0] else { unreachable!() };
        if settled.suppressed.records == 0 {
            continue;
        }
        let kept = |label: &str| {
            let rows = table.attributes[0].codes.iter().zip(&settled.suppressed.rows).filter(|(_, gone)| !**gone);
            let mut codes = rows.map(|(code, _)| table.attributes[0].domain.as_leaves().get(code as usize));
            codes.any(|leaf| leaf.is_some_and(|&leaf| taxonomy.label(leaf) == label))
        };
        assert!(cut.iter().all(|label| PLACES.contains(&label[..]) || kept(label)), "{cut:?}");
        let shows = |node: NodeId| {
            taxonomy.leaves().any(|leaf| {
                let range = taxonomy.leaf_range(node);
                range.contains(&taxonomy.leaf_rank(leaf)) && kept(taxonomy.label(leaf))
            })
        };
        for node in cut.iter().map(|label| taxonomy.node(label).unwrap()) {
            let topmost = taxonomy.parent(node).is_none_or(shows);
            assert!(shows(node) || topmost, "a finer part than kept rows need: {cut:?}");
        }
        let missing_code = table.attributes[0].domain.missing();
        let rows = table.attributes[0].codes.iter().zip(&settled.suppressed.rows);
        let missing_kept = rows.into_iter().any(|(code, gone)| Some(code) == missing_code && !gone);
        assert!(*missing != Some(Missing::Published) || missing_kept, "that a suppressed one is missing is not told");
        hidden += usize::from(cut.len() < taxonomy.leaves().len());
    }
    assert!(hidden > 100, "{hidden}");
}

/// Persons with an age and a town; every town is told, and ages in intervals whose bounds are some of the ages.
fn aged(random: &mut Random, rounded: bool) -> (CompressedTable, Vec<AttributeRecoding>) {
    let records = 8 + random.below(25);
    let mut column = |value: &dyn Fn(&mut Random) -> String| BlockColumn {
        codes: (0..records as u32).collect(),
        texts: (0..records).map(|_| Some(value(random))).collect(),
    };
    let ages = column(&|random| (20 + 3 * random.below(12)).to_string());
    let towns = column(&|random| format!("town {}", random.below(5).min(random.below(5))));
    let mut compressor = Compressor::new(2);
    compressor.add(&Block { records: records as usize, left_out: Vec::new(), columns: vec![ages, towns] });
    let maskings = vec![("age".to_owned(), Masking::numbers(None)), ("town".to_owned(), Masking::Suppress)];
    let none = [(String::new(), LabelKind::None)];
    let mut table = encode(&compressor.finish(), maskings, &none, Unknown::Error).unwrap();
    if rounded {
        table.attributes[0].domain.round_splits();
    }
    let domain = &table.attributes[0].domain;
    let inner = (1..domain.known() as u32).filter(|_| random.below(3) == 0).map(|code| Bound(Some(domain.split(code))));
    let bounds = [Bound(None)].into_iter().chain(inner).chain([Bound(None)]).collect();
    let disclosed = (0..5).map(|town| format!("town {town}")).collect();
    let recoding =
        vec![AttributeRecoding::numbers(bounds, None), AttributeRecoding::Suppress { disclosed, missing: None }];
    (table, recoding)
}

/// The bounds of an attribute between its outer ones.
fn inner_bounds(recoding: &AttributeRecoding) -> Vec<f64> {
    let AttributeRecoding::Discretize { bounds, .. } = recoding else { unreachable!() };
    bounds.iter().filter_map(|bound| bound.0).collect()
}

#[test]
fn a_bound_is_no_value_of_suppressed_records_alone() {
    let mut random = Random(13);
    let mut raised = 0;
    for case in 0..4000 {
        let rounded = case % 2 == 0;
        let (table, recoding) = aged(&mut random, rounded);
        let qids = [TableQid::new(vec![AttributeId(0), AttributeId(1)], 2 + random.below(3))];
        let settled = Settled::new(&table, recoding.clone(), None, &qids, SuppressHow::Drop).unwrap();
        let numbers = table.attributes[0].domain.as_numbers();
        let rows = table.attributes[0].codes.iter().zip(&settled.suppressed.rows);
        let kept: Vec<f64> = rows.filter(|(_, gone)| !**gone).map(|(code, _)| numbers[code as usize]).collect();
        let bounds = inner_bounds(&settled.recoding[0]);
        for bound in &bounds {
            let is_value = numbers.contains(bound);
            assert!(kept.contains(bound) || rounded && !is_value, "{case}: {bound} of {numbers:?}, kept {kept:?}");
        }
        assert!(bounds.windows(2).all(|pair| pair[0] < pair[1]), "{bounds:?}");
        raised += usize::from(bounds.iter().any(|bound| !inner_bounds(&recoding[0]).contains(bound)));
    }
    assert!(raised > 200, "{raised}");
}
