//! Example 1 and Figure 2 of the 2004 paper.

use std::sync::Arc;

use cutline_model::recoding::Unknown;
use cutline_model::{Masking, Requirement, Taxonomy};
use cutline_table::{Block, BlockColumn, Compressor, LabelKind, encode};

use super::*;
use crate::Problem;

const VIDS: [(&str, u64, u64); 9] = [
    ("c1 b2 a3", 0, 4),
    ("c1 b2 c3", 0, 4),
    ("c1 b2 d3", 0, 3),
    ("c1 c2 a3", 2, 1),
    ("c1 c2 b3", 2, 2),
    ("d1 c2 b3", 4, 0),
    ("d1 c2 e3", 2, 0),
    ("d1 d2 b3", 2, 1),
    ("d1 d2 e3", 2, 0),
];
const HIERARCHIES: [(&str, &str); 3] = [
    ("Relationship", "ANY\n  e1\n    a1\n    b1\n  f1\n    c1\n    d1\n"),
    ("Race", "ANY\n  e2\n    a2\n    b2\n  f2\n    c2\n    d2\n"),
    ("Workclass", "ANY\n  g3\n    a3\n    b3\n    f3\n      c3\n      d3\n  e3\n"),
];

fn table() -> CompressedTable {
    let records: Vec<Vec<&str>> = VIDS
        .iter()
        .flat_map(|&(vid, yes, no)| [("Y", yes), ("N", no)].map(|(class, records)| (vid, class, records)))
        .flat_map(|(vid, class, records)| {
            std::iter::repeat_n(vid.split(' ').chain([class]).collect(), records as usize)
        })
        .collect();
    let column = |index: usize| BlockColumn {
        codes: (0..records.len() as u32).collect(),
        texts: records.iter().map(|record| Some(record[index].to_owned())).collect(),
    };
    let mut compressor = Compressor::new(4);
    let columns = (0..4).map(column).collect();
    compressor.add(&Block { records: records.len(), left_out: Vec::new(), columns });
    let masking = |text| Masking::Generalize(Arc::new(Taxonomy::from_outline(text).unwrap()));
    let maskings = HIERARCHIES.iter().map(|&(name, text)| (name.to_owned(), masking(text))).collect();
    encode(&compressor.finish(), maskings, &[("class".to_owned(), LabelKind::Classes)], Unknown::Error).unwrap()
}

/// The vids among these as text, with their sizes.
fn shown(vids: &Vids, which: impl Iterator<Item = u32>) -> Vec<(String, u64)> {
    let label = |local: usize, label: u32| {
        let taxonomy = Taxonomy::from_outline(HIERARCHIES[local].1).unwrap();
        taxonomy.label(taxonomy.nodes().nth(label as usize).unwrap()).to_owned()
    };
    let text =
        |vid: u32| (0..3).map(|local| label(local, vids.labels[local][vid as usize])).collect::<Vec<_>>().join(" ");
    let mut shown: Vec<_> = which.map(|vid| (text(vid), vids.records[vid as usize])).collect();
    shown.sort();
    shown
}

fn node(local: usize, label: &str) -> u32 {
    Taxonomy::from_outline(HIERARCHIES[local].1).unwrap().node(label).unwrap().index() as u32
}

#[test]
fn the_papers_index() {
    let table = table();
    let requirement = Requirement::new(vec!["Relationship,Race,Workclass:3".parse().unwrap()]).unwrap();
    let problem = Problem::new(&table, &requirement).unwrap();
    let cuts: Vec<Cut> = table.attributes.iter().map(|attribute| Cut::new(attribute, &table.weights)).collect();
    let mut vids = Vids::new(&table, &problem.qids()[0], &cuts);

    let all: Vec<(String, u64)> = VIDS.iter().map(|&(vid, yes, no)| (vid.to_owned(), yes + no)).collect();
    assert_eq!(shown(&vids, 0..9), all);
    assert_eq!(vids.anonymity(), 2);
    let smallest = [("d1 c2 e3".to_owned(), 2), ("d1 d2 e3".to_owned(), 2)];
    assert_eq!(shown(&vids, vids.anonymity_vids()), smallest);

    // Both are touched by f1 and by f2, but f1 merges neither with another vid: it is not critical.
    let (f1, f2) = (node(0, "f1"), node(1, "f2"));
    let touching =
        |local: usize| cuts[local].touching(vids.anonymity_vids().map(|vid| vids.labels[local][vid as usize]));
    let touched = [0, 1, 2].map(touching);
    assert_eq!(touched, [vec![f1], vec![f2], vec![]]);
    assert_eq!((vids.critical(0, &cuts[0]), vids.critical(1, &cuts[1])), (vec![], vec![f2]));
    assert_eq!((vids.gain(0, &cuts[0].merge(f1)), vids.gain(1, &cuts[1].merge(f2))), (0, 1));

    vids.merge(1, &cuts[1].merge(f2));
    let linked = vids.links[1][f2 as usize].clone();
    let merged = [("c1 f2 a3", 3), ("c1 f2 b3", 4), ("d1 f2 b3", 7), ("d1 f2 e3", 4)];
    assert_eq!(shown(&vids, linked.into_iter()), merged.map(|(vid, records)| (vid.to_owned(), records)));
    assert!(vids.holds());
    assert_eq!(vids.anonymity(), 3);
}
