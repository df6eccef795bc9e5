//! A cell against its baseline.

use super::finish::{Scored, Study};
use crate::score::{Measure, Undefined};

/// How a measure changed: in percent of the baseline, and as a difference.
pub(super) struct Change {
    pub(super) base: Option<f64>,
    pub(super) value: Option<f64>,
    pub(super) percent: Measure,
    pub(super) delta: Measure,
}

/// The relative change.
///
/// ```math
/// reduction = (A - x) / A \cdot 100, \quad gain = (x - A) / A \cdot 100
/// ```
/// Undefined at base 0: a worsening from nothing is no percentage.
fn percent(base: &Measure, value: &Measure, gain: bool) -> Measure {
    let (base, value) = both(base, value)?;
    if base == 0.0 {
        return Err(Undefined::new("zero_base"));
    }
    let change = if gain { value - base } else { base - value };
    Ok(change / base * 100.0)
}

fn both(base: &Measure, value: &Measure) -> Result<(f64, f64), Undefined> {
    let base = base.as_ref().map_err(|_| Undefined::new("undefined_base"))?;
    let value = value.as_ref().map_err(|_| Undefined::new("undefined_value"))?;
    Ok((*base, *value))
}

fn change(base: &Measure, value: &Measure, gain: bool, v6: bool) -> Change {
    let percent = percent(base, value, gain);
    Change {
        base: base.as_ref().ok().copied(),
        value: value.as_ref().ok().copied(),
        percent: if v6 { Ok(percent.unwrap_or(0.0)) } else { percent },
        delta: both(base, value).map(|(base, value)| value - base),
    }
}

/// The changes of `R_H`, `R_R` and the headline `EHE` of a cell; none without a baseline.
pub(super) fn changes(study: &Study<'_>, scored: &Scored<'_>) -> Option<[Change; 3]> {
    let base = &study.get(&study.baseline_of(scored.id))?.measures;
    let (value, headline, v6) = (&scored.measures, study.pack.headline, study.params.v6());
    Some([
        change(&base.r_h, &value.r_h, false, v6),
        change(&base.r_r, &value.r_r, false, v6),
        change(&base.ehe[headline], &value.ehe[headline], true, v6),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Worked example 4 of the specification.
        assert_eq!(percent(&Ok(0.5), &Ok(0.25), false), Ok(50.0));
        assert_eq!(percent(&Ok(0.5), &Ok(0.75), true), Ok(50.0));
        assert_eq!(percent(&Ok(0.0), &Ok(0.25), false), Err(Undefined::new("zero_base")));
        assert_eq!(change(&Ok(0.0), &Ok(0.25), false, false).delta, Ok(0.25));
        let gone: Measure = Err(Undefined::new("x"));
        assert_eq!(percent(&gone, &gone, false), Err(Undefined::new("undefined_base")));
        assert_eq!(percent(&Ok(0.5), &gone, false), Err(Undefined::new("undefined_value")));
    }
}
