//! What the first pass makes of its blocks, in record order.

use cutline_engine::CompressPlan;
use cutline_table::Compressor;

use crate::compress::{Encoded, Encoding, check_most};
use crate::drawing::Drawing;
use crate::error::FileError;
use crate::order::ColumnOrder;
use crate::remembered::Persons;
use crate::repeats::Repeats;
use crate::stored::StoredCells;
use crate::vocabulary::Learner;

/// Where fewer combinations are allowed to be held, codes of records take so much for each of them.
const BYTES_OF_COMBINATION: u64 = 16;

/// What is known of the cells of some columns.
pub(crate) struct Seen {
    learners: Vec<Learner>,
    pub(crate) stored: Vec<StoredCells>,
}

impl Seen {
    fn of(columns: usize) -> Self {
        Seen {
            learners: (0..columns).map(|_| Learner::default()).collect(),
            stored: (0..columns).map(|_| StoredCells::default()).collect(),
        }
    }
}

/// What becomes of blocks, in record order.
pub(crate) struct Taking<'a> {
    plan: &'a CompressPlan,
    encoding: &'a Encoding<'a>,
    pub(crate) drawing: Option<&'a mut Drawing>,
    pub(crate) compressor: Compressor,
    /// Of the grouped columns.
    pub(crate) grouped: Seen,
    /// Of the others that are drawn from.
    pub(crate) others: Seen,
    pub(crate) persons: Persons,
    pub(crate) orders: Vec<ColumnOrder>,
    pub(crate) repeats: Vec<Repeats>,
}

impl<'a> Taking<'a> {
    pub(crate) fn new(plan: &'a CompressPlan, encoding: &'a Encoding<'a>, drawing: Option<&'a mut Drawing>) -> Self {
        let held = plan.most.map_or(usize::MAX, |most| most.saturating_mul(BYTES_OF_COMBINATION) as usize);
        let columns = plan.columns.len() + usize::from(plan.cluster.is_some());
        Taking {
            plan,
            encoding,
            drawing,
            compressor: Compressor::new(columns).holding(held),
            grouped: Seen::of(columns),
            others: Seen::of(encoding.drawn.others.len()),
            persons: Persons::new(plan),
            orders: plan.watched.iter().map(|_| ColumnOrder::new()).collect(),
            repeats: plan.persons.iter().map(|_| Repeats::default()).collect(),
        }
    }

    pub(crate) fn take(&mut self, encoded: Encoded) -> Result<(), FileError> {
        let Encoded { records, left_out, columns, others, looks, stretches, hashes } = encoded;
        let (mut columns, stored): (Vec<_>, Vec<_>) =
            columns.into_iter().map(|cells| (cells.column, cells.stored)).unzip();
        let told = self.encoding.engine.in_pool(|| self.compressor.add_coded(&mut columns, records, &left_out));
        if let Some(drawing) = &mut self.drawing
            && (drawing.sifts(records, &left_out) || self.compressor.is_full())
            && let Some(held) = self.compressor.held()
        {
            self.encoding.engine.in_pool(|| drawing.keep_shared(self.encoding.drawn.shared(held)));
        }
        if self.compressor.is_full() {
            // All threads of the engine group them.
            self.encoding.engine.in_pool(|| self.compressor.make_room());
        }
        check_most(self.plan.most, self.compressor.rows())?;
        for (stored_cells, (cells, told)) in self.grouped.stored.iter_mut().zip(stored.iter().zip(&told)) {
            cells.iter().zip(told).for_each(|(cell, &code)| stored_cells.see(cell, code));
        }
        for (index, workers) in self.encoding.grouped.iter().enumerate() {
            self.grouped.learners[index].learn(stored[index].iter().zip(told[index].iter().copied()), workers);
        }
        self.persons.add(&columns);
        if let Some(drawing) = &mut self.drawing {
            let cells = self.encoding.drawn.cells(&columns, &others);
            let told = self.encoding.engine.in_pool(|| drawing.add(records, &left_out, cells));
            drawing.look(self.encoding.drawn.of_others().map(|(index, other)| (index, &looks[other])));
            for (index, other) in self.encoding.drawn.of_others() {
                let drawn = others[other].stored.iter().zip(&told[index]);
                let drawn = drawn.filter_map(|(cell, code)| Some((cell, (*code)?)));
                drawn.clone().for_each(|(cell, code)| self.others.stored[other].see(cell, code));
                self.others.learners[other].learn(drawn, &self.encoding.drawn.vocabularies[other]);
            }
        }
        self.repeats.iter_mut().zip(hashes).for_each(|(repeats, hashes)| repeats.add(hashes));
        self.orders.iter_mut().zip(stretches).for_each(|(order, stretch)| order.add(stretch));
        Ok(())
    }
}
