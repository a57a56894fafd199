//! How many combinations of values fit into memory?

use std::fs;

use cutline_table::{CompressedTable, Labels};

use crate::Error;
use crate::job::{Job, MOST_REFINED};
use crate::spec::Memory;

/// What the rest of a release takes: the records that it is screened by, pieces of the table that are read and written.
const REST: u64 = 512 << 20;

/// Of a small allowance, half is for combinations.
const LEAST_SHARE: u64 = 2;

/// So many are always allowed: the rest of a release takes more than they do. So whatever is searched by all combinations where no algorithm
/// is named is so on every machine.
const FEWEST: u64 = MOST_REFINED;

/// Bytes that a combination takes while it is searched, and more for each of its values: measured on tables of 14 attributes.
const ROW: u64 = 80;
const CELL: u64 = 8;

/// So many combinations of so many values fit into what is allowed: or else into three quarters of this machine's memory, where it tells.
pub(crate) fn combinations(allowed: Option<Memory>, values: usize) -> Option<u64> {
    let bytes = most_bytes(allowed)?;
    let rest = REST.min(bytes / LEAST_SHARE);
    Some(((bytes - rest) / (ROW + CELL * values as u64)).max(FEWEST))
}

/// What is allowed, or else three quarters of this machine's memory, where it tells.
fn most_bytes(allowed: Option<Memory>) -> Option<u64> {
    allowed.map(|Memory(bytes)| bytes).or_else(|| machine().map(|bytes| bytes / 4 * 3))
}

/// Searches keep how many records of each class have each value, and the same of what they look at.
const CLASS_COUNT: u64 = 2 * size_of::<u64>() as u64;

/// An error if there are so many classes that the records of each value cannot be counted by them.
pub(crate) fn check_classes(job: &Job, table: &CompressedTable) -> Result<(), Error> {
    let Labels::Classes { names, .. } = &table.labels else { return Ok(()) };
    let values: usize = table.attributes.iter().map(|attribute| attribute.domain.len() + 1).sum();
    let bytes = CLASS_COUNT * values as u64 * names.len() as u64;
    match most_bytes(job.memory).is_some_and(|most| bytes > most.max(REST / 8)) {
        false => Ok(()),
        true => Err(Error::Contradiction {
            what: format!(
                "{} classes of {values} values are more than fit into the memory that is allowed: {} MiB",
                names.len(),
                bytes >> 20
            ),
            hint:
                "if the target is a number, use ‹purpose regression›; otherwise make it coarser, or allow more ‹memory›"
                    .to_owned(),
        }),
    }
}

/// The memory of this machine, or of the part of it that this process is given.
fn machine() -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let whole = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(number(line.trim().strip_suffix("kB")?)? * 1024)
    });
    let given = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| number(&text));
    [whole, given].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_holds_more_and_wider_rows_need_more() {
        let fits = |bytes: u64, values: usize| combinations(Some(Memory(bytes)), values).unwrap();
        assert!(fits(2 << 30, 14) > 8_000_000 && fits(2 << 30, 14) < 10_000_000);
        assert!(fits(4 << 30, 14) > fits(2 << 30, 14) && fits(2 << 30, 50) < fits(2 << 30, 14));
        assert_eq!(fits(1, 3), FEWEST);
    }
}
