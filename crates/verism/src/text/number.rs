//! Numbers as texts.

/// A finite number in its shortest form that reads back as the same number: `1.0`, `0.25`, `1e-7`, `2.5e16`.
pub fn shortest(x: f64) -> String {
    let mut out = vec![];
    push_shortest(&mut out, x);
    String::from_utf8(out).expect("digits")
}

/// Appends a finite number in its shortest form.
pub fn push_shortest(out: &mut Vec<u8>, x: f64) {
    let start = out.len();
    serde_json::to_writer(&mut *out, &x).expect("a buffer takes every number");
    if let Some(plus) = memchr::memchr(b'+', &out[start..]) {
        out.remove(start + plus);
    }
}

/// A finite number as CPython's `repr` prints it: exponents below 1e-4 and from 1e16, with two digits at least.
pub fn python_repr(x: f64) -> String {
    let shortest = shortest(x);
    let small = x != 0.0 && x.abs() < 1e-4;
    let (mantissa, exponent) = match shortest.split_once('e') {
        Some((mantissa, exponent)) => (mantissa.to_string(), exponent.parse::<i32>().expect("an exponent")),
        None if small => {
            let digits = shortest.trim_start_matches(['-', '0', '.']);
            let point = if digits.len() > 1 { "." } else { "" };
            let sign = if x < 0.0 { "-" } else { "" };
            (format!("{sign}{}{point}{}", &digits[..1], &digits[1..]), -5)
        }
        None => return shortest,
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", mantissa.trim_end_matches(".0"), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_their_shortest_form_with_a_fraction_or_an_exponent() {
        // The form that the tables promise: exponents below 1e-5 and from 1e16 only.
        for (x, form) in [
            (1.0, "1.0"),
            (0.25, "0.25"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-5, "0.00001"),
            (1.5e-5, "0.000015"),
            (1e-7, "1e-7"),
            (9.9e-6, "9.9e-6"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (2.5e16, "2.5e16"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(shortest(x), form);
        }
    }

    #[test]
    fn python_forms() {
        // CPython 3.11: repr of each number.
        for (x, form) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.000015, "1.5e-05"),
            (-0.000012, "-1.2e-05"),
            (1.5e-7, "1.5e-07"),
            (1e16, "1e+16"),
            (2.5e16, "2.5e+16"),
            (1e-300, "1e-300"),
            (123456.789, "123456.789"),
        ] {
            assert_eq!(python_repr(x), form);
        }
    }
}
