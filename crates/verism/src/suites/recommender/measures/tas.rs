//! TAS: how well a reply meets what the user just said.

use crate::score::measure::Measure;
use crate::suites::recommender::options::Params;

/// Gives the score of a turn or a segment.
///
/// ```math
/// TAS = α·CC + β·CR − γ·I
/// ```
///
/// Undefined with CC or CR. Not clipped, unless option `clip` cuts it to [-1, 1].
/// Source: the published specification of TAS, weights 1.
pub(crate) fn tas(cc: &Measure, cr: &Measure, i: f64, params: &Params) -> Measure {
    let (cc, cr) = (cc.clone()?, cr.clone()?);
    let value = params.alpha * cc + params.beta * cr - params.gamma * i;
    Ok(if params.clip { value.clamp(-1.0, 1.0) } else { value })
}

#[cfg(test)]
mod tests {
    use super::super::cc::EMPTY_UNION;
    use super::*;

    #[test]
    fn weights_and_clip() {
        let params = Params { gamma: 2.0, ..Params::default() };
        assert_eq!(tas(&Ok(1.0), &Ok(0.5), 0.25, &params), Ok(1.0));
        assert_eq!(tas(&Ok(1.0), &Ok(1.0), 0.0, &Params { clip: true, ..params.clone() }), Ok(1.0));
        assert_eq!(tas(&Err(EMPTY_UNION), &Err(EMPTY_UNION), 0.0, &params), Err(EMPTY_UNION));
    }
}
