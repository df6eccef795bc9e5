//! A text with its lines and segments.

use rustc_hash::FxHashSet;

use super::letters::{ends_hangul, is_alnum, is_hangul, skip_spaces};
use super::norm::norm_into;
use crate::text::bits::{Bytes, WIDTH as BLOCK, first_of};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Number,
    Bullet,
    Head,
    Text,
    Blank,
}

impl LineKind {
    pub(crate) fn is_item(self) -> bool {
        matches!(self, LineKind::Number | LineKind::Bullet)
    }
}

/// A line; `content` is where the text behind its marker starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) end: usize,
    pub(crate) kind: LineKind,
    pub(crate) indent: usize,
    pub(crate) content: usize,
}

/// A sentence or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
    /// Whether a header above it, or the sentence before its example, advises against what it names.
    pub(crate) inherits_avoid: bool,
}

/// A text in normal form. Offsets are bytes; what is written out counts scalar values.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) segments: Vec<Segment>,
    /// How many scalar values start before each block of bytes and before the end; empty if all are ASCII.
    chars: Vec<u32>,
}

/// How many scalar values start in the first bytes of a block, which starts here.
fn starts(text: &[u8], block: usize, bytes: usize) -> usize {
    (Bytes::at(text, block).starts() & ((1 << bytes) - 1)).count_ones() as usize
}

impl Document {
    /// Reads another text.
    pub(crate) fn read(&mut self, text: &str, abbreviations: &FxHashSet<String>) {
        norm_into(text, &mut self.text);
        self.lines.clear();
        self.segments.clear();
        self.chars.clear();
        if !self.text.is_ascii() {
            let (text, mut count) = (self.text.as_bytes(), 0);
            self.chars.extend((0..=text.len()).step_by(BLOCK).map(|block| {
                let before = count;
                count += Bytes::at(text, block).starts().count_ones();
                before
            }));
        }
        let mut start = 0;
        loop {
            let bytes = self.text.as_bytes();
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |length| start + length);
            let line = read_line(bytes, start, end);
            self.lines.push(line);
            self.split(line.content, end, abbreviations);
            if end == self.text.len() {
                break;
            }
            start = end + 1;
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The place of a byte among the scalar values.
    pub(crate) fn char_at(&self, byte: usize) -> usize {
        if self.chars.is_empty() {
            return byte;
        }
        let block = byte / BLOCK;
        self.chars[block] as usize + starts(self.text.as_bytes(), block * BLOCK, byte % BLOCK)
    }

    /// How many scalar values a span holds.
    pub(crate) fn width(&self, start: usize, end: usize) -> usize {
        self.char_at(end) - self.char_at(start)
    }

    /// The segment that holds a place.
    pub(crate) fn segment_at(&self, at: usize) -> Option<usize> {
        let next = self.segments.partition_point(|segment| segment.start <= at);
        next.checked_sub(1).filter(|&found| at < self.segments[found].end)
    }

    /// Cuts the content of a line into segments.
    fn split(&mut self, from: usize, end: usize, abbreviations: &FxHashSet<String>) {
        let line = self.lines.len() - 1;
        let (mut start, mut at) = (from, from);
        while at < end {
            let text = self.text.as_bytes();
            at = first_of(text, at, end, |bytes| bytes.one_of([b';', b'.', b'!', b'?']));
            if at == end {
                break;
            }
            let cut = match text[at] {
                b';' => Some(at + 1),
                mark => {
                    let run = |mut to: usize, set: &[u8]| {
                        while to < end && set.contains(&text[to]) {
                            to += 1;
                        }
                        to
                    };
                    let marks = run(at + 1, b".!?");
                    let behind = run(marks, b"\"')]");
                    if behind >= end || text[behind] == b' ' {
                        let mut word = at;
                        while word > start && (is_alnum(text[word - 1]) || text[word - 1] == b'.') {
                            word -= 1;
                        }
                        let short = mark == b'.' && abbreviations.contains(&self.text[word..at]);
                        (!short).then_some(behind)
                    } else if behind == at + 1 && at > from && ends_hangul(text, at) && is_hangul(text, behind) {
                        Some(behind)
                    } else {
                        at = behind - 1;
                        None
                    }
                }
            };
            match cut {
                Some(cut) => {
                    self.add_segment(start, cut, line);
                    (start, at) = (cut, cut);
                }
                None => at += 1,
            }
        }
        self.add_segment(start, end, line);
    }

    fn add_segment(&mut self, start: usize, mut end: usize, line: usize) {
        let text = self.text.as_bytes();
        let start = skip_spaces(text, start, end);
        while end > start && text[end - 1] == b' ' {
            end -= 1;
        }
        if end > start {
            self.segments.push(Segment { start, end, line, inherits_avoid: false });
        }
    }
}

/// Reads the marker of a line.
fn read_line(text: &[u8], start: usize, end: usize) -> Line {
    let first = skip_spaces(text, start, end);
    let indent = first - start;
    let plain = |kind| Line { end, kind, indent, content: first };
    if first == end {
        return Line { end, kind: LineKind::Blank, indent, content: end };
    }
    let mut at = first;
    while at < end && matches!(text[at], b' ' | b'#' | b'>') {
        at += 1;
    }
    let marker = bullet(text, at, end).map(|to| (LineKind::Bullet, to));
    let marker = marker.or_else(|| number(text, at, end).map(|to| (LineKind::Number, to)));
    if let Some((kind, to)) = marker {
        let content = skip_spaces(text, to, end);
        if content < end {
            return Line { end, kind, indent, content };
        }
    }
    plain(if text[first] == b'#' { LineKind::Head } else { LineKind::Text })
}

/// The end of a bullet with something behind it.
fn bullet(text: &[u8], at: usize, end: usize) -> Option<usize> {
    const BULLETS: [&[u8]; 7] =
        [b"-", b"*", "•".as_bytes(), "·".as_bytes(), "▪".as_bytes(), "◦".as_bytes(), "‣".as_bytes()];
    let bullet = BULLETS.iter().find(|bullet| text[at..end].starts_with(bullet))?;
    let to = at + bullet.len();
    let next = *text.get(to).filter(|_| to < end)?;
    (!(next.is_ascii_digit() || next == b'-' || next == b'*')).then_some(to)
}

/// The end of `1.`, `1)` or `(1)`.
fn number(text: &[u8], at: usize, end: usize) -> Option<usize> {
    let line = &text[at..end];
    let digits = |from: usize| line.iter().skip(from).take(3).take_while(|b| b.is_ascii_digit()).count();
    if line.first() == Some(&b'(') {
        let count = digits(1);
        return ((1..=2).contains(&count) && line.get(1 + count) == Some(&b')')).then_some(at + count + 2);
    }
    let count = digits(0);
    let closed = matches!(line.get(count), Some(b'.' | b')')) && !line.get(count + 1).is_some_and(u8::is_ascii_digit);
    ((1..=2).contains(&count) && closed).then_some(at + count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        let mut document = Document::default();
        document.read(text, &["e.g".to_string(), "dr".to_string()].into_iter().collect());
        document
    }

    #[test]
    fn lines_have_kinds_and_contents() {
        let document = read("# 제목\n- a\n  2) b\n(3) c\n-5도\n\n끝\n> * x");
        let kinds: Vec<LineKind> = document.lines.iter().map(|line| line.kind).collect();
        use LineKind::*;
        assert_eq!(kinds, [Head, Bullet, Number, Number, Text, Blank, Text, Bullet]);
        assert_eq!(document.lines[2].indent, 2);
        assert_eq!(&document.text[document.lines[7].content..document.lines[7].end], "x");
    }

    #[test]
    fn segments_end_at_marks() {
        let parts = |text: &str| {
            let document = read(text);
            document.segments.iter().map(|s| document.text[s.start..s.end].to_string()).collect::<Vec<_>>()
        };
        assert_eq!(parts("a; b. c!? (d.) 1.5 e.g. f"), ["a;", "b.", "c!?", "(d.)", "1.5 e.g. f"]);
        assert_eq!(parts("하세요.그리고 가.b"), ["하세요.", "그리고 가.b"]);
    }

    #[test]
    fn offsets_count_scalar_values() {
        let document = read("혈압 é 1");
        assert_eq!(document.char_at(document.text.find('1').expect("1")), 5);
        assert_eq!(document.segment_at(0), Some(0));
        // Texts that end inside, at and behind the end of a block.
        for length in 20..70 {
            let document = read(&"a혈 ".repeat(length));
            for (number, (byte, _)) in document.text.char_indices().enumerate() {
                assert_eq!(document.char_at(byte), number);
            }
            assert_eq!(document.char_at(document.text.len()), document.text.chars().count());
        }
    }
}
