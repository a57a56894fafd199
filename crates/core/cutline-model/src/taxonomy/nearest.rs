//! Did you mean … ?

use super::Taxonomy;

impl Taxonomy {
    /// The leaf that looks most like a value.
    ///
    /// Similarity is Jaro-Winkler without regard to case: it finds typing errors and, unlike an edit distance, also
    /// abbreviations (`F` for `Female`), the other common reason why a table and a taxonomy disagree. Of equally similar
    /// leaves, the first in preorder is taken.
    pub fn nearest_leaf(&self, value: &str) -> Option<&str> {
        let value = value.trim().to_lowercase();
        let mut nearest = None;
        let mut best = -1.0;
        for leaf in self.leaves() {
            let label = self.label(leaf);
            let similarity = strsim::jaro_winkler(&value, &label.to_lowercase());
            if similarity > best {
                (nearest, best) = (Some(label), similarity);
            }
        }
        nearest
    }
}
