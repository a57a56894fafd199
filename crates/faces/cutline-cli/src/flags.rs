//! From flags to a spec. Pure: nothing here looks at a file.

use cutline::model::recoding::SuppressHow;
use cutline::model::{Identifier, Kind};
use cutline::spec::{
    Algorithm, AttributeSpec, CostSpec, FurtherTarget, GeneticSpec, MetricKind, Missing, PurposeKind, Spec, Unknown,
};

use crate::args::{
    AlgorithmArg, AnonymizeArgs, AttributeArgs, GeneticArgs, IdentifierArgs, InputArgs, MetricArg, MissingArg,
    PurposeArg, RequirementArgs, SuppressHowArg, UnknownArg,
};
use crate::names;

impl InputArgs {
    /// The spec's input section for these flags.
    pub(crate) fn spec(&self, location: Option<String>) -> cutline::spec::Input {
        cutline::spec::Input {
            path: location,
            null: self.null.clone(),
            format: self.shape.input_format.clone(),
            delimiter: self.shape.delimiter,
            header: self.shape.no_header.then_some(false),
            columns: self.columns.as_deref().map(names::list),
            ..Default::default()
        }
    }
}

impl IdentifierArgs {
    /// What becomes of each named column.
    pub(crate) fn each(&self) -> impl Iterator<Item = (String, Identifier)> {
        let drop = self.drop.iter().flat_map(|names| names::list(names)).map(|name| (name, Identifier::Drop));
        let tokenize =
            self.tokenize.iter().flat_map(|names| names::list(names)).map(|name| (name, Identifier::Tokenize));
        drop.chain(tokenize)
    }
}

impl AnonymizeArgs {
    /// Everything that was said by flags, as a spec.
    pub(crate) fn flags(&self) -> Spec {
        let mut spec = Spec {
            input: self.read.spec(None),
            qid: self.requirement.qid.iter().map(|qid| qid.qid.clone()).collect(),
            ..Spec::default()
        };
        spec.input.missing = self.attributes.missing.map(|missing| match missing {
            MissingArg::Value => Missing::Value,
            MissingArg::Drop => Missing::Drop,
            MissingArg::Complete => Missing::Complete,
            MissingArg::Error => Missing::Error,
        });
        spec.input.unknown = self.attributes.unknown.map(|unknown| match unknown {
            UnknownArg::Error => Unknown::Error,
            UnknownArg::Root => Unknown::Root,
        });
        spec.purpose.target = self.requirement.target.clone();
        spec.purpose.kind = self.requirement.purpose.map(|purpose| match purpose {
            PurposeArg::Classification => PurposeKind::Classification,
            PurposeArg::Regression => PurposeKind::Regression,
            PurposeArg::Clustering => PurposeKind::Clustering,
            PurposeArg::General => PurposeKind::General,
        });
        self.requirement.add_to(&mut spec);
        self.clusters.add_to(&mut spec);
        spec.purpose.allow_target_in_qid = self.requirement.allow_target_in_qid.then_some(true);
        self.attributes.add_to(&mut spec);
        spec.search.algorithm = self.search.algorithm.map(|algorithm| match algorithm {
            AlgorithmArg::Refine => Algorithm::Refine,
            AlgorithmArg::Tdr => Algorithm::Tdr,
            AlgorithmArg::Tds => Algorithm::Tds,
            AlgorithmArg::BottomUp => Algorithm::BottomUp,
            AlgorithmArg::Genetic => Algorithm::Genetic,
        });
        spec.search.max_steps = self.search.max_steps;
        spec.search.time_limit = self.search.time_limit.clone();
        spec.search.seed = self.search.seed;
        spec.search.threads = self.search.threads;
        spec.search.genetic = self.search.genetic.spec();
        spec.output.format = self.format.clone();
        spec.output.round_bounds = self.round_bounds.then_some(true);
        spec.output.evaluate = self.evaluate.then_some(true);
        spec
    }
}

impl RequirementArgs {
    fn add_to(&self, spec: &mut Spec) {
        spec.purpose.weight = self.target_weight;
        let further = |(target, weight): &(String, Option<f64>)| FurtherTarget {
            target: target.clone(),
            weight: *weight,
            kind: None,
        };
        spec.purpose.further = self.also_target.iter().map(further).collect();
        let cost = |(actual, predicted, cost): &(String, String, f64)| CostSpec {
            actual: actual.clone(),
            predicted: predicted.clone(),
            cost: *cost,
        };
        spec.purpose.cost = self.cost.iter().map(cost).collect();
        spec.conditions = self.conditions.all();
        spec.suppress.limit = self.suppress_limit;
        spec.suppress.how = self.suppress_how.map(|how| match how {
            SuppressHowArg::Mask => SuppressHow::Mask,
            SuppressHowArg::Drop => SuppressHow::Drop,
        });
    }
}

impl GeneticArgs {
    fn spec(&self) -> GeneticSpec {
        GeneticSpec {
            metric: self.metric.map(|metric| match metric {
                MetricArg::Lm => MetricKind::Lm,
                MetricArg::Cm => MetricKind::Cm,
                MetricArg::Rm => MetricKind::Rm,
                MetricArg::RmMedian => MetricKind::RmMedian,
            }),
            population: self.population,
            iterations: self.iterations,
            mutation: self.mutation,
            bias: self.bias,
            seeded: self.unseeded.then_some(false),
        }
    }
}

impl AttributeArgs {
    fn add_to(&self, spec: &mut Spec) {
        let mut attribute =
            |name: &str, set: &dyn Fn(&mut AttributeSpec)| set(spec.attributes.entry(name.to_owned()).or_default());
        for (name, file) in &self.taxonomy {
            attribute(name, &|attribute| attribute.taxonomy = Some(file.into()));
        }
        for name in self.private_taxonomy.iter().flat_map(|names| names::list(names)) {
            attribute(&name, &|attribute| attribute.private = Some(true));
        }
        for (name, range) in &self.range {
            attribute(name, &|attribute| attribute.range = Some(*range));
        }
        for name in self.categorical.iter().flat_map(|names| names::list(names)) {
            attribute(&name, &|attribute| attribute.kind = Some(Kind::Categorical));
        }
        for name in self.continuous.iter().flat_map(|names| names::list(names)) {
            attribute(&name, &|attribute| attribute.kind = Some(Kind::Continuous));
        }
        for (name, identifier) in self.identifiers.each() {
            attribute(&name, &|attribute| attribute.identifier = Some(identifier));
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    fn flags(arguments: &[&str]) -> Spec {
        let all = ["cutline", "anonymize", "t.csv", "-o", "out"].into_iter().chain(arguments.iter().copied());
        match Cli::try_parse_from(all).unwrap().command {
            Command::Anonymize(args) => args.flags(),
            _ => unreachable!(),
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_become_a_spec() {
        let spec = flags(&[
            "--qid",
            "age,sex:10",
            "--qid",
            "zip:5",
            "--target",
            "y",
            "--range",
            "age=-5..120.5",
            "--taxonomy",
            "sex=s.txt",
            "--private-taxonomy",
            "sex",
            "--drop",
            "a,b",
            "--tokenize",
            "c",
            "--null",
            "?",
            "--null",
            "-",
            "--missing",
            "drop",
            "--delimiter",
            "tab",
            "--algorithm",
            "tds",
            "--time-limit",
            "30s",
            "--no-header",
            "--columns",
            "age,\"s,x\"",
        ]);
        assert_eq!(spec.qid.len(), 2);
        assert_eq!(spec.attributes["age"].range, Some((-5.0, 120.5)));
        assert_eq!((spec.attributes["sex"].private, spec.attributes["age"].private), (Some(true), None));
        assert_eq!(spec.attributes["b"].identifier, Some(Identifier::Drop));
        assert_eq!(spec.attributes["c"].identifier, Some(Identifier::Tokenize));
        assert_eq!(spec.input.null, ["?", "-"]);
        assert_eq!((spec.input.delimiter, spec.input.header), (Some('\t'), Some(false)));
        assert_eq!(spec.input.columns.as_deref(), Some(&["age".to_owned(), "s,x".to_owned()][..]));
        assert_eq!(spec.search.algorithm, Some(Algorithm::Tds));
    }

    #[test]
    fn malformed_flags_are_refused() {
        for arguments in [["--qid", "age"], ["--range", "age=5"], ["--taxonomy", "age"], ["--delimiter", "ab"]] {
            let all = ["cutline", "anonymize", "t.csv", "-o", "out"].into_iter().chain(arguments);
            assert!(Cli::try_parse_from(all).is_err(), "{arguments:?}");
        }
    }
}
