//! A plain Mondrian (LeFevre, DeWitt and Ramakrishnan 2006), to be put beside our own searches.

use cutline_table::CompressedTable;

/// The numbers of a table, and how many records of a group must be alike.
pub(crate) struct Mondrian {
    /// The values of each attribute, row by row.
    columns: Vec<Vec<f64>>,
    /// The records of each row.
    weights: Vec<u64>,
    /// The distinct values of each attribute, ascending.
    domains: Vec<Vec<f64>>,
    k: u64,
}

/// Rows that share their labels, and the least and the greatest number that each label stands for.
struct Group {
    rows: Vec<usize>,
    spans: Vec<(f64, f64)>,
}

impl Mondrian {
    /// All attributes of the table are numbers.
    pub(crate) fn new(table: &CompressedTable, k: u64) -> Self {
        let domains: Vec<Vec<f64>> =
            table.attributes.iter().map(|attribute| attribute.domain.as_numbers().to_vec()).collect();
        let column = |(attribute, domain): (&cutline_table::Attribute, &Vec<f64>)| {
            attribute.codes.iter().map(|code| domain[code as usize]).collect()
        };
        let columns = table.attributes.iter().zip(&domains).map(column).collect();
        Mondrian { columns, weights: table.weights.clone(), domains, k }
    }

    /// LM as the report tells it, and the number of groups: the attribute whose values are widest apart is split at its median, as long as
    /// both parts have k records.
    pub(crate) fn run(&self) -> (f64, u64) {
        let spans = self.domains.iter().map(|values| (values[0], values[values.len() - 1])).collect();
        let mut pending = vec![Group { rows: (0..self.weights.len()).collect(), spans }];
        let (mut lost, mut groups) = (0.0, 0);
        while let Some(group) = pending.pop() {
            match self.split(&group) {
                Some(parts) => pending.extend(parts),
                None => {
                    groups += 1;
                    let spans = group.spans.iter().enumerate();
                    let each: f64 = spans.map(|(attribute, &span)| self.share(attribute, span)).sum();
                    lost += each * self.records(&group.rows) as f64;
                }
            }
        }
        (lost / self.weights.iter().sum::<u64>() as f64, groups)
    }

    fn records(&self, rows: &[usize]) -> u64 {
        rows.iter().map(|&row| self.weights[row]).sum()
    }

    /// How much of the attribute's domain lies between two numbers.
    fn share(&self, attribute: usize, (least, greatest): (f64, f64)) -> f64 {
        let values = &self.domains[attribute];
        (greatest - least) / (values[values.len() - 1] - values[0])
    }

    fn split(&self, group: &Group) -> Option<[Group; 2]> {
        let width = |attribute: usize| {
            let values = || group.rows.iter().map(|&row| self.columns[attribute][row]);
            self.share(attribute, (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)))
        };
        let mut order: Vec<(f64, usize)> =
            (0..self.columns.len()).map(|attribute| (width(attribute), attribute)).collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        order.into_iter().find_map(|(_, attribute)| self.halves(group, attribute))
    }

    fn halves(&self, group: &Group, attribute: usize) -> Option<[Group; 2]> {
        let (column, domain) = (&self.columns[attribute], &self.domains[attribute]);
        let median = self.median(group, attribute);
        let (below, above): (Vec<usize>, Vec<usize>) = group.rows.iter().partition(|&&row| column[row] < median);
        if self.records(&below) < self.k || self.records(&above) < self.k {
            return None;
        }
        let (mut lower, mut upper) = (group.spans.clone(), group.spans.clone());
        lower[attribute].1 = domain[domain.partition_point(|&value| value < median) - 1];
        upper[attribute].0 = median;
        Some([Group { rows: below, spans: lower }, Group { rows: above, spans: upper }])
    }

    fn median(&self, group: &Group, attribute: usize) -> f64 {
        let mut rows: Vec<(f64, u64)> =
            group.rows.iter().map(|&row| (self.columns[attribute][row], self.weights[row])).collect();
        rows.sort_by(|one, other| one.0.total_cmp(&other.0));
        let half = self.records(&group.rows) / 2;
        let mut before = 0;
        let reaches = |&(_, records): &(f64, u64)| {
            before += records;
            before > half
        };
        rows.iter().copied().find(reaches).map_or(0.0, |(value, _)| value)
    }
}
