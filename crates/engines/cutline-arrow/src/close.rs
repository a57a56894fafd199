//! Whole numbers that lie close together.

/// A code for each number of a short stretch, or for some of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Close {
    least: u64,
    codes: Vec<u32>,
}

/// No number has this code.
const NONE: u32 = u32::MAX;

/// A longer stretch takes longer to copy, and to look at, than a table.
const LONGEST: u64 = 1 << 17;

impl Close {
    /// None of the numbers, if they do not lie close together. They are 64 bits wide, with a sign or without.
    pub(crate) fn new(numbers: &[(u64, u32)]) -> Self {
        let signed = || numbers.iter().map(|&(number, _)| number as i64);
        let (Some(least), Some(most)) = (signed().min(), signed().max()) else { return Close::default() };
        let beyond = most.abs_diff(least);
        if beyond >= LONGEST {
            return Close::default();
        }
        let mut close = Close { least: least as u64, codes: vec![NONE; beyond as usize + 1] };
        for &(number, code) in numbers {
            close.codes[number.wrapping_sub(close.least) as usize] = code;
        }
        close
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    #[inline]
    pub(crate) fn code(&self, number: u64) -> Option<u32> {
        let code = *self.codes.get(usize::try_from(number.wrapping_sub(self.least)).ok()?)?;
        (code != NONE).then_some(code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_that_are_close_have_their_codes_and_no_others_do(
            numbers in prop::collection::btree_map(-40..40_i64, any::<u16>(), 1..30),
            shift in any::<i64>(),
            far in any::<bool>(),
        ) {
            let told = |number: i64| number.wrapping_add(shift) as u64;
            let mut all: Vec<(u64, u32)> = numbers.iter().map(|(&number, &code)| (told(number), code.into())).collect();
            if far {
                all.push((told(1 << 40), 7));
            }
            let close = Close::new(&all);
            let signed: Vec<i64> = all.iter().map(|&(number, _)| number as i64).collect();
            let stretch = i128::from(*signed.iter().max().unwrap()) - i128::from(*signed.iter().min().unwrap());
            prop_assert_eq!(close.is_empty(), stretch >= LONGEST.into());
            for number in -50..50_i64 {
                let expected = numbers.get(&number).map(|&code| code.into()).filter(|_| !close.is_empty());
                prop_assert_eq!(close.code(told(number)), expected);
            }
        }
    }
}
