//! The two tables, as far as the attack looks at them.

use std::collections::HashMap;

use cutline_engine::{Engine, Records, SamplePlan};
use cutline_model::Recoding;
use cutline_model::recoding::{SuppressHow, TOP};

use super::Attack;
use cutline::Watching;
use cutline::parts::{names_of, position};
use cutline::{Error, Observer, Stage};

/// The columns that are compared have the same places in both tables.
#[derive(Debug)]
pub(super) struct Linkage {
    pub(super) released: Records,
    pub(super) external: Records,
    /// The places of the columns that are compared.
    pub(super) on: Vec<usize>,
    pub(super) truth: Option<Truth>,
    /// The person behind each released record, if persons are counted.
    pub(super) people: Option<Vec<u32>>,
    pub(super) sensitive: Vec<Sensitive>,
    /// Is every value of the released record suppressed? It may be anybody's then.
    pub(super) suppressed: Vec<bool>,
    /// Can a suppressed record only belong to a person who matches no other?
    pub(super) apart: bool,
}

/// The places of a sensitive attribute.
#[derive(Debug)]
pub(super) struct Sensitive {
    pub(super) name: String,
    pub(super) released: usize,
    /// Only whoever holds the raw table has it here too.
    pub(super) external: Option<usize>,
}

/// The released records of each person, as pairs of (person, record), ascending.
pub(super) type Truth = Vec<(u32, u32)>;

/// Which table says whose record is whose.
enum Side {
    Released,
    External,
}

/// What is wanted of a table, every column once.
#[derive(Default)]
struct Wanted(Vec<String>);

impl Wanted {
    fn place(&mut self, name: &str) -> usize {
        self.0.iter().position(|other| other == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }
}

impl Linkage {
    pub(super) fn read(
        attack: &Attack,
        released: &dyn Engine,
        external: &dyn Engine,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (in_released, in_external) = (names_of(released), names_of(external));
        let (mut left, mut right) = (Wanted::default(), Wanted::default());
        let on = attack.on.iter().map(|name| (left.place(name), right.place(name)).0).collect();
        let in_both = |name: &str| [&in_released, &in_external].iter().all(|names| names.iter().any(|own| own == name));
        let by_order = |name: &str| name == Attack::RECORD && !in_both(name);
        let identity = attack.truth.as_deref().filter(|name| !by_order(name));
        let identity = identity.map(|name| (left.place(name), right.place(name)));
        let sensitive = attack.sensitive.iter().map(|name| Sensitive {
            name: name.clone(),
            released: left.place(name),
            external: in_external.contains(name).then(|| right.place(name)),
        });
        let sensitive: Vec<Sensitive> = sensitive.collect();
        let person = attack.person.as_deref().map(|name| match in_released.iter().any(|own| own == name) {
            false if attack.truth.as_deref().is_some_and(by_order) => (Side::External, right.place(name)),
            _ => (Side::Released, left.place(name)),
        });
        let masked: Vec<usize> =
            masked(attack).filter(|name| in_released.contains(name)).map(|name| left.place(name)).collect();

        let released = read(released, &left, ("released", &in_released), attack, observer)?;
        let external = read(external, &right, ("external", &in_external), attack, observer)?;
        let truth = match identity {
            _ if attack.truth.is_none() => None,
            Some((left, right)) => Some(by_identity((&released, left), (&external, right))),
            None => Some(in_order(&released, &external)?),
        };
        let suppressed = suppressed(&released, &masked);
        let people = person.map(|(side, place)| match side {
            Side::Released => released.columns()[place].codes.clone(),
            Side::External => external.columns()[place].codes.clone(),
        });
        Ok(Linkage { released, external, on, truth, people, sensitive, suppressed, apart: apart(attack) })
    }
}

/// The attributes that are all `*` in a suppressed record.
fn masked(attack: &Attack) -> impl Iterator<Item = &String> {
    let masks = |recoding: &&Recoding| recoding.suppression.is_some_and(|said| said.how == SuppressHow::Mask);
    attack.recoding.iter().filter(masks).flat_map(|recoding| recoding.attributes.keys())
}

/// Groups are suppressed as a whole. Whoever knows the attributes of all QIDs knows all groups of a person: if those are published,
/// so is the person's record.
fn apart(attack: &Attack) -> bool {
    let qids = attack.recoding.iter().flat_map(|recoding| &recoding.requirement.qids);
    let mut known = qids.map(|qid| qid.attributes.iter().all(|name| attack.on.contains(name))).peekable();
    known.peek().is_some() && known.all(|known| known)
}

fn read(
    table: &dyn Engine,
    wanted: &Wanted,
    (which, all): (&str, &[String]),
    attack: &Attack,
    observer: &dyn Observer,
) -> Result<Records, Error> {
    let asked_for = format!("asked for in the {which} one");
    let columns = wanted.0.iter().map(|name| position(all, name, &asked_for)).collect::<Result<_, _>>()?;
    let stored = attack.recoding.iter().flat_map(|recoding| &recoding.null);
    let plan = SamplePlan::all(columns, stored.chain(&attack.nulls).cloned().collect(), Vec::new());
    observer.stage(Stage::Read, Some(table.size()));
    let records = Records::read(table, &plan, &Watching(observer))?;
    if records.is_empty() { Err(Error::NoRecords(format!("the {which} table"))) } else { Ok(records) }
}

fn suppressed(released: &Records, masked: &[usize]) -> Vec<bool> {
    let all = |record| !masked.is_empty() && masked.iter().all(|&place| released.text(place, record) == Some(TOP));
    (0..released.len()).map(all).collect()
}

/// The person at some place of the external table has the record at the same place of the released one.
fn in_order(released: &Records, external: &Records) -> Result<Truth, Error> {
    let (records, persons) = (released.len(), external.len());
    if records == persons {
        return Ok((0..records as u32).map(|place| (place, place)).collect());
    }
    Err(Error::Contradiction {
        what: format!(
            "the released table has {records} records, the external one {persons}, so their order tells nothing"
        ),
        hint: "name a column of both tables that identifies persons with ‹truth›".to_owned(),
    })
}

/// Persons and records with the same identity belong together. A missing one is nobody's.
fn by_identity((released, left): (&Records, usize), (external, right): (&Records, usize)) -> Truth {
    let mut records: HashMap<&str, Vec<u32>> = HashMap::new();
    for record in 0..released.len() {
        if let Some(identity) = released.text(left, record) {
            records.entry(identity).or_default().push(record as u32);
        }
    }
    let own = |person: usize| external.text(right, person).and_then(|identity| records.get(identity));
    let pairs = |person: usize| own(person).into_iter().flatten().map(move |&record| (person as u32, record));
    (0..external.len()).flat_map(pairs).collect()
}
