use cutline_model::recoding::Unknown;
use cutline_model::{Masking, Requirement};
use cutline_table::{Block, BlockColumn, CompressedTable, Compressor, LabelKind, encode};

use super::*;
use crate::audit::Audit;

/// So many that most labels tell nearly all records apart: nobody gives up where all groups are counted at once.
const VALUES: u64 = 512;
const RECORDS: u64 = 8_000;

/// So many records may be suppressed: one in fifty.
const LIMIT: u64 = RECORDS / 50;

/// A number that looks like chance.
fn random(seed: u64) -> u64 {
    (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (seed + 7).pow(2)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 20
}

/// Records of three attributes, of whose values those with small numbers are frequent.
fn table() -> CompressedTable {
    let value = |record: u64, column: u64| {
        let random = random(3 * record + column);
        (random % VALUES).min(random / VALUES % VALUES)
    };
    let column = |column: u64| BlockColumn {
        codes: (0..RECORDS).map(|record| value(record, column) as u32).collect(),
        texts: (0..VALUES).map(|value| Some(format!("v{value:03}"))).collect(),
    };
    let mut compressor = Compressor::new(3);
    let records = RECORDS as usize;
    compressor.add(&Block { records, left_out: Vec::new(), columns: (0..3).map(column).collect() });
    let attributes = ["x", "y", "z"].map(|name| (name.to_owned(), Masking::Suppress));
    encode(&compressor.finish(), attributes.to_vec(), &[("target".to_owned(), LabelKind::None)], Unknown::Error)
        .unwrap()
}

/// Labels for neighbouring codes: fewer, the larger the width.
fn labelling(codes: usize, width: usize) -> Labelling {
    Labelling { label_of: (0..codes).map(|code| (code / width) as u32).collect(), labels: codes.div_ceil(width) }
}

#[test]
fn giving_up_early_changes_no_answer() {
    let table = table();
    let requirement = Requirement::new(vec!["x,y,z:5".parse().unwrap()]).unwrap();
    let problem = Problem::new(&table, &requirement).unwrap().suppressing(LIMIT, SuppressHow::Mask);
    let trees: Vec<_> = problem.starts().iter().map(|start| start.opened()).collect();
    let mut audit = Audit::new(&problem, trees.iter()).unwrap();
    // The same, asked by somebody who never gives up.
    let suppressor = Suppressor::new(&problem);
    let mut labellings: Vec<Labelling> = trees.iter().map(|tree| tree.labelling(None)).collect();
    let mut standing = suppressor.standing(&labellings, &mut Groups::default());
    let mut groups = Groups::default();
    let (mut early, mut late, mut held) = (0, 0, 0);
    for step in 0..240 {
        let attribute = step % 3;
        let other = labelling(table.attributes[attribute].domain.len(), 1 << (random(step as u64) % 10));
        let before = std::mem::replace(&mut labellings[attribute], other.clone());
        let all = suppressor.standing(&labellings, &mut Groups::default());
        let gave_up = suppressor.run_unless(&labellings, &mut Groups::default(), &|records| records > LIMIT).is_none();
        assert!(!gave_up || all.suppressed > LIMIT, "nobody gives up for less than is suppressed");
        for limit in [all.suppressed, all.suppressed.saturating_sub(1)] {
            let within = suppressor.standing_within(limit, &labellings, &mut groups);
            assert_eq!(within, (all.suppressed <= limit).then(|| all.clone()), "step {step}");
        }
        let holds = audit.try_refine(attribute, other);
        assert_eq!(holds, all.suppressed <= LIMIT, "step {step}");
        if holds {
            standing = all;
            held += u32::from(standing.suppressed > 0);
        } else {
            labellings[attribute] = before;
            *(if gave_up { &mut early } else { &mut late }) += 1;
        }
        assert_eq!(audit.standing(), &standing, "step {step}");
    }
    assert!(early > 10 && late > 10 && held > 10, "{early} {late} {held}");
}

#[test]
fn where_single_records_may_be_groups_nobody_asks_who_is_suppressed() {
    let table = table();
    for (k, asks) in [(1, false), (2, true)] {
        let requirement = Requirement::new(vec![format!("x,y,z:{k}").parse().unwrap()]).unwrap();
        let problem = Problem::new(&table, &requirement).unwrap().suppressing(LIMIT, SuppressHow::Mask);
        assert_eq!((problem.may_suppress(), problem.needs_audit()), (asks, asks), "k = {k}");
    }
}
