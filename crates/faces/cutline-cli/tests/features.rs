//! Are the tests of all engines among those that run? Without its feature, an engine's tests are not even built.

const ENGINES: [(&str, bool); 3] =
    [("adbc", cfg!(feature = "adbc")), ("postgres", cfg!(feature = "postgres")), ("spark", cfg!(feature = "spark"))];

#[test]
fn tests_of_all_engines_are_built_where_nothing_may_be_skipped() {
    for (engine, _) in ENGINES.iter().filter(|(_, built)| !built) {
        eprintln!("SKIPPED: tests of {engine}, which this build is without; scripts/test builds everything");
        assert!(std::env::var_os("CI").is_none(), "nothing may be skipped here");
    }
}
