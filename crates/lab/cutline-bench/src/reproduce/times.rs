//! How long do searches take? (2007 paper §5.3, 2004 paper §6.2, 2002 paper §5)

use std::path::Path;

use cutline::model::Qid;
use cutline::spec::{Algorithm, Spec};
use cutline::{Destination, Error, Silent, cores, publish};

use super::claim::{Claim, Reached};
use super::data::{Categories, Data, defect, job};
use super::page::Section;
use crate::attributes::ALL;
use crate::enlarge::{self, Novelty};

const TITLE: &str = "Times";
const SEVEN: &str = "workclass,education,marital-status,occupation,race,sex,native-country";
const EIGHT: &str = "age,workclass,education-num,marital-status,occupation,race,sex,native-country";

/// One timed search.
struct Timed {
    what: &'static str,
    published: &'static str,
    seconds: f64,
    qid: &'static str,
    k: u64,
    algorithm: Algorithm,
}

/// Without measuring.
pub(crate) fn referred() -> Section {
    Section::new(TITLE, "Not measured in this run. The last measured ones are in [benchmarks.md](benchmarks.md).")
}

/// Measures.
pub(crate) fn run(data: &Data) -> Result<Section, Error> {
    let mut section = Section::new(
        TITLE,
        &format!(
            "**Measured: these figures differ from run to run.** The search alone, on {} cores that may have had other work. The tables \
             are the papers' enlarged Adult. The published times are of a 2.6 GHz Pentium 4, a 2.4 GHz Pentium 4 and a 1 GHz Pentium III.",
            cores()
        ),
    );
    let (large, many) = if data.quick { (10_000, 10_000) } else { (1_000_000, 1_356_660) };
    let tdr = Timed {
        what: "tdr, 1,000,000 records, one QID of 14 attributes, k = 50",
        published: "80 s",
        seconds: 80.0,
        qid: ALL,
        k: 50,
        algorithm: Algorithm::Tdr,
    };
    section.claim(tdr.measure(data, Some((large, Novelty::Any)))?);
    let bottom_up = Timed {
        what: "bottom-up, 1,356,660 records, 7 attributes, k = 150",
        published: "< 730 s",
        seconds: 730.0,
        qid: SEVEN,
        k: 150,
        algorithm: Algorithm::BottomUp,
    };
    section.claim(bottom_up.measure(data, Some((many, Novelty::Categorical(3))))?);
    let genetic = Timed {
        what: "genetic with CM, 30,162 records, 8 attributes, 500,000 evaluations, k = 100",
        published: "18 h",
        seconds: 64_800.0,
        qid: EIGHT,
        k: 100,
        algorithm: Algorithm::Genetic,
    };
    section.claim(genetic.measure(data, None)?);
    Ok(section)
}

impl Timed {
    /// Publishes an enlarged table of so many records, or the training part, and takes the time of the search.
    fn measure(&self, data: &Data, enlarged: Option<(usize, Novelty)>) -> Result<Claim, Error> {
        let qid = Qid::new(self.qid.split(',').map(str::to_owned).collect(), self.k);
        let mut spec = data.adult_train.spec_of(vec![qid]);
        let path = data.folder.path().join("enlarged.csv");
        if let Some((rows, novelty)) = enlarged {
            enlarge::write(rows, 0, novelty, 1, &path).map_err(defect)?;
            spec.input.path = Some(path.to_string_lossy().into_owned());
        }
        spec.search.algorithm = Some(self.algorithm);
        if self.algorithm == Algorithm::Genetic {
            spec.search.genetic.iterations = Some(if data.quick { 1_000 } else { 500_000 });
            spec.search.seed = Some(1);
        }
        let seconds = search_seconds(spec, data.folder.path())?;
        let verdict = if seconds < self.seconds { Reached::Beat } else { Reached::Miss };
        Ok(Claim::new(self.what, self.published, format!("{seconds:.2} s"), verdict))
    }
}

fn search_seconds(spec: Spec, folder: &Path) -> Result<f64, Error> {
    let job = job(spec, Categories::Generalized)?;
    let destination = Destination { path: folder.join("timed"), force: true };
    Ok(publish(&job, &job.open()?, &destination, &Silent)?.seconds.search)
}
