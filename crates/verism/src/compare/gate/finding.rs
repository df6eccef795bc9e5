//! The outcome of a rule.

use std::fmt;

use serde::Serialize;

use crate::compare::read::audits::Caution;
use crate::text::one_line::one_line;

/// Whether a rule holds. Of several, fail beats inconclusive beats pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The rule holds.
    Pass,
    /// The data do not tell.
    Inconclusive,
    /// The rule is broken.
    Fail,
}

impl Outcome {
    /// Gives the exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Pass => 0,
            Outcome::Fail => 1,
            Outcome::Inconclusive => 3,
        }
    }

    /// Gives the word for it, the same everywhere.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Fail => "fail",
        }
    }
}

/// A rule held against something.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The rule as it was written.
    pub rule: String,
    /// The experiment, or `B v A`; none for a rule about all.
    pub experiment: Option<String>,
    /// What was held against the bound; none where there was nothing to hold.
    pub value: Option<f64>,
    /// The interval that was held against it.
    pub interval: Option<(f64, f64)>,
    /// How many units it rests on.
    pub n: Option<u64>,
    /// What came of it.
    pub outcome: Outcome,
    /// Of a comparison: its verdict.
    pub verdict: Option<String>,
    /// Of a comparison: its p-value; none below 1e-300.
    pub p: Option<f64>,
    /// The p-value corrected for all comparisons that the rules name.
    pub p_adj: Option<f64>,
    /// Why it does not pass; none where it does.
    pub why: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:<12}  {}", self.outcome.word(), self.rule)?;
        if let Some(experiment) = self.experiment.as_ref().filter(|_| self.verdict.is_none()) {
            write!(f, "  {}", one_line(experiment))?;
        }
        match (self.interval, self.value) {
            (Some((lo, hi)), Some(value)) => write!(f, "  is {value:.4} [{lo:.4}, {hi:.4}]")?,
            (None, Some(value)) => write!(f, "  is {value:.4}")?,
            _ => write!(f, "  has no value")?,
        }
        self.n.map_or(Ok(()), |n| write!(f, " (n = {n})"))?;
        self.why.as_ref().map_or(Ok(()), |why| write!(f, "\n{:<12}  why: {}", "", one_line(why)))
    }
}

/// All findings, and what should make a reader careful about them.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The outcome of all findings together.
    pub verdict: Outcome,
    /// Every rule held against what it names.
    pub findings: Vec<Finding>,
    /// Experiments whose logs were found wanting when they were scored.
    pub cautions: Vec<Caution>,
}

impl Judgement {
    /// Puts findings together.
    pub(super) fn of(findings: Vec<Finding>, cautions: Vec<Caution>) -> Judgement {
        let verdict = findings.iter().map(|finding| finding.outcome).max().unwrap_or(Outcome::Pass);
        Judgement { verdict, findings, cautions }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))?;
        self.cautions.iter().try_for_each(|caution| writeln!(f, "caution: {caution}"))?;
        let count = |outcome| self.findings.iter().filter(|finding| finding.outcome == outcome).count();
        let all = [Outcome::Pass, Outcome::Inconclusive, Outcome::Fail].map(|o| (count(o), o.word()));
        let counted: Vec<String> = all.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        writeln!(f, "gate: {} ({})", self.verdict.word(), counted.join(", "))
    }
}
