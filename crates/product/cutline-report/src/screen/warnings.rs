//! What a steward should think about.

use cutline_model::Role;
use cutline_verify::{Confidence, Finding};

use super::{Published, Revealed, RevealedByPair, Screen, ScreenedColumn};
use crate::number::{count, counted, percent};

/// A column in which nobody shares the value of so many records is worth a word.
const MANY: f64 = 0.1;

/// So many columns are named that break a QID; the report has the others.
const NAMED: usize = 3;

impl Screen {
    /// Sentences that name columns, never values. Of a column that is meant to be published nothing is said.
    pub fn sentences(&self) -> Vec<String> {
        let told = || self.columns.iter().filter(|column| column.is_told());
        let mut sentences: Vec<String> = told().filter_map(identifier).collect();
        sentences.extend(told().flat_map(|column| column.reveals.iter().map(|revealed| tells(column, revealed))));
        sentences.extend(self.pairs.iter().map(pair_tells));
        sentences.extend(told().filter(|column| !column.identifier).filter_map(|column| column.alone()));
        sentences.extend(told().filter(|column| column.published == Published::Unseen).map(unseen));
        sentences.extend(self.beyond_qid());
        sentences.extend(self.known_to_others());
        sentences
    }

    /// Columns that make a QID's groups too small for whoever knows them too, if the groups are large enough without.
    fn beyond_qid(&self) -> Option<String> {
        let holds = !self.qids.is_empty() && self.qids.iter().all(|qid| qid.records_below_k == 0);
        let others = self.columns.iter().filter(|column| column.is_told() && column.role == Role::Other);
        let below = |column: &ScreenedColumn| column.with_qid.map_or(0, |with| with.records_below_k);
        let mut others: Vec<&ScreenedColumn> = others.filter(|column| holds && below(column) > 0).collect();
        others.sort_by_key(|column| std::cmp::Reverse(below(column)));
        let named = others.iter().take(NAMED).map(|column| format!("`{}` ({})", column.name, count(below(column))));
        let mut named: Vec<String> = named.collect();
        if others.len() > NAMED {
            named.push(format!("{} more", others.len() - NAMED));
        }
        (!named.is_empty()).then(|| {
            format!(
                "whoever knows one column more than a QID finds records in groups below k: with {}",
                named.join(", ")
            )
        })
    }

    /// Columns in no QID, though their names say that others may know them.
    fn known_to_others(&self) -> Option<String> {
        let known =
            self.columns.iter().filter(|column| column.is_told() && column.known_to_others && !self.qids.is_empty());
        let names: Vec<String> = known.map(|column| format!("`{}`", column.name)).collect();
        let (are, they) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        (!names.is_empty()).then(|| format!("{} {are} in no QID, though others may know {they}", names.join(", ")))
    }
}

/// Sensitive attributes of which a group tells a value with certainty.
pub fn certain(finding: &Finding) -> Vec<String> {
    let told = finding.confidences.iter().filter(|told| told.homogeneous_groups > 0);
    let sentence = |told: &Confidence| {
        let groups = counted(told.homogeneous_groups, "group");
        let (records, qid) = (counted(told.homogeneous_records, "record"), finding.attributes.join(", "));
        format!(
            "`{}` is certain for {records} in {groups} of {{{qid}}}: everybody there has the same value",
            told.attribute
        )
    };
    told.map(sentence).collect()
}

impl ScreenedColumn {
    /// Is there anything to warn of?
    fn is_told(&self) -> bool {
        !self.kept && matches!(self.published, Published::AsIs | Published::Unseen)
    }

    /// What was found, in a few words without the column's name.
    pub fn finding(&self) -> String {
        let like = self.looks_like.map(|like| format!("looks like {}", like.words()));
        let unseen = (self.published == Published::Unseen).then(|| "not looked at".to_owned());
        let alone = (self.unique_share >= MANY && self.published == Published::AsIs && !self.identifier)
            .then(|| format!("{} of the records have a value of their own", percent(self.unique_share)));
        let given = self.reveals.iter().map(|told| format!("gives {} away: {}", told.attribute, told.how_sure()));
        let known = self.known_to_others.then(|| "others may know it".to_owned());
        like.into_iter().chain(unseen).chain(alone).chain(given).chain(known).collect::<Vec<_>>().join("; ")
    }

    fn alone(&self) -> Option<String> {
        (self.unique_share >= MANY).then(|| {
            let share = percent(self.unique_share);
            format!("`{}` singles out {share} of the records by itself: nobody shares their value", self.name)
        })
    }
}

impl Revealed {
    /// For how many records: "certain for 100 % of the records".
    pub fn how_sure(&self) -> String {
        let (certain, likely) = (percent(self.share), percent(self.nearly));
        match (self.share > 0.0, self.nearly > self.share) {
            (true, false) => format!("certain for {certain} of the records"),
            (true, true) => format!("certain for {certain} of the records, and nearly for {likely}"),
            (false, _) => format!("nearly certain for {likely} of the records"),
        }
    }
}

fn identifier(column: &ScreenedColumn) -> Option<String> {
    let like = column.looks_like?.words();
    Some(format!("`{}` looks like {like}: it names persons by itself", column.name))
}

fn tells(column: &ScreenedColumn, revealed: &Revealed) -> String {
    format!("`{}` gives `{}` away: its value is {}", column.name, revealed.attribute, revealed.how_sure())
}

fn pair_tells(pair: &RevealedByPair) -> String {
    let RevealedByPair { columns: [one, other], revealed } = pair;
    format!("`{one}` and `{other}` together give `{}` away: its value is {}", revealed.attribute, revealed.how_sure())
}

fn unseen(column: &ScreenedColumn) -> String {
    format!("`{}` has values that are neither texts nor numbers: nobody looked at them", column.name)
}
