//! The papers' enlarged Adult tables.
//!
//! Every complete record, and variations of it in which some attributes are redrawn from their domains: q ~ U[1, 14] of all
//! attributes (2007 paper, §5.3), or a fixed number, the novelty, of the seven categorical ones (2004 paper, §6.2).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;
use rand::rngs::StdRng;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};

/// Quasi attributes: all but the class.
const ATTRIBUTES: usize = 14;

/// Where the seven categorical attributes of the 2004 paper are.
const CATEGORICAL: [usize; 7] = [1, 3, 5, 6, 8, 9, 13];

/// What is redrawn in a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Novelty {
    /// A random number of all attributes.
    Any,
    /// So many of the seven categorical attributes.
    Categorical(usize),
}

impl Novelty {
    fn draw(self, random: &mut StdRng) -> Vec<usize> {
        match self {
            Novelty::Any => {
                let redrawn = random.random_range(1..=ATTRIBUTES);
                sample(random, ATTRIBUTES, redrawn).into_vec()
            }
            Novelty::Categorical(redrawn) => {
                sample(random, CATEGORICAL.len(), redrawn.min(7)).into_iter().map(|index| CATEGORICAL[index]).collect()
            }
        }
    }
}

const PARTS: [&[u8]; 2] = [
    include_bytes!("../../../../datasets/adult/train.csv.gz"),
    include_bytes!("../../../../datasets/adult/test.csv.gz"),
];

/// Writes so many records: the originals first, then one variation of each, then another, ... For wide tables, with the attributes of
/// some other originals beside each.
pub(crate) fn write(rows: usize, beside: usize, novelty: Novelty, seed: u64, output: &Path) -> io::Result<()> {
    let (header, originals) = complete_records()?;
    let domains: Vec<Vec<&str>> = (0..ATTRIBUTES).map(|attribute| domain(&originals, attribute)).collect();
    let mut random = StdRng::seed_from_u64(seed);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(output)?);
    write!(file, "{header}")?;
    for copy in 1..=beside {
        header.split(',').take(ATTRIBUTES).try_for_each(|name| write!(file, ",{name}-{copy}"))?;
    }
    writeln!(file)?;
    for row in 0..rows {
        let mut record: Vec<&str> = originals[row % originals.len()].iter().map(String::as_str).collect();
        if row >= originals.len() {
            for attribute in novelty.draw(&mut random) {
                let domain = &domains[attribute];
                record[attribute] = domain[random.random_range(0..domain.len())];
            }
        }
        for copy in 1..=beside {
            let other = &originals[(row + copy * 1009) % originals.len()];
            record.extend(other.iter().take(ATTRIBUTES).map(String::as_str));
        }
        writeln!(file, "{}", record.join(","))?;
    }
    file.flush()
}

/// The names of Adult's columns, and its records that lack nothing.
pub(crate) fn complete_records() -> io::Result<(String, Vec<Vec<String>>)> {
    let mut header = String::new();
    let mut records = Vec::new();
    for part in PARTS {
        let mut text = String::new();
        GzDecoder::new(part).read_to_string(&mut text)?;
        let mut lines = text.lines();
        header = lines.next().unwrap_or_default().to_owned();
        let complete = lines.filter(|line| !line.contains('?'));
        records.extend(complete.map(|line| line.split(',').map(str::to_owned).collect()));
    }
    Ok((header, records))
}

fn domain(records: &[Vec<String>], attribute: usize) -> Vec<&str> {
    let values: BTreeSet<&str> = records.iter().map(|record| record[attribute].as_str()).collect();
    values.into_iter().collect()
}
