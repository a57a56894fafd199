//! Who can put an error right: exit codes of the command and exceptions of Python follow from it.

use cutline_engine::Blame;
use cutline_search::{SearchError, Stopped};
use cutline_verify::VerifyError;

use super::Error;

impl Error {
    /// Who can put it right.
    pub fn blame(&self) -> Blame {
        use Error as E;
        match self {
            E::Search(error) => of_search(error),
            E::Engine(error) => error.blame(),
            E::Verify(error) => of_verify(error),
            E::Interrupted | E::Unfinished(Stopped::Interrupted) => Blame::Interrupted,
            E::Unfinished(_) | E::DoesNotHold(_) | E::SuppressLimit { .. } | E::Comparable { .. } => Blame::Requirement,
            E::AlreadyTold { .. } | E::HeldBack { .. } => Blame::Requirement,
            E::Setting(_) | E::Genetic(_) => Blame::Setting,
            E::Table(_) | E::MissingValue { .. } | E::NoRecords(_) | E::BelowPrivateCut { .. } => Blame::Data,
            E::Changed { .. } | E::Replaced(_) => Blame::Data,
            E::Io { source, .. } if source.kind() != std::io::ErrorKind::NotFound => Blame::Machine,
            E::NoRandom(_) => Blame::Machine,
            E::Unverified(_) | E::Defect(_) => Blame::Defect,
            E::Requirement(_)
            | E::Spec { .. }
            | E::NotSaid { .. }
            | E::Contradiction { .. }
            | E::UnknownColumn { .. }
            | E::Taxonomy { .. }
            | E::Recoding { .. }
            | E::Report { .. }
            | E::FurtherColumns(_)
            | E::Identifiers(_)
            | E::Warned(_)
            | E::Exists(_)
            | E::NotOurs(_)
            | E::NoRelease(_)
            | E::Io { .. } => Blame::Arguments,
        }
    }

    /// The command's exit status: 1 the requirement cannot be met, 2 the input or the arguments are wrong, 3 a defect of
    /// Cutline, 130 interrupted.
    pub fn exit_status(&self) -> u8 {
        match self.blame() {
            Blame::Requirement => 1,
            Blame::Setting | Blame::Arguments | Blame::Data | Blame::Machine => 2,
            Blame::Defect => 3,
            Blame::Interrupted => 130,
        }
    }
}

fn of_search(error: &SearchError) -> Blame {
    match error {
        SearchError::TooFewRecords { .. }
        | SearchError::TooFewPersons { .. }
        | SearchError::Condition(_)
        | SearchError::History(_)
        | SearchError::TooOpen { .. } => Blame::Requirement,
        SearchError::Unprepared(_) | SearchError::Pin { .. } => Blame::Arguments,
        SearchError::UnknownAttribute(_) | SearchError::UnknownSensitive(_) | SearchError::InNoQid(_) => Blame::Defect,
    }
}

fn of_verify(error: &VerifyError) -> Blame {
    match error.blame() {
        cutline_verify::Blame::Request => Blame::Arguments,
        cutline_verify::Blame::Data | cutline_verify::Blame::Unsupported => Blame::Data,
        cutline_verify::Blame::Machine => Blame::Machine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_to_blame_decides_the_exit_status() {
        let interrupted = || Error::Engine(cutline_engine::EngineError::Interrupted);
        for (error, blame, status) in [
            (Error::DoesNotHold(String::new()), Blame::Requirement, 1),
            (Error::NoRecords(String::new()), Blame::Data, 2),
            (Error::NoRandom(String::new()), Blame::Machine, 2),
            (Error::Defect(String::new()), Blame::Defect, 3),
            (Error::Engine(cutline_engine::EngineError::Cluster(String::new())), Blame::Defect, 3),
            (Error::Unfinished(Stopped::TimeLimit), Blame::Requirement, 1),
            (Error::Unfinished(Stopped::Interrupted), Blame::Interrupted, 130),
            (interrupted(), Blame::Interrupted, 130),
        ] {
            assert_eq!((error.blame(), error.exit_status()), (blame, status), "{error:?}");
        }
    }
}
