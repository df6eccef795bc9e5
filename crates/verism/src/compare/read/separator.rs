//! Tables whose fields are separated by semicolons or tabs.

use std::borrow::Cow;

/// Gives the text with commas between fields, whatever separates them in its first line: comma, semicolon or tab.
///
/// Lines stay where they are, so that places in messages hold.
pub(super) fn with_commas(text: &str) -> Cow<'_, str> {
    let header = text.trim_start_matches(['\u{feff}', '\n', '\r']).lines().next().unwrap_or_default();
    let count = |separator: char| outside_quotes(header).filter(|c| *c == separator).count();
    // Of equal counts the first stands; a comma needs no change.
    let separator = [(count(','), 2, ','), (count(';'), 1, ';'), (count('\t'), 0, '\t')].into_iter().max();
    match separator {
        Some((1.., _, separator)) if separator != ',' => Cow::Owned(translated(text, separator)),
        _ => Cow::Borrowed(text),
    }
}

fn outside_quotes(line: &str) -> impl Iterator<Item = char> {
    let mut quoted = false;
    line.chars().filter(move |c| {
        quoted ^= *c == '"';
        !quoted
    })
}

fn translated(text: &str, separator: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut field = String::new();
    let (mut quoted, mut has_quotes) = (false, false);
    let mut flush = |field: &mut String, has_quotes: &mut bool, end: Option<char>| {
        // A field that has no quotes of its own gets some where it holds a comma.
        match !*has_quotes && field.contains(',') {
            true => out.push_str(&format!("\"{field}\"")),
            false => out.push_str(field),
        }
        out.extend(end);
        field.clear();
        *has_quotes = false;
    };
    for c in text.chars() {
        match c {
            '"' if quoted || field.is_empty() => {
                (quoted, has_quotes) = (!quoted, true);
                field.push(c);
            }
            // A doubled quote inside quotes closes and opens again.
            '"' if has_quotes && field.ends_with('"') => {
                quoted = true;
                field.push(c);
            }
            c if c == separator && !quoted => flush(&mut field, &mut has_quotes, Some(',')),
            '\n' | '\r' if !quoted => flush(&mut field, &mut has_quotes, Some(c)),
            c => field.push(c),
        }
    }
    flush(&mut field, &mut has_quotes, None);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_tells_what_separates_fields() {
        assert_eq!(with_commas("a,b;c\n1,2\n"), "a,b;c\n1,2\n");
        assert_eq!(with_commas("a;b\n1,5;x\n"), "a,b\n\"1,5\",x\n");
        assert_eq!(with_commas("\u{feff}a\tb\r\n1\t2\r\n"), "\u{feff}a,b\r\n1,2\r\n");
        assert_eq!(with_commas("alone\n1\n"), "alone\n1\n");
    }

    #[test]
    fn quoted_fields_stay_as_they_are() {
        assert_eq!(with_commas("a;b\n\"x;y\";\"say \"\"hi;\"\"\"\n"), "a,b\n\"x;y\",\"say \"\"hi;\"\"\"\n");
        assert_eq!(with_commas("a;b\n\"two\nlines\";1\n"), "a,b\n\"two\nlines\",1\n");
    }
}
