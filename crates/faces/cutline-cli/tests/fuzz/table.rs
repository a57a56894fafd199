//! A messy table about persons.

use crate::random::Random;

/// What a quasi attribute's values are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    /// Names without a taxonomy, some with quotes, commas, blanks, line breaks.
    Words,
    /// Names with a taxonomy, which lacks some of them.
    Tree,
    /// Few small numbers, some of them written in two ways.
    Ages,
    /// Numbers that nobody would write by chance.
    Incomes,
    /// The same name everywhere.
    Constant,
}

/// A quasi attribute.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) values: Values,
    /// The distinct values: what to look for where they are hidden.
    pub(crate) domain: Vec<String>,
    /// A cell for every record, as it is written.
    pub(crate) cells: Vec<String>,
}

/// Quasi attributes, and beside them `id`, `class`, `amount` (a number) and `ill` (sensitive).
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) quasi: Vec<Column>,
    pub(crate) others: Vec<(&'static str, Vec<String>)>,
}

const NAMES: [&str; 12] =
    ["age", "home town", "größe", "a,b", "x:y", "it's", "say \"so\"", "k=v", "💡", "Z", "semi;colon", "*"];

/// Texts that stand for a missing value.
pub(crate) const NULLS: [&str; 2] = ["?", "N/A"];

impl Table {
    pub(crate) fn random(random: &mut Random) -> Self {
        let records = random.within(12, 90);
        let mut names = NAMES.to_vec();
        let quasi = (0..random.within(1, 4))
            .map(|_| {
                let name = names.swap_remove(random.below(names.len()));
                column(random, name, records)
            })
            .collect();
        let mut table = Table { quasi, others: others(random, records) };
        if random.one_in(3) {
            table.repeat_records(random);
        }
        table
    }

    /// Some persons are in it several times.
    fn repeat_records(&mut self, random: &mut Random) {
        for _ in 0..random.within(1, 20) {
            let record = random.below(self.quasi[0].cells.len());
            let columns = self.quasi.iter_mut().map(|column| &mut column.cells);
            columns.chain(self.others.iter_mut().map(|(_, cells)| cells)).for_each(|cells| {
                let cell = cells[record].clone();
                cells.push(cell);
            });
        }
    }

    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let quasi = self.quasi.iter().map(|column| (&column.name[..], &column.cells));
        let columns: Vec<(&str, &Vec<String>)> =
            quasi.chain(self.others.iter().map(|(name, cells)| (*name, cells))).collect();
        writer.write_record(columns.iter().map(|(name, _)| name)).unwrap();
        for record in 0..columns[0].1.len() {
            writer.write_record(columns.iter().map(|(_, cells)| &cells[record])).unwrap();
        }
        writer.into_inner().unwrap()
    }
}

fn column(random: &mut Random, name: &str, records: usize) -> Column {
    let values = match random.below(5) {
        // `--taxonomy NAME=FILE` cannot say a name with an equals sign.
        0 if !name.contains('=') => Values::Tree,
        0 | 1 => Values::Words,
        2 => Values::Ages,
        3 => Values::Incomes,
        _ => Values::Constant,
    };
    let domain: Vec<String> = (0..random.within(1, 14)).map(|_| value(random, values)).collect();
    let missing = random.pick(&[0, 0, 3, 8]).to_owned();
    let cells = (0..records)
        .map(|_| match missing {
            times if times > 0 && random.one_in(times) => (*random.pick(&["", NULLS[0], NULLS[1]])).to_owned(),
            // The smaller of two draws: a few values are frequent, the others rare.
            _ => {
                let value = random.below(domain.len()).min(random.below(domain.len()));
                written(random, values, &domain[value])
            }
        })
        .collect();
    Column { name: name.to_owned(), values, domain, cells }
}

fn value(random: &mut Random, values: Values) -> String {
    let word = random.word();
    match values {
        Values::Words => match random.below(8) {
            0 => format!("{word}, \"so\""),
            1 => format!("ä {word} ü"),
            2 => format!("{word}\nnext line"),
            3 => format!("<b>{word}</b>&amp;"),
            4 => format!("{word}\\"),
            _ => word,
        },
        Values::Tree if random.one_in(4) => format!("{word} é"),
        Values::Tree => word,
        Values::Ages => random.within(1, 60).to_string(),
        Values::Incomes => format!("{}.{:03}7", random.within(10_000, 99_999), random.below(1000)),
        Values::Constant => "same".to_owned(),
    }
}

/// A value as somebody typed it.
fn written(random: &mut Random, values: Values, value: &str) -> String {
    match (values, random.below(12)) {
        (Values::Ages, 0) => format!("{value}.0"),
        (Values::Words | Values::Tree | Values::Ages, 1) => format!(" {value} "),
        _ => value.to_owned(),
    }
}

fn others(random: &mut Random, records: usize) -> Vec<(&'static str, Vec<String>)> {
    let classes = random.within(1, 3);
    let (skew, gap) = (random.within(1, 3), random.one_in(4));
    let mut column = |cell: &dyn Fn(&mut Random, usize) -> String| -> Vec<String> {
        (0..records).map(|record| cell(random, record)).collect()
    };
    let id = column(&|_, record| format!("P{record:04}"));
    let class = column(&|random, _| format!("class {}", random.below(classes)));
    let amount = column(&|random, _| format!("{}.5", random.below(40)));
    let ill = column(&|random, _| match gap && random.one_in(10) {
        true => String::new(),
        false => ["flu", "gout", "HIV", "cold"][random.below(4).min(random.below(1 + skew))].to_owned(),
    });
    vec![("id", id), ("class", class), ("amount", amount), ("ill", ill)]
}
