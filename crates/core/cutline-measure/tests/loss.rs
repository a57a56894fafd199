//! What must hold for the losses of any recoding, seen from outside.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]
#![allow(dead_code, reason = "the unit tests use more of the sample tables")]

use cutline_measure::loss::{Losses, Partition};
use cutline_model::recoding::Missing;
use cutline_model::{AttributeRecoding, Masking};
use proptest::prelude::*;

#[path = "../src/loss/tests/cases.rs"]
mod cases;
#[path = "../src/loss/tests/sample.rs"]
mod sample;

use cases::cases;
use sample::{Sample, cut, disclose, intervals, qid};

/// The metrics that are shares of what could be lost.
fn shares(losses: &Losses) -> Vec<f64> {
    let general = losses.attributes.iter().map(|attribute| attribute.general);
    let targets = [losses.classification, losses.regression_variance, losses.regression_median];
    general.chain([losses.entropy]).chain(targets.into_iter().flatten()).collect()
}

fn nothing_published(masking: &Masking) -> AttributeRecoding {
    match masking {
        Masking::Generalize(taxonomy) => cut(masking, &[taxonomy.label(taxonomy.root())], Some(Missing::Masked)),
        Masking::Suppress => disclose(&[], Some(Missing::Masked)),
        Masking::Discretize { .. } => intervals(&[], Some(Missing::Masked)),
    }
}

fn everything_published(sample: &Sample, a: usize) -> AttributeRecoding {
    let masking = &sample.attributes[a];
    let table = sample.compress();
    let domain = &table.attributes[a].domain;
    match masking {
        Masking::Generalize(taxonomy) => {
            let leaves: Vec<&str> = taxonomy.leaves().map(|leaf| taxonomy.label(leaf)).collect();
            cut(masking, &leaves, Some(Missing::Published))
        }
        Masking::Suppress => {
            let names: Vec<&str> = (0..domain.known() as u32).flat_map(|code| domain.name(code)).collect();
            disclose(&names, Some(Missing::Published))
        }
        Masking::Discretize { .. } => {
            intervals(domain.as_numbers().get(1..).unwrap_or_default(), Some(Missing::Published))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn losses_do_not_depend_on_threads((sample, recoding, qids, _) in cases()) {
        let recoded = sample.recoded(&recoding, &qids);
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let with = |threads| pool(threads).install(|| recoded.losses(None));
        prop_assert_eq!(with(1), with(3));
    }

    #[test]
    fn losses_lie_between_publishing_everything_and_nothing((sample, recoding, qids, _) in cases()) {
        let losses = shares(&sample.recoded(&recoding, &qids).losses(None));
        prop_assert!(losses.iter().all(|loss| (0.0..=1.0).contains(loss)), "{:?}", losses);
        let all: Vec<usize> = (0..sample.attributes.len()).collect();
        let everything: Vec<_> = all.iter().map(|&a| everything_published(&sample, a)).collect();
        let raw = sample.recoded(&everything, &[qid(&all, 1)]).losses(None);
        prop_assert_eq!((raw.general, raw.entropy), (0.0, 0.0));
        let top: Vec<_> = sample.attributes.iter().map(nothing_published).collect();
        let masked = sample.recoded(&top, &[qid(&all, 1)]).losses(None);
        let suppressed = sample.recoded(&everything, &[qid(&all, 1000)]).losses(None);
        // Whether all is masked or all is suppressed makes no difference, except that CM punishes suppression.
        prop_assert_eq!(masked.general, suppressed.general);
        prop_assert_eq!(masked.entropy, suppressed.entropy);
        prop_assert_eq!(masked.regression_variance, suppressed.regression_variance);
        prop_assert!(masked.classification <= suppressed.classification);
    }
}
