//! Countries by regions of the United Nations.

/// `= Region / Sub-region`, then a line for each country: two letters, three letters, name.
const COUNTRIES: &str = include_str!("../../../data/countries.txt");

type Listed = Vec<(Vec<&'static str>, &'static str)>;

pub(super) fn two_letters() -> Listed {
    listed(0)
}

pub(super) fn three_letters() -> Listed {
    listed(1)
}

pub(super) fn names() -> Listed {
    listed(2)
}

fn listed(notation: usize) -> Listed {
    let mut above = Vec::new();
    let mut countries = Vec::new();
    for line in COUNTRIES.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some(regions) => above = regions.split(" / ").collect(),
            None => countries.extend(line.splitn(3, ' ').nth(notation).map(|country| (above.clone(), country))),
        }
    }
    countries
}
