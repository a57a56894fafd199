//! The papers' enlarged Adult table (2007 paper, §5.3).
//!
//! Every complete record, and variations of it: q attributes, q drawn from U[1, m], are redrawn from their domains.

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

const PARTS: [&[u8]; 2] =
    [include_bytes!("../../../datasets/adult/train.csv.gz"), include_bytes!("../../../datasets/adult/test.csv.gz")];

/// Writes so many records: the originals first, then one variation of each, then another, ...
pub(crate) fn write(rows: usize, seed: u64, output: &Path) -> io::Result<()> {
    let (header, originals) = complete_records()?;
    let domains: Vec<Vec<&str>> = (0..ATTRIBUTES).map(|attribute| domain(&originals, attribute)).collect();
    let mut random = StdRng::seed_from_u64(seed);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(output)?);
    writeln!(file, "{header}")?;
    for row in 0..rows {
        let mut record: Vec<&str> = originals[row % originals.len()].iter().map(String::as_str).collect();
        if row >= originals.len() {
            let redrawn = random.random_range(1..=ATTRIBUTES);
            for attribute in sample(&mut random, ATTRIBUTES, redrawn) {
                let domain = &domains[attribute];
                record[attribute] = domain[random.random_range(0..domain.len())];
            }
        }
        writeln!(file, "{}", record.join(","))?;
    }
    file.flush()
}

fn complete_records() -> io::Result<(String, Vec<Vec<String>>)> {
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
