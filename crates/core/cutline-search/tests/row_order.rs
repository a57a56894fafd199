//! The rows of a compressed table have no order: whoever counted them, what is found is the same.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod support;

use cutline_search::bottom_up::BottomUp;
use cutline_search::genetic::Genetic;
use cutline_search::top_down::{Score, TopDown};
use cutline_search::{Control, Search};
use cutline_table::{Codes, CompressedTable, Labels};
use proptest::prelude::*;

use support::cases::config;
use support::guarded::{Kind, any_guarded};

/// The same rows, the last first.
fn reversed(table: &CompressedTable) -> CompressedTable {
    fn turn(codes: &mut Codes) {
        match codes {
            Codes::U8(codes) => codes.reverse(),
            Codes::U16(codes) => codes.reverse(),
            Codes::U32(codes) => codes.reverse(),
        }
    }
    let mut table = table.clone();
    table.attributes.iter_mut().for_each(|attribute| turn(&mut attribute.codes));
    table.sensitive.iter_mut().for_each(|sensitive| turn(&mut sensitive.codes));
    for labels in std::iter::once(&mut table.labels).chain(&mut table.further) {
        match labels {
            Labels::None => {}
            Labels::Classes { codes, .. } | Labels::Numbers { codes, .. } => turn(codes),
        }
    }
    table.weights.reverse();
    table
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn what_is_found_does_not_depend_on_the_order_of_rows(guarded in any_guarded(Kind::Any)) {
        let genetic = Genetic { population: 10, iterations: 60, ..Genetic::default() };
        let table = guarded.compress();
        // RM sums up squares of numbers in the order of rows: its last digits depend on it.
        let sums_of_fractions = matches!(table.labels, Labels::Numbers { .. });
        let searches: [&dyn Search; 4] =
            [&TopDown { score: Score::Tdr }, &TopDown { score: Score::Tds }, &BottomUp::default(), &genetic];
        let turned = reversed(&table);
        for search in &searches[..if sums_of_fractions { 3 } else { 4 }] {
            let found = search.search(&guarded.problem(&table), &Control::unlimited());
            let again = search.search(&guarded.problem(&turned), &Control::unlimited());
            prop_assert_eq!(found, again);
        }
    }
}
