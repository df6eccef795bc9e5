//! What a reader has to know beside the numbers, each thing said once.

use super::shown_interval;
use crate::compare::comparison::Comparison;
use crate::compare::pair::flag::Flag;
use crate::compare::pair::result::Pair;
use crate::compare::pair::summary::LedgerRow;
use crate::compare::show::words::flags;
use crate::stats::verdict::Verdict;
use crate::suites::all;

/// How many lines of a kind are printed; the document holds all of them.
const MOST: usize = 12;

/// The notes of a comparison: sentences about designs by number, flags by letter.
pub(crate) struct Notes<'a> {
    comparison: &'a Comparison,
    sentences: Vec<&'a str>,
    flags: Vec<Flag>,
}

impl<'a> Notes<'a> {
    pub(crate) fn of(comparison: &'a Comparison) -> Notes<'a> {
        let mut notes = Notes { comparison, sentences: vec![], flags: vec![] };
        for pair in &comparison.pairs {
            if !notes.sentences.contains(&pair.why.as_str()) {
                notes.sentences.push(&pair.why);
            }
            for flag in flags(pair) {
                if !notes.flags.contains(&flag) {
                    notes.flags.push(flag);
                }
            }
        }
        notes
    }

    /// The marks beside a row: the number of its sentence where there are several, the letters of its flags.
    pub(crate) fn beside(&self, pair: &Pair) -> String {
        let sentence = self.sentences.iter().position(|why| *why == pair.why).map(|at| at + 1);
        let number = sentence.filter(|at| self.sentences.len() > 1 && *at <= MOST).map(|at| at.to_string());
        let letters = flags(pair).filter_map(|flag| self.flags.iter().position(|other| *other == flag)).map(letter);
        number.into_iter().chain(letters).collect::<Vec<String>>().join(" ")
    }

    /// The lines below the table.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut out = vec![];
        match self.sentences[..] {
            [only] => out.push(format!("why: {only}")),
            _ => shorten(&mut out, self.sentences.iter().enumerate().map(|(at, why)| format!("{}  {why}", at + 1))),
        }
        let meanings = self.flags.iter().enumerate();
        let meanings = meanings.map(|(at, flag)| format!("{}  {}: {}", letter(at), flag.name(), flag.advice()));
        out.extend(meanings);
        out.extend(correction(self.comparison));
        out.extend(interval_kind(self.comparison));
        out.extend(unknown_directions(self.comparison));
        out.extend(too_few_units(self.comparison));
        shorten(&mut out, self.comparison.cautions.iter().map(|caution| format!("caution: {caution}")));
        out.extend(self.comparison.remarks.iter().map(|remark| format!("note: {remark}")));
        shorten(&mut out, self.comparison.ledger.iter().filter_map(undefined));
        shorten(&mut out, self.comparison.rejected.iter().map(|bad| format!("rejected: {}", bad.defect())));
        out
    }
}

fn letter(at: usize) -> String {
    char::from(b'a' + at.min(25) as u8).to_string()
}

/// How p-values were corrected, as the signature says.
fn correction(comparison: &Comparison) -> Option<String> {
    let chosen = comparison.signature.split('|').find_map(|part| part.strip_prefix("adj:")).unwrap_or_default();
    let (method, family) = chosen.split_once('/').unwrap_or((chosen, ""));
    let tests = comparison.pairs.iter().filter(|pair| pair.log10_p.is_some()).count();
    if tests < 2 {
        return (tests == 1).then(|| "p_adj: one test, nothing to correct".to_string());
    }
    let name = match method {
        "holm" => "Holm",
        "bh" => "Benjamini-Hochberg",
        "bonferroni" => "Bonferroni",
        _ => return Some(format!("p_adj: not corrected for {tests} tests")),
    };
    Some(match family {
        "metric" => format!("p_adj: {name} within each metric"),
        "pair" => format!("p_adj: {name} within each pair of experiments"),
        _ => format!("p_adj: {name} over all {tests} tests"),
    })
}

/// How intervals were made, and whether any was cut for the eye.
fn interval_kind(comparison: &Comparison) -> Option<String> {
    let pair = comparison.pairs.iter().find(|pair| pair.ci.lo.is_some())?;
    let kind = match pair.ci.method {
        _ if comparison.pairs.iter().any(|other| other.ci.lo.is_some() && other.ci.method != pair.ci.method) => {
            "each by its test (`ci.method` in JSON)"
        }
        "newcombe" | "newcombe_paired" => "Newcombe's, for shares",
        "mass_bound" => "what equal values in the range of the metric allow",
        "mass_bound_t" => "Student's t beside what equal values in the range of the metric allow",
        "skew_t" => "Student's t, adjusted for skewness",
        "permutation_t" => "permutations of Welch's t",
        "test_inversion" => "the shifts that the test does not reject",
        "hodges_lehmann" => "Hodges and Lehmann's, of the median shift",
        "t" => "Student's t",
        "z196" => "1.96 standard errors, as published",
        "percentile" => "bootstrap, percentiles",
        "bca" => "bootstrap, bias-corrected and accelerated",
        other => other,
    };
    let is_cut = |pair: &Pair| shown_interval(pair) != pair.ci.lo.zip(pair.ci.hi);
    let cut = if comparison.pairs.iter().any(is_cut) {
        "; cut to the range of the metric (whole in JSON and CSV)"
    } else {
        ""
    };
    Some(format!("intervals: {kind}{cut}"))
}

/// Metrics of which nobody said which way is better.
fn unknown_directions(comparison: &Comparison) -> Option<String> {
    let labels = comparison.labels();
    let mut names: Vec<String> =
        comparison.pairs.iter().filter(|pair| pair.direction_assumed).map(|pair| labels.of(pair)).collect();
    names.dedup();
    let first = names.first()?.clone();
    let rest = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let listed = names.join(", ");
    Some(format!(
        "higher, lower: no suite says which way is better for {listed}{more}; --option direction.{first}=higher|lower does"
    ))
}

/// Fewer units than this cannot decide much; the flag `few_units` says so of a pair.
const FEW: usize = 6;

/// What would help where everything is inconclusive and there are few units.
fn too_few_units(comparison: &Comparison) -> Option<String> {
    let open = |pair: &Pair| {
        let n = pair.n_pairs.unwrap_or(pair.n_baseline.min(pair.n_experiment));
        pair.verdict == Verdict::Inconclusive && n < FEW
    };
    if comparison.pairs.is_empty() || !comparison.pairs.iter().all(open) {
        return None;
    }
    let pair = &comparison.pairs[0];
    let mut text = format!(
        "nothing could be decided with so few units (n = {0}, by {1}): more {1}s would help, {FEW} or more to begin with",
        pair.size(),
        pair.unit.name()
    );
    let by_case = comparison.pairs.iter().find_map(|pair| {
        let suite = all().find(|suite| Some(suite.facts().id) == pair.suite.as_deref())?;
        (suite.facts().options)().iter().any(|option| option.name == "score_cases").then_some(suite.facts().id)
    });
    if let Some(suite) = by_case.filter(|_| pair.level != "case") {
        text += &format!(
            "; scores per case come from `verism score {suite} … --option score_cases=true`, compared with --option \
             level=case (`verism docs compare` says what they can tell)"
        );
    }
    Some(text)
}

fn undefined(row: &LedgerRow) -> Option<String> {
    let undefined: usize = row.undefined.values().sum();
    let reasons: Vec<String> = row.undefined.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    let LedgerRow { metric, experiment, total, .. } = row;
    (undefined > 0)
        .then(|| format!("undefined: {metric} {experiment}: {undefined} of {total} rows ({})", reasons.join(", ")))
}

/// Adds the first lines, and how many more there are.
fn shorten(out: &mut Vec<String>, lines: impl Iterator<Item = String>) {
    let all: Vec<String> = lines.collect();
    let rest = all.len().saturating_sub(MOST);
    out.extend(all.into_iter().take(MOST));
    if rest > 0 {
        out.push(format!("… and {rest} more in the JSON document"));
    }
}
