//! Records that clusters are found in and compared on: all of a short table, a sample of a long one.

use std::borrow::Cow;

use cutline_engine::{Engine, Sample, SampleColumn, SamplePlan};
use cutline_measure::cluster::{
    AttributeSpace, Axis, ClusterError, EncodeNames, MaskedNames, Points, information_gain, split_gain,
};
use cutline_model::{Kind, Taxonomy, parse_number};
use cutline_table::{Codes, Mask, MaskPlan};

use super::AttributeGain;
use crate::columns::Columns;
use crate::job::Job;
use crate::observer::Watching;
use crate::{Error, Observer, Stage};

/// More records than this are not looked at, only labelled.
pub const MOST_DRAWN: usize = 100_000;

/// The drawn records.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(super) sample: Sample,
    /// The columns of the sample, as positions in the table.
    read: Vec<usize>,
    /// The attributes that clusters are made of.
    pub(super) attributes: Vec<Attribute>,
    /// The quasi attributes' columns of the sample.
    quasi: Vec<usize>,
    /// The raw records.
    pub(super) raw: Points,
    /// What a recipient makes of masked names.
    names: MaskedNames,
}

/// An attribute that clusters are made of.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    /// Its position in the table.
    pub(super) source: usize,
    /// Its column of the sample.
    place: usize,
    pub(super) space: AttributeSpace,
}

impl Drawn {
    /// Draws the records, in a pass of its own.
    pub(super) fn new(
        job: &Job,
        engine: &dyn Engine,
        columns: &Columns,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        observer.stage(Stage::Label, Some(engine.size()));
        let mut read = columns.clustered.clone();
        read.extend(columns.quasi.iter().filter(|column| !columns.clustered.contains(column)));
        let plan = SamplePlan {
            columns: read.clone(),
            nulls: job.nulls.clone(),
            required: columns.required(job),
            size: MOST_DRAWN,
            seed: job.seed,
        };
        let sample = engine.sample(&plan, &Watching(observer))?;
        if sample.records + sample.dropped == 0 {
            return Err(Error::NoRecords(job.location.clone().unwrap_or_default()));
        }
        let attribute = |(place, &source): (usize, &usize)| {
            let name = columns.names[source].clone();
            let space = space(&name, known(job, &name), &sample.columns[place])?;
            Ok(Attribute { name, source, place, space })
        };
        let attributes = columns.clustered.iter().enumerate().map(attribute).collect::<Result<Vec<_>, Error>>()?;
        let quasi = places(&columns.quasi, &read)?;
        let raw = raw_points(&attributes, &sample).map_err(defect)?;
        let names = job.clustering.as_ref().map(|clustering| clustering.names).unwrap_or_default();
        Ok(Drawn { sample, read, attributes, quasi, raw, names })
    }

    /// The same records, for a job that masks other columns of them.
    pub(super) fn masking(&self, columns: &Columns) -> Result<Cow<'_, Self>, Error> {
        let quasi = places(&columns.quasi, &self.read)?;
        Ok(if quasi == self.quasi { Cow::Borrowed(self) } else { Cow::Owned(Drawn { quasi, ..self.clone() }) })
    }

    /// Every `step`-th record only.
    pub(super) fn thinned(&self, step: usize) -> Result<Self, Error> {
        let column = |column: &SampleColumn| SampleColumn { codes: column.codes.every(step), ..column.clone() };
        let sample = Sample {
            columns: self.sample.columns.iter().map(column).collect(),
            drawn: self.sample.drawn.div_ceil(step),
            positions: self.sample.positions.iter().copied().step_by(step).collect(),
            ..self.sample
        };
        let raw = raw_points(&self.attributes, &sample).map_err(defect)?;
        let (read, attributes, quasi) = (self.read.clone(), self.attributes.clone(), self.quasi.clone());
        Ok(Drawn { sample, read, attributes, quasi, raw, names: self.names })
    }

    /// The records under a recoding. Those that are left out have no weight.
    pub(super) fn masked(&self, plan: &MaskPlan) -> Result<Points, Error> {
        let mask = Mask::new(plan);
        // A value that fits no label makes the first pass fail, so there is none.
        let column = |&place: &usize| (&self.sample.columns[place].codes, &self.sample.columns[place].texts[..]);
        let labels = mask.columns(&self.quasi.iter().map(column).collect::<Vec<_>>());
        let mut columns = Vec::new();
        for attribute in &self.attributes {
            let place = self.quasi.iter().position(|&place| place == attribute.place);
            columns.push(match place {
                None => self.raw_column(attribute).map_err(defect)?,
                Some(quasi) => {
                    let axis = attribute.space.masked(&plan.attributes[quasi].recoding, self.names).map_err(defect)?;
                    (axis, labels.numbers[quasi].clone())
                }
            });
        }
        let left_out = |record: usize| labels.left_out().get(record) == Some(&true);
        let weights = (0..self.sample.drawn).map(|record| u64::from(!left_out(record))).collect();
        Points::new(columns, weights).map_err(defect)
    }

    fn raw_column(&self, attribute: &Attribute) -> Result<(Axis, Codes), ClusterError> {
        raw_column(attribute, &self.sample)
    }

    /// How much each attribute tells about the cluster, most first: the paper's QIDs are the first ones (section 5.1).
    pub(super) fn gains(&self, labels: &[u32]) -> Result<Vec<AttributeGain>, Error> {
        let mut gains = Vec::new();
        for attribute in &self.attributes {
            let column = &self.sample.columns[attribute.place];
            let weights = self.raw.weights();
            let gain = match attribute.space.kind() {
                Kind::Categorical | Kind::Date => information_gain(&column.codes, labels, weights),
                Kind::Continuous => split_gain(&ordered(&column.codes, &column.texts), labels, weights),
            };
            let gain = gain.map_err(defect)?;
            gains.push(AttributeGain { name: attribute.name.clone(), kind: attribute.space.kind(), gain });
        }
        gains.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        Ok(gains)
    }
}

fn known<'a>(job: &'a Job, name: &str) -> Known<'a> {
    let known = job.attributes.get(name);
    Known {
        kind: known.and_then(|known| known.kind),
        taxonomy: known.and_then(|known| known.taxonomy.as_deref()),
        range: known.and_then(|known| known.range),
        encode: job.clustering.as_ref().map(|clustering| clustering.encode).unwrap_or_default(),
    }
}

/// What is known of an attribute that clusters are made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// Its kind.
    pub kind: Option<Kind>,
    /// Its taxonomy.
    pub taxonomy: Option<&'a Taxonomy>,
    /// Where its numbers lie.
    pub range: Option<(f64, f64)>,
    /// Where its names lie.
    pub encode: EncodeNames,
}

/// Where the values of a column lie: by its taxonomy, its declared range or kind, or its values. The same rule decides how it is masked.
pub fn space(name: &str, known: Known<'_>, column: &SampleColumn) -> Result<AttributeSpace, Error> {
    let kind = known.kind.unwrap_or(column.kind);
    let space = match (known.taxonomy, known.range) {
        (None, Some(range)) => AttributeSpace::numbers(range),
        (None, None) if kind == Kind::Continuous => AttributeSpace::numbers(column.range.unwrap_or_default()),
        (Some(taxonomy), _) => Ok(AttributeSpace::taxonomy(taxonomy, known.encode)),
        _ => Ok(AttributeSpace::names(&column.texts)),
    };
    space.map_err(|error| wrong(error, name))
}

/// Where some columns are among those that were drawn.
fn places(columns: &[usize], read: &[usize]) -> Result<Vec<usize>, Error> {
    let place = |column: &usize| read.iter().position(|other| other == column);
    let places: Option<Vec<usize>> = columns.iter().map(place).collect();
    places.ok_or_else(|| Error::Contradiction {
        what: "the job masks a column that was not there when clusters were found".to_owned(),
        hint: "count the table again for this job".to_owned(),
    })
}

/// Codes in the order of their numbers; missing ones come last.
fn ordered(codes: &Codes, texts: &[Option<String>]) -> Codes {
    let number = |text: &Option<String>| text.as_deref().and_then(parse_number).unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by(|&one, &other| number(&texts[one]).total_cmp(&number(&texts[other])));
    let mut rank = vec![0; texts.len()];
    order.iter().zip(0..).for_each(|(&code, place)| rank[code] = place);
    codes.recoded(&rank, texts.len())
}

fn raw_points(attributes: &[Attribute], sample: &Sample) -> Result<Points, ClusterError> {
    let columns = attributes.iter().map(|attribute| raw_column(attribute, sample)).collect::<Result<_, _>>()?;
    Points::new(columns, vec![1; sample.drawn])
}

fn raw_column(attribute: &Attribute, sample: &Sample) -> Result<(Axis, Codes), ClusterError> {
    let column = &sample.columns[attribute.place];
    let axis = attribute.space.raw(&column.texts)?;
    Ok((axis, column.codes.clone()))
}

/// Nothing a user says can make these happen.
pub(super) fn defect(error: ClusterError) -> Error {
    Error::Defect(format!("clustering: {error}"))
}

/// Numbers so far apart that their distance is none. The message of the cause would show them.
fn wrong(error: ClusterError, name: &str) -> Error {
    match error {
        ClusterError::Scale { .. } => Error::Contradiction {
            what: format!("the numbers of `{name}` are too far apart to be clustered"),
            hint: format!("declare names with ‹categorical {name}›, or leave it out with ‹not-cluster-on {name}›"),
        },
        error => defect(error),
    }
}
