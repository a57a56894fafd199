//! How to make the release again, and how to check it.

use super::super::{QidReport, Report};
use super::Section;
use super::text::escape;

pub(super) fn section(report: &Report) -> Section {
    let spec = toml::to_string(&report.arguments).unwrap_or_default();
    let body = format!(
        "<p>Cutline {} made this release. With this spec as <code>release.toml</code> it masks the same records in the same way \
         again (random tokens differ, and so may a search that the clock or a person ended):</p>\n<pre>cutline anonymize release.toml -o again</pre>\n<pre>{}</pre>\n\
         <p>The requirement can be checked without the raw table (put the name of the published one for \
         <code>TABLE</code>):</p>\n<pre>{}</pre>\n\
         <p>Beside this page: <code>recoding.json</code>, which <code>cutline apply</code> uses to mask other tables alike; \
         <code>trace.jsonl</code>, every step of the search; <code>report.json</code>, this page for programs.</p>\n",
        escape(report.version),
        escape(&spec),
        escape(&check(&report.qids))
    );
    Section { id: "reproduce", title: "How to reproduce it", body }
}

/// The command that counts the groups of a table.
fn check(qids: &[QidReport]) -> String {
    let qid = |qid: &QidReport| quoted(&format!("{}:{}", qid.attributes.join(","), qid.k));
    let arguments: Vec<String> = qids.iter().map(|one| format!(" \\\n  --qid {}", qid(one))).collect();
    format!("cutline verify TABLE{}", arguments.concat())
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.,:".contains(character);
    if argument.chars().all(plain) { argument.to_owned() } else { format!("'{}'", argument.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_can_be_pasted_into_a_shell() {
        let attributes = vec!["date of birth".to_owned(), "mother's name".to_owned()];
        let qid = QidReport {
            attributes,
            k: 5,
            anonymity: 7,
            groups: 1,
            sizes: vec![(7, 1)],
            risk: None,
            confidences: vec![],
        };
        assert_eq!(check(&[qid]), "cutline verify TABLE \\\n  --qid 'date of birth,mother'\\''s name:5'");
    }
}
