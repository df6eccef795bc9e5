//! A number or the reason why there is none.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a measure has no value: a short stable text such as `empty_denominator` or `missing_field:relocated`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Undefined(Cow<'static, str>);

impl Undefined {
    /// A fixed reason.
    pub const fn new(reason: &'static str) -> Undefined {
        Undefined(Cow::Borrowed(reason))
    }

    /// A reason about a field: `missing_field:<column>`.
    pub fn missing_field(column: &str) -> Undefined {
        Undefined(Cow::Owned(format!("missing_field:{column}")))
    }

    /// A reason about parts that are undefined: `missing_component:<ids joined by +>`.
    pub fn missing_component(parts: &[&str]) -> Undefined {
        Undefined(Cow::Owned(format!("missing_component:{}", parts.join("+"))))
    }

    /// The reason as text.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The denominator is zero.
pub const EMPTY_DENOMINATOR: Undefined = Undefined::new("empty_denominator");
/// The measure does not apply to this kind of data.
pub const NOT_APPLICABLE: Undefined = Undefined::new("not_applicable");

/// A finite number, or the reason why there is none. NaN never crosses a function's border.
pub type Measure = Result<f64, Undefined>;

/// The ratio of two counts; an empty denominator is undefined.
pub fn ratio(numerator: u64, denominator: u64) -> Measure {
    if denominator == 0 { Err(EMPTY_DENOMINATOR) } else { Ok(numerator as f64 / denominator as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_over_nothing_is_undefined() {
        assert_eq!(ratio(0, 0), Err(EMPTY_DENOMINATOR));
        assert_eq!(ratio(1, 4), Ok(0.25));
        assert_eq!(Undefined::missing_field("year").to_string(), "missing_field:year");
    }
}
