//! Every setting of a spec.

use cutline_search::genetic;
use cutline_settings::{Setting, SettingError, Value};

use super::{Spec, attributes, clustering, input, output, purpose, requirement, search, suppress};
use crate::settings::{Definition, Section, all, find};

/// The definitions of all parts of a spec, in the order in which they are shown and set.
pub(crate) fn definitions() -> Vec<Definition> {
    let mut all = Vec::new();
    add(&mut all, Section::Requirement, "", requirement::SETTINGS, |spec| spec);
    add(&mut all, Section::Requirement, "suppress", suppress::SETTINGS, |spec| &mut spec.suppress);
    add(&mut all, Section::Purpose, "purpose", purpose::SETTINGS, |spec| &mut spec.purpose);
    add(&mut all, Section::Clusters, "purpose", clustering::CLUSTERS, |spec| &mut spec.purpose);
    add(&mut all, Section::Clusters, "purpose.clustering", clustering::SETTINGS, |spec| &mut spec.purpose.clustering);
    add(&mut all, Section::Attributes, "attributes", attributes::SETTINGS, |spec| &mut spec.attributes);
    add(&mut all, Section::Attributes, "input", input::VALUES, |spec| &mut spec.input);
    add(&mut all, Section::Input, "input", input::SETTINGS, |spec| &mut spec.input);
    add(&mut all, Section::Search, "search", search::SETTINGS, |spec| &mut spec.search);
    add(&mut all, Section::Genetic, "search.genetic", genetic::SETTINGS, |spec| &mut spec.search.genetic);
    add(&mut all, Section::Output, "output", output::SETTINGS, |spec| &mut spec.output);
    all
}

/// The settings of a part as settings of the whole.
fn add<P: 'static>(
    all: &mut Vec<Definition>,
    section: Section,
    table: &str,
    settings: &'static [Setting<P>],
    part: fn(&mut Spec) -> &mut P,
) {
    all.extend(settings.iter().map(|setting| Definition::new(section, table, setting, part)));
}

impl Spec {
    /// Sets one thing: what is set takes the place of what was said before. On an error nothing is set.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
        self.set_all([(name, value)])
    }

    /// Sets several things at once, in any order: what is set takes the place of what was said before. On an error nothing is set.
    pub fn set_all<'a>(&mut self, said: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Result<(), SettingError> {
        let place = |(name, value): (&str, &'a Value)| Ok((find(name)?, value));
        let mut said = said.into_iter().map(place).collect::<Result<Vec<_>, SettingError>>()?;
        said.sort_by_key(|(place, _)| *place);
        let mut spec = self.clone();
        said.iter().for_each(|&(place, _)| all()[place].clear(&mut spec));
        said.iter().try_for_each(|&(place, value)| all()[place].set(&mut spec, value))?;
        *self = spec;
        Ok(())
    }
}
