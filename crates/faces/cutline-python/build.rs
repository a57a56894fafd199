//! On macOS a library with open ends must be told that Python closes them.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
