//! The subset of regular expressions that packs may use.

use regex::Regex;

use super::check::Check;
use super::node::Node;
use super::references::field_texts;

/// Every regular expression is in the subset and compiles.
pub(crate) fn regexes(check: &mut Check<'_>) {
    let mut all: Vec<(String, String)> = vec![];
    for (name, node) in check.entries("concepts") {
        all.extend(field_texts(node, "regex").map(|x| (format!("concepts.{name}.regex"), x.to_string())));
    }
    let cues = check.section("cues");
    if let Some(plan) = cues.get("plan") {
        all.extend(field_texts(plan, "regex").map(|x| ("cues.plan.regex".to_string(), x.to_string())));
    }
    for name in ["chain_number_regex", "chain_figure_regex"] {
        all.extend(field_texts(cues, name).map(|x| (format!("cues.{name}"), x.to_string())));
    }
    for (place, pattern) in all {
        if compile(&pattern).is_none() {
            let expected = "a regex of literals, classes, groups, | ? * + {m,n}";
            check.bad(place, expected, Some(&Node::Text(pattern)));
        }
    }
}

/// A regular expression of the subset: literals, classes, groups, `|`, `?`, `*`, `+`, `{m,n}`.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    in_subset(pattern).then(|| Regex::new(pattern).ok()).flatten()
}

fn in_subset(pattern: &str) -> bool {
    if pattern.contains('\\') {
        return false;
    }
    let bare: Vec<char> = without_classes(pattern);
    let pair = |a: char, b: char| a == '(' && b == '?' || "*+?}".contains(a) && "?+".contains(b);
    !bare.iter().any(|c| "^$.".contains(*c)) && !bare.windows(2).any(|pair_of| pair(pair_of[0], pair_of[1]))
}

/// The expression with each class as one letter.
fn without_classes(pattern: &str) -> Vec<char> {
    let mut out = vec![];
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '[' {
            out.push(c);
            continue;
        }
        out.push('x');
        rest.next_if_eq(&'^');
        // A bracket right behind the start is a member of the class.
        rest.next_if_eq(&']');
        rest.by_ref().find(|c| *c == ']');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_subset_is_taken() {
        for good in ["[0-9]+ ?(개|잔)", "[^a]b{1,2}", "a|b*", "[.]x", "주 ?[0-9]+회"] {
            assert!(compile(good).is_some(), "{good}");
        }
        for bad in ["a.b", "^a", "a$", "(?:a)", "a+?", "a{2}+", "\\d", "(a", "[a"] {
            assert!(compile(bad).is_none(), "{bad}");
        }
    }
}
