//! A small table with everything that a tree needs, for tests inside and outside of the crate.

/// The golf table of Quinlan's book (chapter 2): outlook, temperature, humidity, windy, class.
pub(crate) const GOLF: [[&str; 5]; 14] = [
    ["sunny", "75", "70", "true", "play"],
    ["sunny", "80", "90", "true", "don't"],
    ["sunny", "85", "85", "false", "don't"],
    ["sunny", "72", "95", "false", "don't"],
    ["sunny", "69", "70", "false", "play"],
    ["overcast", "72", "90", "true", "play"],
    ["overcast", "83", "78", "false", "play"],
    ["overcast", "64", "65", "true", "play"],
    ["overcast", "81", "75", "false", "play"],
    ["rain", "71", "80", "true", "don't"],
    ["rain", "65", "70", "true", "don't"],
    ["rain", "75", "80", "false", "play"],
    ["rain", "68", "80", "false", "play"],
    ["rain", "70", "96", "false", "play"],
];
