//! What a cell gives, where all cells are known: a CASE that lists them.

use crate::dialect::Gives;
use crate::label::message;
use crate::{Dialect, SqlError};

/// What a statement says of a cell that was not listed when it fails.
pub const UNLISTED: &str = "was not there when the values were listed";

/// A look-up of a column's cells. All that they give are expressions.
pub struct Lookup<'a> {
    /// The column's name, for the server's message.
    pub name: &'a str,
    /// An expression for the cell.
    pub cell: &'a str,
    /// Is it a number, so that cells are written without quotes?
    pub cells: Gives,
    /// What a NULL gives.
    pub null: &'a str,
    /// Every other cell and what it gives. Those that give the same should stand together.
    pub listed: Vec<(&'a str, String)>,
    /// May there be cells that are not listed?
    pub unlisted: Unlisted,
}

/// May there be cells that are not listed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlisted {
    /// Nobody knows: such a cell makes the statement fail.
    Fail,
    /// No: the cells that most of them give the same for need not be listed.
    Never,
}

impl Lookup<'_> {
    /// The CASE. A cell that is not listed makes the statement fail: there is never a NULL for it.
    pub fn case(&self, dialect: Dialect, gives: Gives) -> Result<String, SqlError> {
        let Lookup { cell, null, .. } = self;
        let (listed, otherwise) = match (self.most(), self.unlisted) {
            (Some(most), Unlisted::Never) => {
                (self.listed.iter().filter(|(_, gives)| gives != most).cloned().collect(), most.clone())
            }
            _ => {
                let nothing = dialect.nothing_of(&dialect.text(cell, Gives::Text));
                let message = dialect.joined(&message(dialect, self.name, UNLISTED)?, &nothing);
                (self.listed.clone(), dialect.fail(&message, gives))
            }
        };
        if listed.is_empty() && otherwise == *null {
            return Ok(otherwise);
        }
        let cases = whens(dialect, (cell, self.cells), &listed)?;
        Ok(format!("CASE WHEN {cell} IS NULL THEN {null}{cases}\n      ELSE {otherwise} END"))
    }

    /// What most cells give.
    fn most(&self) -> Option<&String> {
        let same = self.listed.chunk_by(|one, other| one.1 == other.1);
        same.max_by_key(|same| same.len()).map(|same| &same[0].1)
    }

    /// How many WHENs the CASE has beside that of NULL.
    pub fn cases(&self) -> usize {
        self.listed.chunk_by(|one, other| one.1 == other.1).count()
    }
}

/// One WHEN for each result, with the cells that give it and stand together.
pub(crate) fn whens(
    dialect: Dialect,
    (cell, cells): (&str, Gives),
    listed: &[(&str, String)],
) -> Result<String, SqlError> {
    let literal = |text: &str| match cells {
        Gives::Text => dialect.quote_text(text),
        Gives::Number => Ok(text.to_owned()),
    };
    let mut cases = String::new();
    for same in listed.chunk_by(|one, other| one.1 == other.1) {
        let cells = same.iter().map(|(cell, _)| literal(cell)).collect::<Result<Vec<_>, _>>()?;
        cases += &format!("\n      WHEN {cell} IN ({}) THEN {}", cells.join(", "), same[0].1);
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_gives_what_is_listed_for_it_or_the_statement_fails() {
        let listed = [("Oslo", "'North'"), ("Ki'el", "'North'"), ("Rome", "'South'")];
        let listed = listed.map(|(cell, gives)| (cell, gives.to_owned())).into();
        let lookup =
            Lookup { name: "town", cell: "s.town", cells: Gives::Text, null: "'*'", listed, unlisted: Unlisted::Fail };
        let case = lookup.case(Dialect::Postgres, Gives::Text).unwrap();
        assert!(case.contains("WHEN s.town IN ('Oslo', 'Ki''el') THEN 'North'"), "{case}");
        assert!(case.starts_with("CASE WHEN s.town IS NULL THEN '*'") && case.contains(UNLISTED), "{case}");
        assert_eq!(lookup.cases(), 2);
        let case = Lookup { unlisted: Unlisted::Never, ..lookup }.case(Dialect::Postgres, Gives::Text).unwrap();
        assert!(case.ends_with("WHEN s.town IN ('Rome') THEN 'South'\n      ELSE 'North' END"), "{case}");
    }

    #[test]
    fn what_all_cells_give_is_not_looked_up() {
        let listed = vec![("Oslo", "'*'".to_owned()), ("Rome", "'*'".to_owned())];
        let lookup =
            Lookup { name: "town", cell: "s.town", cells: Gives::Text, null: "'*'", listed, unlisted: Unlisted::Never };
        assert_eq!(lookup.case(Dialect::Postgres, Gives::Text).unwrap(), "'*'");
    }
}
