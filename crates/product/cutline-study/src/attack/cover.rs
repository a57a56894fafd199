//! Which labels cover a value?

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;

use cutline_model::recoding::{DateSpan, Interval, Label, LabelError, Labeler, TOP, Unknown};
use cutline_model::{AttributeRecoding, Scale, Taxonomy, parse_number};

/// What the adversary knows of an attribute's labels.
pub(super) struct Knowledge<'a> {
    how: How<'a>,
    /// What is known of a private taxonomy: any label may cover a value that it lacks.
    private: Option<&'a Taxonomy>,
}

enum How<'a> {
    /// How it was masked: every value has one label.
    Recoding(Box<Labeler>),
    /// What its labels mean.
    Meaning(Option<&'a Taxonomy>),
    /// The labels of persons, in place of their values.
    Placed,
}

impl<'a> Knowledge<'a> {
    /// A recoding that does not have all labels of the table is not the table's own, but its taxonomy may help.
    pub(super) fn new(recoding: Option<&'a AttributeRecoding>, private: bool, labels: &[Option<String>]) -> Self {
        let Some(recoding) = recoding else { return Knowledge { how: How::Meaning(None), private: None } };
        let labeler = Labeler::new(recoding, Unknown::Error);
        let own = |label: &Option<String>| match label.as_deref() {
            // Suppressed records have it, whatever the recoding.
            Some(TOP) => true,
            Some(text) => labeler.labels().iter().any(|label| matches!(label, Label::Text(own) if own == text)),
            None => labeler.labels().contains(&Label::Missing),
        };
        let taxonomy = recoding.taxonomy();
        let own = labels.iter().all(own);
        let how = if own { How::Recoding(Box::new(labeler)) } else { How::Meaning(taxonomy) };
        Knowledge { how, private: taxonomy.filter(|_| private) }
    }

    /// Persons have labels already.
    pub(super) fn placed() -> Self {
        Knowledge { how: How::Placed, private: None }
    }

    /// A value may have any of the labels that stand for it.
    pub(super) fn meaning(recoding: Option<&'a AttributeRecoding>) -> Self {
        let taxonomy = recoding.and_then(AttributeRecoding::taxonomy);
        Knowledge { how: How::Meaning(taxonomy), private: None }
    }

    /// May the value be below any label?
    fn is_below_any(&self, value: Option<&str>) -> bool {
        matches!((self.private, value), (Some(taxonomy), Some(value)) if taxonomy.node(value).is_none())
    }
}

/// The values of an attribute by the labels that cover them: values with the same ones look alike.
#[derive(Debug)]
pub(super) struct Cover {
    /// The class of each value.
    pub(super) class_of: Vec<u32>,
    /// The labels of each class, ascending.
    pub(super) classes: Vec<Vec<u32>>,
}

impl Cover {
    pub(super) fn new(knowledge: &Knowledge<'_>, labels: &[Option<String>], values: &[Option<String>]) -> Self {
        let labels = Labels::new(labels);
        let mut numbers: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        let class_of = values.iter().map(|value| {
            let mut covering = match &knowledge.how {
                _ if knowledge.is_below_any(value.as_deref()) => labels.texts(),
                How::Recoding(labeler) => labels.by_recoding(labeler, value.as_deref()),
                How::Meaning(taxonomy) => labels.by_meaning(*taxonomy, value.as_deref()),
                How::Placed => labels.numbers.get(&value.as_deref()).copied().into_iter().collect(),
            };
            covering.sort_unstable();
            covering.dedup();
            *numbers.entry(covering).or_insert_with_key(|covering| {
                classes.push(covering.clone());
                classes.len() as u32 - 1
            })
        });
        Cover { class_of: class_of.collect(), classes }
    }
}

/// The labels of a released column.
struct Labels<'a> {
    numbers: HashMap<Option<&'a str>, u32>,
    intervals: Vec<(Interval, u32)>,
    spans: Vec<(DateSpan, u32)>,
}

impl<'a> Labels<'a> {
    fn new(labels: &'a [Option<String>]) -> Self {
        let numbered = || labels.iter().map(Option::as_deref).zip(0..);
        Labels {
            numbers: numbered().collect(),
            intervals: numbered().filter_map(|(label, number)| Some((read(label)?, number))).collect(),
            spans: numbered().filter_map(|(label, number)| Some((read(label)?, number))).collect(),
        }
    }

    /// All labels but that of missing values.
    fn texts(&self) -> Vec<u32> {
        self.numbers.iter().filter(|(label, _)| label.is_some()).map(|(_, &number)| number).collect()
    }

    /// The one label that the recoding gives the value. A value that it does not know can only have the top one.
    fn by_recoding(&self, labeler: &Labeler, value: Option<&str>) -> Vec<u32> {
        let number = match value.map(|value| labeler.label(value)) {
            None => labeler.missing(),
            Some(Ok(number)) => number,
            Some(Err(LabelError::NotInTaxonomy { .. } | LabelError::InnerNode { .. })) => labeler.top(),
            Some(Err(
                LabelError::NotANumber | LabelError::NotADate | LabelError::BornLater | LabelError::OutOfRange,
            )) => return Vec::new(),
        };
        let text = match &labeler.labels()[number as usize] {
            Label::Text(text) => Some(text.as_str()),
            Label::Missing => None,
        };
        self.numbers.get(&text).copied().into_iter().collect()
    }

    /// All labels that could stand for the value, whoever wrote them.
    fn by_meaning(&self, taxonomy: Option<&Taxonomy>, value: Option<&str>) -> Vec<u32> {
        let root = taxonomy.map(|taxonomy| taxonomy.label(taxonomy.root()));
        let mut texts = vec![value, Some(TOP)];
        texts.extend(root.map(Some));
        if let (Some(taxonomy), Some(value)) = (taxonomy, value) {
            let above = taxonomy.node(value).into_iter().flat_map(|node| taxonomy.ancestors(node));
            texts.extend(above.map(|node| Some(taxonomy.label(node))));
        }
        let covering = texts.iter().filter_map(|text| self.numbers.get(text).copied());
        let number = value.and_then(parse_number);
        let intervals = self.intervals.iter().filter(|(interval, _)| number.is_some_and(|n| interval.contains(n)));
        let day = value.and_then(|value| Scale::dates().read(value));
        let spans = self.spans.iter().filter(|(span, _)| day.is_some_and(|day| span.contains(day)));
        covering.chain(intervals.map(|(_, label)| *label)).chain(spans.map(|(_, label)| *label)).collect()
    }
}

/// What a label says, if it says more than that nothing is told.
fn read<T: FromStr>(label: Option<&str>) -> Option<T> {
    label.filter(|label| *label != TOP)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutline_model::Bound;
    use cutline_model::recoding::Missing;

    fn texts(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| (!text.is_empty()).then(|| (*text).to_owned())).collect()
    }

    /// The labels that cover each value.
    fn covers(recoding: Option<&AttributeRecoding>, labels: &[&str], values: &[&str]) -> Vec<Vec<String>> {
        covers_if(false, recoding, labels, values)
    }

    fn covers_if(
        private: bool,
        recoding: Option<&AttributeRecoding>,
        labels: &[&str],
        values: &[&str],
    ) -> Vec<Vec<String>> {
        let (texts, values) = (texts(labels), texts(values));
        let cover = Cover::new(&Knowledge::new(recoding, private, &texts), &texts, &values);
        let label = |&label: &u32| labels[label as usize].to_owned();
        cover.class_of.iter().map(|&class| cover.classes[class as usize].iter().map(label).collect()).collect()
    }

    #[test]
    fn without_a_recoding_labels_mean_what_they_say() {
        let labels = ["<20", "[20-30)", "[30-40]", "25", "*", "x", ""];
        assert_eq!(
            covers(None, &labels, &["25", "30", "40", "41", "x", "", "19.9"]),
            [
                vec!["[20-30)", "25", "*"],
                vec!["[30-40]", "*"],
                vec!["[30-40]", "*"],
                vec!["*"],
                vec!["*", "x"],
                vec!["*", ""],
                vec!["<20", "*"],
            ]
        );
    }

    #[test]
    fn a_date_is_covered_by_every_stretch_of_the_calendar_that_has_it() {
        let labels = ["1980s", "1984", "1984-Q2", "1984-W13", "[1984-03, 1984-09)", "<1984", "*"];
        assert_eq!(
            covers(None, &labels, &["1984-02-29", "1984-04-01", "1979-12-31"]),
            [
                vec!["1980s", "1984", "*"],
                vec!["1980s", "1984", "1984-Q2", "1984-W13", "[1984-03, 1984-09)", "*"],
                vec!["<1984", "*"]
            ]
        );
    }

    #[test]
    fn a_taxonomy_of_another_recoding_still_tells_what_is_above_a_value() {
        let taxonomy = Taxonomy::from_outline("Any\n  Low\n    1st\n    2nd\n  High\n").unwrap();
        let recoding = AttributeRecoding::Generalize { cut: vec!["Any".into()], missing: None, taxonomy };
        let found = covers(Some(&recoding), &["1st", "Low", "High", "Any"], &["1st", "2nd", "High", "new", ""]);
        assert_eq!(
            found,
            [vec!["1st", "Low", "Any"], vec!["Low", "Any"], vec!["High", "Any"], vec!["Any"], vec!["Any"]]
        );
    }

    #[test]
    fn below_the_labels_of_a_private_taxonomy_may_be_any_value() {
        let taxonomy = Taxonomy::from_outline("Any\n  Low\n  High\n").unwrap();
        let cut = ["Low", "High"].map(str::to_owned).to_vec();
        let recoding = AttributeRecoding::Generalize { cut, missing: Some(Missing::Published), taxonomy };
        let found = covers_if(true, Some(&recoding), &["Low", "High", ""], &["High", "1st", ""]);
        assert_eq!(found, [vec!["High"], vec!["Low", "High"], vec![""]]);
        let found = covers_if(true, Some(&recoding), &["Low", "Other", ""], &["Low", "1st", ""]);
        assert_eq!(found, [vec!["Low"], vec!["Low", "Other"], vec![""]], "a table of which it is not the own recoding");
    }

    #[test]
    fn who_knows_the_recoding_knows_that_a_disclosed_value_is_not_masked() {
        let recoding =
            AttributeRecoding::Suppress { disclosed: vec!["blue".into()], missing: Some(Missing::Published) };
        let found = covers(Some(&recoding), &["blue", "*", ""], &["blue", "green", ""]);
        assert_eq!(found, [["blue"], ["*"], [""]]);
        let bounds = [Some(0.0), Some(10.0), Some(20.0)].map(Bound).to_vec();
        let recoding = AttributeRecoding::numbers(bounds, None);
        let found = covers(Some(&recoding), &["[0-10)", "[10-20]", "*"], &["10", "21", "many"]);
        assert_eq!(found, [vec!["[10-20]"], vec![], vec![]]);
    }
}
