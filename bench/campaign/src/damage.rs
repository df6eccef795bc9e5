//! Logs made from a number: sound ones at first, then damaged in a few places.

/// A generator of which a number tells everything (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The generator that a number makes.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below n > 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// One of some things.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// What is dropped into an input: whatever means something to a reader, or to a decoder of text.
const PIECES: [&[u8]; 32] = [
    b"\"",
    b"\"\"",
    b",",
    b"\n",
    b"\r",
    b"\r\n",
    b"\\",
    b"\\u",
    b"\\ud83d",
    b"\\udc00",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"-0",
    b"1e999",
    b"18446744073709551617",
    b"NaN",
    b"null",
    b"\xff",
    b"\xc3",
    b"\xe2\x80",
    b"\xef\xbb\xbf",
    b"\0",
    b"\t",
    b" ",
    b"PAR1",
    b"\x1b[31m",
    b"\xf0\x9f\x98\x80",
    b"0.1",
    b"\"a\":",
];

/// Cuts, doubles, changes and adds a few pieces.
pub fn damage(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.below(6) {
        let at = random.below(bytes.len() + 1);
        let until = (at + 1 + random.below(12)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.splice(at..at, random.pick(&PIECES).iter().copied())),
            1 if at < until => drop(bytes.drain(at..until)),
            2 if at < until => {
                let again = bytes[at..until].to_vec();
                drop(bytes.splice(at..at, again));
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
    bytes
}

const TEXTS: [&str; 12] =
    ["", "a", "relocate", "say \"no\"", "two\nlines", "one, two", "메뉴", "é", "😀", " blank ", "tab\there", "\\"];
const NUMBERS: [&str; 8] = ["0", "1", "-1", "2.5", "1e3", "-0", "12345678901234567890123", "true"];

/// A table with the columns a, b, c.
pub fn csv(random: &mut Random) -> Vec<u8> {
    let mut out = b"a,b,c\n".to_vec();
    for _ in 0..random.below(12) {
        for column in 0..3 {
            let text = random.pick(&TEXTS);
            match random.below(3) {
                0 => out.extend(format!("\"{}\"", text.replace('"', "\"\"")).bytes()),
                _ => out.extend(text.replace(['"', ',', '\n'], "x").bytes()),
            }
            out.extend(if column < 2 { b",".as_slice() } else { random.pick::<[u8]>(&[b"\n", b"\r\n", b"\r"]) });
        }
    }
    out
}

/// A JSON value.
pub fn value(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
    let text =
        |text: &str| format!("\"{}\"", text.escape_default().to_string().replace("\\u{", "\\u00").replace('}', ""));
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => out.extend(random.pick(&NUMBERS).bytes()),
        1 | 2 => out.extend(text(random.pick(&TEXTS)).bytes()),
        3 => out.extend(b"null"),
        4 => {
            out.push(b'[');
            for i in 0..random.below(4) {
                if i > 0 {
                    out.push(b',');
                }
                value(random, depth - 1, out);
            }
            out.push(b']');
        }
        _ => object(random, depth - 1, out),
    }
}

/// A JSON object.
pub fn object(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
    out.push(b'{');
    for i in 0..random.below(5) {
        if i > 0 {
            out.push(b',');
        }
        out.extend(format!("\"{}\":", random.pick(&["a", "b", "c", "role", "text"])).bytes());
        value(random, depth, out);
    }
    out.push(b'}');
}

/// Lines of JSON objects.
pub fn jsonl(random: &mut Random) -> Vec<u8> {
    let mut out = vec![];
    for _ in 0..random.below(8) {
        object(random, 3, &mut out);
        out.push(b'\n');
    }
    out
}
