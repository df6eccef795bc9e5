//! The signature: one string that names every option in force.

use super::list::{CompareOption, OPTIONS, Signed};
use super::settings::Options;
use super::words::{DIRECTIONS, word};

impl Options {
    /// Gives the one string that names every option in force.
    pub fn signature(&self) -> String {
        let mut out = String::from("verism.compare|v2");
        for option in OPTIONS {
            let CompareOption { key, default, signed, show, .. } = option;
            let value = show(self);
            match (signed, value) {
                (Signed::As(name), value) => out.push_str(&format!("|{name}:{}", value.unwrap_or_default())),
                (Signed::Behind, value) => out.push_str(&format!("/{}", value.unwrap_or_default())),
                (Signed::IfGiven, Some(value)) if value != *default => out.push_str(&format!("|{key}:{value}")),
                (Signed::IfGiven | Signed::Not, _) => {}
            }
        }
        for (name, direction) in &self.direction_of {
            out.push_str(&format!("|direction.{name}:{}", word(*direction, DIRECTIONS)));
        }
        for (name, range) in &self.range_of {
            let range = range.map_or_else(|| "auto".to_string(), |(low, high)| format!("{low}..{high}"));
            out.push_str(&format!("|range.{name}:{range}"));
        }
        for (name, sesoi) in &self.sesoi_of {
            out.push_str(&format!("|sesoi.{name}:{sesoi}"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Section 15 of the statistics specification, with the options of version 2 behind those of version 1.
    #[test]
    fn the_default_signature_is_that_of_the_specification() {
        assert_eq!(
            Options::default().signature(),
            "verism.compare|v2|alpha:0.05|design:auto|unit:auto|w:unit|level:auto|test:auto|ci:t|ddof:1|d:pooled|adj:holm/all|\
             zero:wilcox|cse:cr2|B:9999|seed:12345|sesoi:0|dir:auto|power:0.8|tests:standard|runs:auto|cluster:auto|range:auto"
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
