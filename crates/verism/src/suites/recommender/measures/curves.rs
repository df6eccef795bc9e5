//! Recovery curves: how many shifts are recovered within each window, at each threshold, on CC alone.

use crate::score::measure::Measure;

/// Counts the shifts recovered for each window and threshold, windows first.
///
/// ```math
/// #{s : some d < W has CC(s+d) ≥ τ}
/// ```
///
/// `shifts` are turns counted from 0 in `cc`; a window is never cut at the next shift. Source: specification, section 5.
pub(crate) fn recovered(cc: &[&Measure], shifts: &[usize], windows: &[u32], taus: &[f64]) -> Vec<u64> {
    let mut out = vec![0; windows.len() * taus.len()];
    for &shift in shifts {
        for (row, &window) in windows.iter().enumerate() {
            let end = cc.len().min(shift.saturating_add(window as usize));
            let best = cc[shift..end].iter().filter_map(|cc| cc.as_ref().ok()).copied().fold(-1.0, f64::max);
            for (column, tau) in taus.iter().enumerate() {
                out[row * taus.len() + column] += u64::from(best >= *tau);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::cc::EMPTY_UNION;
    use super::*;

    #[test]
    fn longer_windows_recover_more() {
        // By hand: shifts at 0 and 2; CC is undefined, 0.5, 0.2.
        let cc = [Err(EMPTY_UNION), Ok(0.5), Ok(0.2)];
        let cc: Vec<&Measure> = cc.iter().collect();
        assert_eq!(recovered(&cc, &[0, 2], &[1, 2], &[0.0, 0.5]), [1, 0, 2, 1]);
    }
}
