//! Keys as text: 32 hexadecimal digits, after lines that start with `#`.

/// The key in a text, if there is one and nothing else.
pub(crate) fn from_text(text: &str) -> Option<[u8; 16]> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().filter(|_| lines.next().is_none()).and_then(from_digits)
}

/// The digits of a key.
pub(crate) fn to_digits(key: &[u8; 16]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_digits(text: &str) -> Option<[u8; 16]> {
    let digits = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u128::from_str_radix(text, 16).ok().filter(|_| digits)?;
    Some(number.to_be_bytes())
}
