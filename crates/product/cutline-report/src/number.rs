//! Numbers as pages write them.

/// A whole number with its thousands apart: `32,561`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 group`, `36 groups`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count(number))
}

/// A share as a percentage. What is not quite nothing or not quite all is never written as such.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        _ if percent > 0.0 && percent < 0.001 => "below 0.001 %".to_owned(),
        _ if percent > 0.0 && percent < 0.1 => format!("{} %", trimmed(format!("{percent:.3}"))),
        _ if percent > 99.9 && percent < 100.0 => "above 99.9 %".to_owned(),
        _ => format!("{} %", trimmed(format!("{percent:.1}"))),
    }
}

/// A part of a whole; nothing of nothing is nothing.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A number with four digits that matter; very small and very large ones with an exponent.
pub(crate) fn figure(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e9).contains(&size) {
        let text = format!("{number:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", trimmed(digits.to_owned()));
    }
    let before = size.log10().floor() as i32 + 1;
    let decimals = usize::try_from(4 - before).unwrap_or(0);
    let text = format!("{number:.decimals$}");
    if text.contains('.') { trimmed(text) } else { thousands(&text) }
}

/// A whole number that is written already, with its thousands apart.
fn thousands(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    digits.parse().map_or_else(|_| text.to_owned(), |number| format!("{sign}{}", count(number)))
}

/// Without zeros at the end of the fraction.
fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 2].map(|number| counted(number, "group")), ["1 group", "2 groups"]);
        assert_eq!(
            [0.0, 0.000_001, 0.000_92, 0.125, 0.9999, 1.0].map(percent),
            ["0 %", "below 0.001 %", "0.092 %", "12.5 %", "above 99.9 %", "100 %"]
        );
        assert_eq!(
            [0.0, 0.089376, 21878.0, -1234.4, 4.085e-6, 5e-5, 1.0, 66.25].map(figure),
            ["0", "0.08938", "21,878", "-1,234", "4.085e-6", "5e-5", "1", "66.25"]
        );
    }
}
