//! The signature: one string that names every option in force.

use super::options::{Matching, Options};
use super::words::{
    ADJUSTS, CLUSTER_SES, D_SDS, DESIGNS, DIRECTIONS, FAMILIES, INTERVALS, MATCHINGS, TEST_SETS, TESTS, UNITS, WEIGHTS,
    ZEROS, word,
};

impl Options {
    /// Gives the one string that names every option in force.
    pub fn signature(&self) -> String {
        let mut out = format!(
            "verism.compare|v1|alpha:{}|design:{}|unit:{}|w:{}|level:{}|test:{}|ci:{}|ddof:{}|d:{}|adj:{}/{}|zero:{}|cse:{}|B:{}\
             |seed:{}|sesoi:{}|dir:{}|power:{}|tests:{}",
            self.alpha,
            word(self.design, DESIGNS),
            word(self.unit, UNITS),
            word(self.weight, WEIGHTS),
            self.level.as_deref().unwrap_or("auto"),
            word(self.test, TESTS),
            word(self.ci, INTERVALS),
            self.ddof,
            word(self.d_sd, D_SDS),
            word(self.adjust, ADJUSTS),
            word(self.family, FAMILIES),
            word(self.zero, ZEROS),
            word(self.cluster_se, CLUSTER_SES),
            self.resamples,
            self.seed,
            self.sesoi,
            word(self.direction, DIRECTIONS),
            self.power,
            word(self.all_tests, TEST_SETS),
        );
        let mut more = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                out.push_str(&format!("|{key}:{value}"));
            }
        };
        more("baseline", self.baseline.clone());
        more("experiments", self.experiments.as_ref().map(|names| names.join(",")));
        more("metrics", self.metrics.as_ref().map(|names| names.join(",")));
        more("factor", self.factor.map(|k| k.to_string()));
        more("match", (self.matching != Matching::Auto).then(|| word(self.matching, MATCHINGS).to_string()));
        more("mixed_signatures", self.mixed_signatures.then(|| "true".to_string()));
        for (name, direction) in &self.direction_of {
            more(&format!("direction.{name}"), Some(word(*direction, DIRECTIONS).to_string()));
        }
        for (name, sesoi) in &self.sesoi_of {
            more(&format!("sesoi.{name}"), Some(sesoi.to_string()));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Section 15 of the statistics specification.
    #[test]
    fn the_default_signature_is_that_of_the_specification() {
        assert_eq!(
            Options::default().signature(),
            "verism.compare|v1|alpha:0.05|design:auto|unit:auto|w:unit|level:auto|test:auto|ci:t|ddof:1|d:pooled|adj:holm/all|\
             zero:wilcox|cse:cr2|B:9999|seed:12345|sesoi:0|dir:auto|power:0.8|tests:standard"
        );
    }

    #[test]
    fn given_options_follow_in_their_order_and_numbers_are_plain() {
        let o =
            Options::parse(["sesoi.ora=0.1", "direction.ora=lower", "match=row", "baseline=A", "alpha=1e-7"]).unwrap();
        let signature = o.signature();
        assert!(signature.contains("|alpha:0.0000001|"));
        assert!(signature.ends_with("|baseline:A|match:row|direction.ora:lower|sesoi.ora:0.1"), "{signature}");
    }
}
