//! Where does one of two bytes stand?

const WORD: usize = 64;

/// The places of two bytes in a text, ascending. They are found for 64 bytes at a time: in a table they stand every few bytes.
pub(super) struct Places<'t> {
    text: &'t [u8],
    wanted: [u8; 2],
    /// Where the 64 bytes start that are looked at.
    start: usize,
    /// A bit for each place among them that was not told yet.
    left: u64,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t [u8], wanted: [u8; 2]) -> Self {
        let mut places = Places { text, wanted, start: 0, left: 0 };
        places.left = places.found();
        places
    }

    /// A bit for each place among the bytes that are looked at.
    #[inline]
    fn found(&self) -> u64 {
        let rest = &self.text[self.start.min(self.text.len())..];
        match rest.first_chunk::<WORD>() {
            Some(word) => either(word, self.wanted),
            None => {
                let mut word = [0; WORD];
                word[..rest.len()].copy_from_slice(rest);
                // What fills the word up is no part of the text.
                either(&word, self.wanted) & !(u64::MAX << rest.len())
            }
        }
    }
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.start += WORD;
            if self.start >= self.text.len() {
                return None;
            }
            self.left = self.found();
        }
        let place = self.start + self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(place)
    }
}

/// A bit for each byte that is one of two. Eight bytes are a number: what is wanted is zero in its difference to eight times the same.
#[inline]
fn either(word: &[u8; WORD], wanted: [u8; 2]) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    const ALL_BUT_TOP: u64 = ONES * 0x7f;
    // The byte 0x80 where a byte is zero, and no byte touches its neighbour.
    let zeros = |number: u64| !(((number & ALL_BUT_TOP) + ALL_BUT_TOP) | number | ALL_BUT_TOP);
    (0..).zip(word.as_chunks::<8>().0).fold(0, |bits, (part, bytes)| {
        let number = u64::from_le_bytes(*bytes);
        let [one, other] = wanted.map(|byte| zeros(number ^ (ONES * u64::from(byte))));
        // Eight bits in eight bytes become the eight bits of the first byte.
        let gathered = (one | other) >> 7;
        bits | (gathered.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * part)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_that_a_look_at_each_byte_finds(
            text in prop::collection::vec(prop::sample::select(vec![0, b',', b'\n', b'a', 0xff]), 0..300),
            wanted in prop::array::uniform2(prop::sample::select(vec![0, b',', b'\n', 0xff])),
        ) {
            let each = (0..text.len()).filter(|&place| wanted.contains(&text[place]));
            prop_assert_eq!(Places::new(&text, wanted).collect::<Vec<_>>(), each.collect::<Vec<_>>());
        }
    }
}
