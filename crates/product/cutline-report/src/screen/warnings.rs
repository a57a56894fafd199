//! What a steward should think about.

use cutline_model::Role;

use super::{Revealed, Screen, ScreenedColumn};
use crate::number::percent;

/// A column in which nobody shares the value of so many records is worth a word.
const MANY: f64 = 0.1;

impl Screen {
    /// Sentences that name columns, never values.
    pub fn sentences(&self) -> Vec<String> {
        let kept = || self.columns.iter().filter(|column| column.role != Role::Quasi);
        let mut sentences: Vec<String> = kept().filter_map(identifier).collect();
        sentences.extend(kept().flat_map(|column| column.reveals.iter().map(|revealed| tells(column, revealed))));
        sentences.extend(kept().filter(|column| !column.identifier).filter_map(|column| self.alone(column)));
        sentences.extend(self.known_to_others());
        sentences
    }

    fn alone(&self, column: &ScreenedColumn) -> Option<String> {
        (column.unique_share >= MANY).then(|| {
            let share = percent(column.unique_share);
            format!("`{}` singles out {share} of the records by itself: nobody shares their value", column.name)
        })
    }

    /// Columns in no QID, though their names say that others may know them.
    fn known_to_others(&self) -> Option<String> {
        let known = self.columns.iter().filter(|column| column.known_to_others && !self.qids.is_empty());
        let names: Vec<String> = known.map(|column| format!("`{}`", column.name)).collect();
        let (are, they) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        (!names.is_empty()).then(|| format!("{} {are} in no QID, though others may know {they}", names.join(", ")))
    }
}

fn identifier(column: &ScreenedColumn) -> Option<String> {
    let like = column.looks_like?.words();
    Some(format!("`{}` looks like {like}: it names persons by itself", column.name))
}

fn tells(column: &ScreenedColumn, revealed: &Revealed) -> String {
    let Revealed { attribute, share, nearly } = revealed;
    let name = &column.name;
    let (certain, likely) = (percent(*share), percent(*nearly));
    let how_sure = match (*share > 0.0, nearly > share) {
        (true, false) => format!("certain for {certain} of the records"),
        (true, true) => format!("certain for {certain} of the records, and nearly for {likely}"),
        (false, _) => format!("nearly certain for {likely} of the records"),
    };
    format!("`{name}` gives `{attribute}` away: its value is {how_sure}")
}
