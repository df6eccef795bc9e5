//! How numbers are written for people.

/// Gives a number with so many decimals; one that rounds to zero has no sign. Huge ones are shown in powers of ten.
pub(crate) fn decimals(x: f64, places: usize) -> String {
    if x.abs() >= 1e9 {
        return format!("{x:.places$e}");
    }
    let text = format!("{x:.places$}");
    let zero = text.bytes().all(|c| matches!(c, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_string() } else { text }
}

/// Gives a p-value with three significant digits, scientific below 1e-4; absent means below 1e-300.
pub(crate) fn p_text(p: Option<f64>) -> String {
    match p {
        None => "<1e-300".to_string(),
        Some(p) if p < 1e-4 => format!("{p:.2e}"),
        Some(p) => {
            let digits = (2 - libm::floor(libm::log10(p)) as i32).max(0) as usize;
            format!("{p:.digits$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Section 15 of the statistics specification: three significant digits, scientific below 1e-4, never 0.
    #[test]
    fn p_values_have_three_digits() {
        let shown = [Some(0.62), Some(0.0788), Some(0.00156), Some(3.06e-6), Some(1.0), None].map(p_text);
        assert_eq!(shown, ["0.620", "0.0788", "0.00156", "3.06e-6", "1.00", "<1e-300"]);
    }

    #[test]
    fn a_rounded_zero_has_no_sign() {
        assert_eq!(decimals(-0.00001, 4), "0.0000");
        assert_eq!(decimals(-0.5, 1), "-0.5");
    }
}
