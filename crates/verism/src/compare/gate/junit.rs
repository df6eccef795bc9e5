//! Findings as JUnit XML, which most services for continuous integration can show.

use super::finding::{Finding, Judgement, Outcome};

/// Gives the judgement as JUnit XML: a rule that fails is a failure, one that stays open an error of type `inconclusive`.
pub fn to_junit(judgement: &Judgement) -> String {
    let count = |outcome| judgement.findings.iter().filter(|finding| finding.outcome == outcome).count();
    let (tests, failures, errors) = (judgement.findings.len(), count(Outcome::Fail), count(Outcome::Inconclusive));
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    out += &format!("<testsuites {counts}>\n  <testsuite name=\"verism gate\" {counts}>\n");
    for finding in &judgement.findings {
        out += &test_case(finding);
    }
    if !judgement.cautions.is_empty() {
        let cautions: Vec<String> = judgement.cautions.iter().map(|c| escaped(&format!("caution: {c}"))).collect();
        out += &format!("    <system-err>{}</system-err>\n", cautions.join("\n"));
    }
    out + "  </testsuite>\n</testsuites>\n"
}

fn test_case(finding: &Finding) -> String {
    let at = finding.experiment.as_ref().filter(|_| finding.verdict.is_none());
    let name = at.map_or_else(|| finding.rule.clone(), |experiment| format!("{} [{experiment}]", finding.rule));
    let head = format!("    <testcase classname=\"verism.gate\" name=\"{}\"", escaped(&name));
    let element = match finding.outcome {
        Outcome::Pass => return head + "/>\n",
        Outcome::Fail => "failure",
        Outcome::Inconclusive => "error",
    };
    let (word, why) = (finding.outcome.word(), escaped(finding.why.as_deref().unwrap_or_default()));
    let text = escaped(&finding.to_string());
    format!("{head}>\n      <{element} type=\"{word}\" message=\"{why}\">{text}</{element}>\n    </testcase>\n")
}

/// Escapes what XML would take as markup, and leaves out what it cannot hold.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &str, outcome: Outcome, why: Option<&str>) -> Finding {
        Finding {
            rule: rule.into(),
            experiment: Some("a<b".into()),
            value: Some(0.5),
            interval: None,
            n: Some(3),
            outcome,
            verdict: None,
            p: None,
            p_adj: None,
            why: why.map(str::to_string),
        }
    }

    #[test]
    fn failures_and_open_rules_are_counted_and_texts_are_escaped() {
        let findings = vec![
            finding("m >= 0.4", Outcome::Pass, None),
            finding("m >= 0.9", Outcome::Fail, Some("no & never")),
            finding("m >= 0.5", Outcome::Inconclusive, Some("open")),
        ];
        let xml = to_junit(&Judgement::of(findings, vec![]));
        assert!(xml.contains("<testsuite name=\"verism gate\" tests=\"3\" failures=\"1\" errors=\"1\">"), "{xml}");
        assert!(xml.contains("<testcase classname=\"verism.gate\" name=\"m &gt;= 0.4 [a&lt;b]\"/>"), "{xml}");
        assert!(xml.contains("<failure type=\"fail\" message=\"no &amp; never\">"), "{xml}");
        assert!(xml.contains("<error type=\"inconclusive\" message=\"open\">"), "{xml}");
    }
}
