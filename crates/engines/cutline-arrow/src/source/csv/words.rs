//! Sixty-four bytes at a time: which of them are a given character, and which stand in quotes?
//!
//! Masks are made with word arithmetic. The workspace forbids unsafe code, so there are no vector intrinsics, and a loop
//! over bytes that the compiler vectorizes takes twice as long.

/// Calls `each` with every 64 bytes, the last ones padded with zeros, until it returns false; whether it never did.
#[inline(always)]
pub(super) fn for_each_word(bytes: &[u8], mut each: impl FnMut(usize, &[u8; 64]) -> bool) -> bool {
    let (words, rest) = bytes.as_chunks::<64>();
    let mut base = 0;
    for word in words {
        if !each(base, word) {
            return false;
        }
        base += 64;
    }
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    each(base, &last)
}

/// A bit for each byte that equals `byte`.
#[inline(always)]
pub(super) fn equal_bytes(word: &[u8; 64], byte: u8) -> u64 {
    mask(word, |eight| equal(eight, byte))
}

/// A bit for each byte that equals one of two: what costs most is done once for both.
#[inline(always)]
pub(super) fn either_bytes(word: &[u8; 64], one: u8, other: u8) -> u64 {
    mask(word, |eight| equal(eight, one) | equal(eight, other))
}

/// The top bit of each of eight bytes: set if it equals `byte`. There is no carry between bytes.
#[inline(always)]
fn equal(eight: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let different = eight ^ u64::from_le_bytes([byte; 8]);
    !(((different & LOW) + LOW) | different | LOW)
}

/// The top bits that `marked` sets, of all bytes.
#[inline(always)]
fn mask(word: &[u8; 64], marked: impl Fn(u64) -> u64) -> u64 {
    let mut mask = 0;
    for (i, eight) in word.as_chunks::<8>().0.iter().enumerate() {
        // Gathers the top bits of the eight bytes in the top byte.
        mask |= ((marked(u64::from_le_bytes(*eight)) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

/// Which bytes stand in quotes, word after word, as long as quotes stand only around fields and, doubled, inside them.
///
/// A byte is inside quotes if the number of quotes before it is odd: a doubled quote leaves and enters again with nothing
/// in between. That holds as long as each quote that enters is the first byte of a field or the second of a doubled one,
/// which is what is checked.
pub(super) struct Quoted {
    /// All ones if the word before ended inside quotes.
    inside: u64,
    /// One if a quote may enter at the first byte of the next word.
    may_enter: u64,
}

impl Quoted {
    /// At the start of a record.
    pub(super) fn new() -> Self {
        Self { inside: 0, may_enter: 1 }
    }

    /// A bit for each byte inside quotes, from the opening quote to just before the closing one; `None` if a quote stands
    /// where none should. `ends` are the delimiters and line feeds.
    #[inline(always)]
    pub(super) fn next(&mut self, ends: u64, quotes: u64) -> Option<u64> {
        let inside = prefix_xor(quotes) ^ self.inside;
        let may_enter = ends | quotes;
        let astray = quotes & inside & !(may_enter << 1 | self.may_enter);
        self.inside = ((inside as i64) >> 63) as u64;
        self.may_enter = may_enter >> 63;
        (astray == 0).then_some(inside)
    }
}

/// Bit i is the parity of the bits 0 to i.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_mask_has_a_bit_for_each_equal_byte(word in prop::array::uniform32(any::<u8>()), byte in any::<u8>()) {
            let mut bytes = [byte; 64];
            bytes[16..48].copy_from_slice(&word);
            let mask = equal_bytes(&bytes, byte);
            for (i, &other) in bytes.iter().enumerate() {
                prop_assert_eq!(mask >> i & 1 == 1, other == byte);
            }
            prop_assert_eq!(either_bytes(&bytes, byte, word[0]), mask | equal_bytes(&bytes, word[0]));
        }

        #[test]
        fn a_prefix_has_the_parity_of_its_bits(bits in any::<u64>()) {
            for i in 0..64 {
                let parity = (bits & (u64::MAX >> (63 - i))).count_ones() % 2;
                prop_assert_eq!(prefix_xor(bits) >> i & 1, u64::from(parity));
            }
        }
    }
}
