//! Instants in the form of RFC 3339.

use serde::{Deserialize, Serialize};

/// An instant: whole seconds, then the digits of the fraction without trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Instant {
    seconds: i64,
    fraction: String,
}

impl Instant {
    /// Reads `YYYY-MM-DD hh:mm:ss[.f][Z|±hh:mm]`, `T` or a space between; without an offset it is UTC.
    pub(crate) fn read(text: &str) -> Option<Instant> {
        let bytes = text.as_bytes();
        let number = |from: usize, width: usize| -> Option<i64> {
            let digits = bytes.get(from..from + width)?;
            digits.iter().all(u8::is_ascii_digit).then(|| digits.iter().fold(0, |x, d| 10 * x + i64::from(d - b'0')))
        };
        let marks = [(4, b"-".as_slice()), (7, b"-"), (10, b"Tt "), (13, b":"), (16, b":")];
        if !marks.iter().all(|(at, set)| bytes.get(*at).is_some_and(|byte| set.contains(byte))) {
            return None;
        }
        let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
        let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
        let mut rest = &text[19..];
        let mut fraction = "";
        if let Some(behind) = rest.strip_prefix('.') {
            let width = behind.bytes().take_while(u8::is_ascii_digit).count();
            if width == 0 {
                return None;
            }
            (fraction, rest) = behind.split_at(width);
        }
        let offset = match rest.as_bytes() {
            [] | [b'Z' | b'z'] => 0,
            [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
                let at = text.len() - 6;
                let minutes = number(at + 1, 2)? * 60 + number(at + 4, 2)?;
                if *sign == b'-' { -minutes } else { minutes }
            }
            _ => return None,
        };
        let days = days(year, month, day);
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60;
        Some(Instant { seconds, fraction: fraction.trim_end_matches('0').to_string() })
    }
}

/// Days of the Gregorian calendar up to a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let before = usize::try_from(month - 1).ok().and_then(|month| BEFORE.get(month)).copied().unwrap_or(365);
    365 * year + year / 4 - year / 100 + year / 400 + before + day - i64::from(leap && month <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_compare_by_time() {
        let read = |text: &str| Instant::read(text).expect("an instant");
        assert_eq!(read("2024-01-01T00:00:05Z"), read("2024-01-01 09:00:05+09:00"));
        assert!(read("2024-01-01T00:00:06.5Z") > read("2024-01-01T00:00:06.25Z"));
        assert!(read("2024-03-01T00:00:00Z") > read("2024-02-29T23:59:59.999Z"));
        assert!(read("2023-12-31T23:59:59") < read("2024-01-01T00:00:00z"));
        for text in ["", "2024-01-01", "2024-01-01T00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+9", "가"] {
            assert_eq!(Instant::read(text), None, "{text}");
        }
    }
}
