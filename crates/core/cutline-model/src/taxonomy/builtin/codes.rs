//! What stands above a code, by how it is written.

/// The blocks of ICD-10, those within others among them.
const ICD_10_BLOCKS: &str = "\
    A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 A92-A99 B00-B09 B15-B19 B20-B24 B25-B34 B35-B49 \
    B50-B64 B65-B83 B85-B89 B90-B94 B95-B98 B99-B99 C00-C14 C00-C75 C00-C97 C15-C26 C30-C39 C40-C41 C43-C44 C45-C49 C50-C50 \
    C51-C58 C60-C63 C64-C68 C69-C72 C73-C75 C76-C80 C81-C96 C97-C97 D00-D09 D10-D36 D37-D48 D50-D53 D55-D59 D60-D64 D65-D69 \
    D70-D77 D80-D89 E00-E07 E10-E14 E15-E16 E20-E35 E40-E46 E50-E64 E65-E68 E70-E90 F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 \
    F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99-F99 G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G64 G70-G73 \
    G80-G83 G90-G99 H00-H06 H10-H13 H15-H22 H25-H28 H30-H36 H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59 H60-H62 H65-H75 \
    H80-H83 H90-H95 I00-I02 I05-I09 I10-I15 I20-I25 I26-I28 I30-I52 I60-I69 I70-I79 I80-I89 I95-I99 J00-J06 J09-J18 J20-J22 \
    J30-J39 J40-J47 J60-J70 J80-J84 J85-J86 J90-J94 J95-J99 K00-K14 K20-K31 K35-K38 K40-K46 K50-K52 K55-K64 K65-K67 K70-K77 \
    K80-K87 K90-K93 L00-L08 L10-L14 L20-L30 L40-L45 L50-L54 L55-L59 L60-L75 L80-L99 M00-M03 M00-M25 M05-M14 M15-M19 M20-M25 \
    M30-M36 M40-M43 M40-M54 M45-M49 M50-M54 M60-M63 M60-M79 M65-M68 M70-M79 M80-M85 M80-M94 M86-M90 M91-M94 M95-M99 N00-N08 \
    N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N51 N60-N64 N70-N77 N80-N98 N99-N99 O00-O08 O10-O16 O20-O29 O30-O48 O60-O75 \
    O80-O84 O85-O92 O94-O99 P00-P04 P05-P08 P10-P15 P20-P29 P35-P39 P50-P61 P70-P74 P75-P78 P80-P83 P90-P96 Q00-Q07 Q10-Q18 \
    Q20-Q28 Q30-Q34 Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 Q90-Q99 R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 \
    R47-R49 R50-R69 R70-R79 R80-R82 R83-R89 R90-R94 R95-R99 S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 \
    S80-S89 S90-S99 T00-T07 T08-T14 T15-T19 T20-T25 T20-T32 T26-T28 T29-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79-T79 T80-T88 \
    T90-T98 U00-U49 U82-U85 V01-V09 V01-V99 V01-X59 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V79 V80-V89 V90-V94 \
    V95-V97 V98-V99 W00-W19 W00-X59 W20-W49 W50-W64 W65-W74 W75-W84 W85-W99 X00-X09 X10-X19 X20-X29 X30-X39 X40-X49 X50-X57 \
    X58-X59 X60-X84 X85-Y09 Y10-Y34 Y35-Y36 Y40-Y59 Y40-Y84 Y60-Y69 Y70-Y82 Y83-Y84 Y85-Y89 Y90-Y98 Z00-Z13 Z20-Z29 Z30-Z39 \
    Z40-Z54 Z55-Z65 Z70-Z76 Z80-Z99";

/// The chapters of ICD-10, and the category from which on codes belong to each. National versions have some beyond the ranges of WHO.
const ICD_10_CHAPTERS: [(&str, &str); 22] = [
    ("A00", "A00-B99"),
    ("C00", "C00-D48"),
    ("D50", "D50-D89"),
    ("E00", "E00-E90"),
    ("F00", "F00-F99"),
    ("G00", "G00-G99"),
    ("H00", "H00-H59"),
    ("H60", "H60-H95"),
    ("I00", "I00-I99"),
    ("J00", "J00-J99"),
    ("K00", "K00-K93"),
    ("L00", "L00-L99"),
    ("M00", "M00-M99"),
    ("N00", "N00-N99"),
    ("O00", "O00-O99"),
    ("P00", "P00-P96"),
    ("Q00", "Q00-Q99"),
    ("R00", "R00-R99"),
    ("S00", "S00-T98"),
    ("U00", "U00-U99"),
    ("V00", "V01-Y98"),
    ("Z00", "Z00-Z99"),
];

/// The sub-major groups of ISCO-08.
const ISCO_08: &str = "01 02 03 11 12 13 14 21 22 23 24 25 26 31 32 33 34 35 41 42 43 44 51 52 53 54 61 62 63 71 72 73 74 75 81 82 83 91 92 93 \
    94 95 96";

/// The sections of NACE Rev. 2 with their first and last divisions.
const NACE_2: [(&str, &str, &str); 21] = [
    ("A", "01", "03"),
    ("B", "05", "09"),
    ("C", "10", "33"),
    ("D", "35", "35"),
    ("E", "36", "39"),
    ("F", "41", "43"),
    ("G", "45", "47"),
    ("H", "49", "53"),
    ("I", "55", "56"),
    ("J", "58", "63"),
    ("K", "64", "66"),
    ("L", "68", "68"),
    ("M", "69", "75"),
    ("N", "77", "82"),
    ("O", "84", "84"),
    ("P", "85", "85"),
    ("Q", "86", "88"),
    ("R", "90", "93"),
    ("S", "94", "96"),
    ("T", "97", "98"),
    ("U", "99", "99"),
];

/// The countries whose regions NUTS has, or had, or that follow it.
const NUTS: &str =
    "AL AT BE BG CH CY CZ DE DK EE EL ES FI FR HR HU IE IS IT LI LT LU LV ME MK MT NL NO PL PT RO RS SE SI SK TR UK";

/// `I21.4` is below `I21`, which is below all blocks that contain it, which are below their chapter. Points may be left out.
pub(super) fn icd_10(code: &str) -> Option<Vec<String>> {
    let category = code.get(..3)?;
    let rest = code[3..].strip_prefix('.').unwrap_or(&code[3..]);
    let written = category.as_bytes()[0].is_ascii_uppercase()
        && category.as_bytes()[1].is_ascii_digit()
        && category.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && rest.len() <= 4
        && (code.len() == 3 || !rest.is_empty());
    let chapter = ICD_10_CHAPTERS.iter().rev().find(|(first, _)| *first <= category).filter(|_| written)?;
    let mut above = vec![chapter.1.to_owned()];
    above.extend(blocks_of(category).map(str::to_owned));
    above.extend((code.len() > 3).then(|| category.to_owned()));
    Some(above)
}

/// The blocks that contain a category, those within others after them.
fn blocks_of(category: &str) -> impl Iterator<Item = &'static str> {
    let contains =
        |block: &&str| block.split_once('-').is_some_and(|(first, last)| first <= category && category <= last);
    let mut blocks: Vec<&str> = ICD_10_BLOCKS.split_whitespace().filter(contains).collect();
    // Of two that contain it, one is within the other: it begins later or ends earlier.
    blocks.sort_by_key(|block| (block[..3].to_owned(), std::cmp::Reverse(block[4..].to_owned())));
    // A block that is a whole chapter is the chapter.
    let chapters = |block: &&str| ICD_10_CHAPTERS.iter().all(|(_, chapter)| chapter != block);
    blocks.into_iter().filter(chapters).collect::<Vec<_>>().into_iter()
}

/// `2512` is below `251`, `25` and `2`.
pub(super) fn isco_08(code: &str) -> Option<Vec<String>> {
    let digits = (1..=4).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_digit());
    let known =
        code.len() == 1 || code.get(..2).is_some_and(|group| ISCO_08.split_whitespace().any(|known| known == group));
    (digits && known).then(|| prefixes(code, 1))
}

/// `10.11` is below `10.1`, `10` and section `C`; the section may stand before the code.
pub(super) fn nace_2(code: &str) -> Option<Vec<String>> {
    let digits = code.trim_start_matches(|first: char| first.is_ascii_uppercase());
    let letter = &code[..code.len() - digits.len()];
    if digits.is_empty() {
        return NACE_2.iter().any(|(section, ..)| *section == letter).then(Vec::new);
    }
    let written = match digits.split_once('.') {
        Some((division, class)) => division.len() == 2 && (1..=2).contains(&class.len()),
        None => (2..=4).contains(&digits.len()),
    };
    let numbers = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let division = digits.get(..2).filter(|_| written && numbers)?;
    let (section, ..) = NACE_2.iter().find(|(_, first, last)| *first <= division && division <= *last)?;
    if !letter.is_empty() && letter != *section {
        return None;
    }
    let shorter = prefixes(digits, 2).into_iter().filter(|prefix| !prefix.ends_with('.'));
    Some(std::iter::once((*section).to_owned()).chain(shorter.map(|prefix| format!("{letter}{prefix}"))).collect())
}

/// `DE111` is below `DE11`, `DE1` and `DE`.
pub(super) fn nuts(code: &str) -> Option<Vec<String>> {
    let written =
        (2..=5).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let country = code.get(..2).filter(|_| written)?;
    NUTS.split_whitespace().any(|known| known == country).then(|| prefixes(code, 2))
}

/// What a code begins with, from so many characters to all but one.
fn prefixes(code: &str, shortest: usize) -> Vec<String> {
    (shortest..code.len()).map(|length| code[..length].to_owned()).collect()
}

/// What is above a node of a tree, which may be a code or stand for several of them, as `I20-I25` does.
pub(super) fn above_node(above: fn(&str) -> Option<Vec<String>>, node: &str) -> Vec<String> {
    let first = node.split_once('-').map_or(node, |(first, _)| first);
    let mut labels = above(first).unwrap_or_default();
    if let Some(at) = labels.iter().position(|label| label == node) {
        labels.truncate(at);
    }
    labels
}
