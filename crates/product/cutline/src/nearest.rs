//! What was probably meant.

/// The name that looks most like a misspelled one, if any does.
pub(crate) fn nearest(name: &str, names: &[String]) -> Option<String> {
    let distance = |other: &String| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let nearest = names.iter().min_by_key(|other| distance(other))?;
    (distance(nearest) <= name.chars().count().div_ceil(2)).then(|| nearest.clone())
}

/// Is one of the names spelled nearly so? A value of a record hardly is.
pub(crate) fn is_misspelled(name: &str, names: &[String]) -> bool {
    let most = (name.chars().count() / 3).max(1);
    names.iter().any(|other| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase()) <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_proposed() {
        let names = ["age".to_owned(), "hours-per-week".to_owned()];
        assert_eq!(nearest("Aeg", &names).as_deref(), Some("age"));
        assert_eq!(nearest("hours_per_week", &names).as_deref(), Some("hours-per-week"));
        assert_eq!(nearest("zip", &names), None);
        assert!(is_misspelled("Aeg", &names) && is_misspelled("hours_per_week", &names));
        assert!(!is_misspelled("ann", &names) && !is_misspelled("hours", &names));
    }
}
