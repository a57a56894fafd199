use proptest::prelude::*;

use super::{By, Extent, Extents, Local, Places, Region, Regions, RegionsError, Split};
use crate::recoding::{Interval, Label, Labeler, Missing, Recoding, Unknown};
use crate::{AttributeRecoding, Bound, Taxonomy};

const PLACES: &str = "Any\n  North\n    Kiel\n    Bonn\n  South\n    Ulm\n  Rome\n";

/// Age, a place with a taxonomy, and a job without one; of all of them values may be missing, or not.
pub(super) fn most_masked(missing: bool) -> Vec<AttributeRecoding> {
    let missing = missing.then_some(Missing::Masked);
    vec![
        AttributeRecoding::numbers(vec![Bound(None), Bound(None)], missing),
        AttributeRecoding::Generalize {
            cut: vec!["Any".into()],
            missing,
            taxonomy: Taxonomy::from_outline(PLACES).unwrap(),
        },
        AttributeRecoding::Suppress { disclosed: Vec::new(), missing },
    ]
}

pub(super) fn whole() -> Regions {
    Regions::whole(Local::Free, ["age", "place", "job"].map(str::to_owned).to_vec())
}

/// Splits a group.
pub(super) fn split(regions: &mut Regions, region: usize, attribute: usize, by: By, parts: usize) {
    let first = regions.tree.len();
    regions.tree.resize(first + parts, Region::Group);
    regions.tree[region] = Region::Split(Split { attribute, by, parts: (first..first + parts).collect() });
}

/// A record by what its cells say.
type Record = [Option<&'static str>; 3];

/// The finest labels of a record, the region that it is in, and the labels there.
pub(super) fn placed(regions: &Regions, recoding: &[AttributeRecoding], record: Record) -> (usize, Vec<Label>) {
    let finest = regions.finest(recoding);
    let places = Places::new(regions, &finest).unwrap();
    let number = |a: usize| {
        let labeler = Labeler::new(&finest[a], Unknown::Error);
        record[a].map_or(labeler.missing(), |value| labeler.label(value).unwrap())
    };
    let region = places.region(number);
    let labels = places.of(region).iter().enumerate().map(|(a, &label)| places.labels(a)[label as usize].clone());
    (region, labels.collect())
}

#[test]
fn a_value_has_the_label_of_its_group() {
    let recoding = most_masked(false);
    let mut regions = whole();
    split(&mut regions, 0, 0, By::At(Bound(Some(40.0))), 2);
    split(&mut regions, 1, 2, By::Value("nurse".into()), 2);
    split(&mut regions, 2, 1, By::Node("Any".into()), 3);
    split(&mut regions, 5, 1, By::Node("North".into()), 2);
    let labels = |record: Record| {
        let texts = placed(&regions, &recoding, record).1.into_iter().map(|label| label.into_text().unwrap());
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(labels([Some("39"), Some("Ulm"), Some("nurse")]), "<40 Any nurse");
    assert_eq!(labels([Some("39"), Some("Ulm"), Some("clerk")]), "<40 Any *");
    assert_eq!(labels([Some("40"), Some("Ulm"), Some("nurse")]), ">=40 South *");
    assert_eq!(labels([Some("40"), Some("Bonn"), Some("clerk")]), ">=40 Bonn *");
    let finest: Vec<Vec<String>> = regions.finest(&recoding).iter().map(AttributeRecoding::labels).collect();
    assert_eq!(finest, [vec!["<40", ">=40"], vec!["Kiel", "Bonn", "South", "Rome"], vec!["nurse", "*"]]);
}

#[test]
fn what_a_taxonomy_lacks_stays_where_it_still_fits() {
    let mut regions = whole();
    split(&mut regions, 0, 0, By::At(Bound(Some(40.0))), 2);
    split(&mut regions, 1, 1, By::Node("Any".into()), 3);
    let finest = regions.finest(&most_masked(false));
    let places = Places::new(&regions, &finest).unwrap();
    let place = Labeler::new(&finest[1], Unknown::Root).label("Oslo").unwrap();
    assert_eq!([places.region(|a| [0, place, 0][a]), places.region(|a| [1, place, 0][a])], [1, 2]);
}

/// The greatest number of a declared range is told by itself where nobody is in the north: no bound for the others.
#[test]
fn what_divides_a_group_is_no_common_bound() {
    let mut recoding = most_masked(false);
    recoding[0] = AttributeRecoding::numbers(vec![Bound(Some(0.0)), Bound(Some(99.0))], None);
    let mut regions = whole();
    split(&mut regions, 0, 1, By::Node("Any".into()), 3);
    split(&mut regions, 2, 0, By::At(Bound(Some(99.0))), 2);
    let finest = regions.finest(&recoding);
    let common = |groups: &[usize]| regions.common(&finest, groups).unwrap()[0].labels();
    assert_eq!(common(&[4, 5]), ["[0-99)", "[99-99]"]);
    assert_eq!(common(&[1, 4, 5]), ["[0-99]"]);
}

#[test]
fn what_is_no_tree_of_regions_is_refused() {
    let recoding = most_masked(false);
    let errors = |change: fn(&mut Regions)| {
        let mut regions = whole();
        split(&mut regions, 0, 0, By::At(Bound(Some(40.0))), 2);
        split(&mut regions, 1, 1, By::Node("Any".into()), 3);
        change(&mut regions);
        Extents::new(&regions, &recoding).map(|_| ()).unwrap_err()
    };
    assert_eq!(errors(|regions| split(regions, 2, 0, By::At(Bound(Some(40.0))), 2)), RegionsError::Split(2));
    assert_eq!(errors(|regions| split(regions, 2, 0, By::At(Bound(None)), 2)), RegionsError::Split(2));
    assert_eq!(errors(|regions| split(regions, 2, 1, By::Node("Any".into()), 2)), RegionsError::Split(2));
    assert_eq!(errors(|regions| split(regions, 3, 1, By::Node("Any".into()), 3)), RegionsError::Split(3));
    assert_eq!(errors(|regions| split(regions, 2, 0, By::Missing, 2)), RegionsError::Split(2));
    assert_eq!(errors(|regions| split(regions, 2, 7, By::Missing, 2)), RegionsError::Split(2));
    assert_eq!(errors(|regions| regions.tree.push(Region::Group)), RegionsError::NoTree(6));
    assert_eq!(errors(|regions| regions.tree.truncate(4)), RegionsError::NoTree(4));
    let again = Region::Split(Split { attribute: 2, by: By::Value("nurse".into()), parts: vec![3, 4] });
    let mut regions = whole();
    split(&mut regions, 0, 0, By::At(Bound(Some(40.0))), 2);
    split(&mut regions, 1, 2, By::Value("clerk".into()), 2);
    regions.tree[2] = again;
    assert_eq!(Extents::new(&regions, &recoding).map(|_| ()).unwrap_err(), RegionsError::NoTree(3));
}

#[test]
fn regions_are_stored_and_read_back_in_any_order_of_attributes() {
    let recoding = most_masked(true);
    let mut regions = whole();
    split(&mut regions, 0, 0, By::Missing, 2);
    split(&mut regions, 1, 0, By::At(Bound(Some(40.5))), 2);
    split(&mut regions, 3, 1, By::Node("Any".into()), 4);
    split(&mut regions, 4, 2, By::Value("nurse".into()), 2);
    let empty = r#"{"format": "cutline-recoding/1", "attributes": {}, "requirement": {"qids": []}}"#;
    let mut stored = Recoding::from_json(empty).unwrap();
    stored.format = Recoding::FORMAT_OF_REGIONS.to_owned();
    stored.attributes = regions.attributes.iter().cloned().zip(regions.finest(&recoding)).collect();
    stored.regions = Some(regions.clone());
    assert_eq!(Recoding::from_json(&stored.to_json()).unwrap(), stored);

    let mut turned = stored.clone();
    turned.attributes.reverse();
    let read = Recoding::from_json(&turned.to_json()).unwrap();
    let read = read.regions.unwrap();
    assert_eq!(read.attributes, ["job", "place", "age"]);
    assert_eq!(read.splits().map(|(_, split)| split.attribute).collect::<Vec<_>>(), [2, 2, 1, 0]);

    let refused = |change: fn(&mut Recoding)| {
        let mut wrong = stored.clone();
        change(&mut wrong);
        Recoding::from_json(&wrong.to_json()).unwrap_err().to_string()
    };
    assert!(refused(|recoding| recoding.format = Recoding::FORMAT.to_owned()).contains("cutline-recoding/1"));
    assert!(refused(|recoding| recoding.regions.as_mut().unwrap().tree[1] = Region::Group).contains("region"));
    assert!(refused(|recoding| recoding.regions.as_mut().unwrap().attributes[0] = "sex".into()).contains("attributes"));
    assert!(refused(|recoding| recoding.attributes["job"] = recoding.attributes["age"].clone()).contains("region"));
}

/// Which of the parts of a split a record goes to, by definition.
fn goes_to(split: &Split, record: Record, taxonomy: &Taxonomy) -> usize {
    let value = record[split.attribute];
    match &split.by {
        By::At(Bound(at)) => usize::from(value.unwrap().parse::<f64>().unwrap() >= at.unwrap()),
        By::Missing => usize::from(value.is_none()),
        By::Value(told) => usize::from(value != Some(told)),
        By::Node(label) => {
            let children = taxonomy.children(taxonomy.node(label).unwrap());
            let has = |value: &str| {
                let leaf = taxonomy.node(value).unwrap();
                children.iter().position(|child| taxonomy.ancestors(leaf).any(|above| above == *child)).unwrap()
            };
            value.map_or(children.len(), has)
        }
    }
}

/// Can the records of a group, which show this label, have the value?
fn describes(label: &Label, value: Option<&str>, a: usize, taxonomy: &Taxonomy) -> bool {
    match (label, value) {
        (Label::Missing, value) => value.is_none(),
        (Label::Text(text), _) if text == "*" => true,
        (Label::Text(text), Some(value)) => match a {
            0 => text.parse::<Interval>().unwrap().contains(value.parse().unwrap()),
            1 => taxonomy.ancestors(taxonomy.node(value).unwrap()).any(|node| taxonomy.label(node) == text),
            _ => text == value,
        },
        (Label::Text(text), None) => a == 1 && text == "Any",
    }
}

/// Splits random groups in random ways.
pub(super) fn grown(missing: bool, choices: &[(u16, u8, u8)]) -> Regions {
    let recoding = most_masked(missing);
    let mut regions = whole();
    for &(group, attribute, how) in choices {
        let groups: Vec<usize> = regions.groups().collect();
        let (region, a) = (groups[group as usize % groups.len()], attribute as usize % 3);
        let extents = Extents::new(&regions, &recoding).unwrap();
        let AttributeRecoding::Generalize { taxonomy, .. } = &recoding[1] else { continue };
        match (extents.of(region, a).clone(), a) {
            (Extent::Anything, _) => split(&mut regions, region, a, By::Missing, 2),
            (Extent::Numbers { lower, upper, .. }, _) => {
                let at = f64::from(how % 9) * 10.0;
                if lower.is_none_or(|lower| lower < at) && upper.is_none_or(|upper| at < upper) {
                    split(&mut regions, region, a, By::At(Bound(Some(at))), 2);
                }
            }
            (Extent::Node(node), _) if !taxonomy.is_leaf(node) => {
                let parts = taxonomy.children(node).len() + usize::from(missing && node == taxonomy.root());
                split(&mut regions, region, a, By::Node(taxonomy.label(node).to_owned()), parts);
            }
            (Extent::Others(_), _) if missing && how % 4 == 3 => split(&mut regions, region, a, By::Missing, 2),
            (Extent::Others(_), _) => {
                let job = ["nurse", "clerk", "cook"][how as usize % 3];
                split(&mut regions, region, a, By::Value(job.into()), 2);
            }
            _ => {}
        }
    }
    regions
}

fn records(missing: bool) -> Vec<Record> {
    let with_none = |mut values: Vec<Option<&'static str>>| {
        values.extend(missing.then_some(None));
        values
    };
    let ages = with_none(["-3", "9.99", "10", "45", "80", "1e9"].map(Some).to_vec());
    let places = with_none(["Kiel", "Bonn", "Ulm", "Rome"].map(Some).to_vec());
    // Of the last one nobody has heard.
    let jobs = with_none(["nurse", "clerk", "cook", "diver"].map(Some).to_vec());
    let mut records = Vec::new();
    for &age in &ages {
        for &place in &places {
            records.extend(jobs.iter().map(|&job| [age, place, job]));
        }
    }
    records
}

proptest! {
    /// The guarantee: every possible record lies in exactly one group, whose labels describe it.
    #[test]
    fn regions_are_disjoint_and_complete(missing: bool, choices in prop::collection::vec(any::<(u16, u8, u8)>(), 0..25)) {
        // Telling a value twice tells nothing more: such a region has no records, but is no error.
        let (regions, recoding) = (grown(missing, &choices), most_masked(missing));
        let AttributeRecoding::Generalize { taxonomy, .. } = &recoding[1] else { panic!("a taxonomy") };
        // Where the parts of a region are, and the region itself.
        let mut parent = vec![None; regions.tree.len()];
        for (region, split) in regions.splits() {
            split.parts.iter().enumerate().for_each(|(place, &part)| parent[part] = Some((region, place)));
        }
        for record in records(missing) {
            let within: Vec<usize> = regions.groups().filter(|&group| fits(&regions, &parent, group, record, taxonomy)).collect();
            let (region, labels) = placed(&regions, &recoding, record);
            prop_assert_eq!(&within, &vec![region]);
            prop_assert!((0..3).all(|a| describes(&labels[a], record[a], a, taxonomy)), "{:?} {:?}", record, labels);
        }
    }

    /// What is left out leaves a tree of regions.
    #[test]
    fn simplified_regions_are_regions(choices in prop::collection::vec(any::<(u16, u8, u8)>(), 0..25), drop in prop::collection::vec(any::<(u8, bool)>(), 60)) {
        let regions = grown(true, &choices);
        let becomes = |(region, entry): (usize, &Region)| match (entry, drop[region % 60]) {
            (Region::Split(split), (part, _)) if part < 40 && !matches!(split.by, By::Node(_) | By::Missing) => super::Becomes::Part(split.parts[part as usize % split.parts.len()]),
            (_, (_, true)) => super::Becomes::Group,
            _ => super::Becomes::Itself,
        };
        let becomes: Vec<super::Becomes> = regions.tree.iter().enumerate().map(becomes).collect();
        let simplified = regions.simplified(&becomes);
        prop_assert!(Extents::new(&simplified, &most_masked(true)).is_ok());
        let same = vec![super::Becomes::Itself; regions.tree.len()];
        prop_assert_eq!(regions.simplified(&same).groups().count(), regions.groups().count());
    }
}

/// Does a record satisfy all splits above a group? From the top, so that a split by number never sees a missing value.
fn fits(
    regions: &Regions,
    parent: &[Option<(usize, usize)>],
    group: usize,
    record: Record,
    taxonomy: &Taxonomy,
) -> bool {
    let mut path = Vec::new();
    let mut region = group;
    while let Some((above, place)) = parent[region] {
        path.push((above, place));
        region = above;
    }
    path.iter().rev().all(|&(above, place)| {
        regions.tree[above].split().is_some_and(|split| goes_to(split, record, taxonomy) == place)
    })
}
