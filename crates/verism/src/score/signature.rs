//! The signature: one string that says how scores were computed.

use std::collections::BTreeMap;

/// The version of this program as signatures and manifests carry it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `suite|v<spec>|key:value|…|verism:<version>`: the options that differ from their defaults in byte order of their keys.
pub fn signature(suite: &str, spec_version: &str, changed: &BTreeMap<String, String>) -> String {
    let mut parts = vec![suite.to_string(), format!("v{spec_version}")];
    parts.extend(changed.iter().map(|(key, value)| format!("{key}:{value}")));
    parts.push(format!("verism:{VERSION}"));
    parts.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_options_stand_in_byte_order() {
        let changed = BTreeMap::from([("formats".into(), "G:governed".into()), ("baseline".into(), "control".into())]);
        assert_eq!(
            signature("adaptation", "1", &changed),
            format!("adaptation|v1|baseline:control|formats:G:governed|verism:{VERSION}")
        );
        assert_eq!(signature("guest", "1", &BTreeMap::new()), format!("guest|v1|verism:{VERSION}"));
    }
}
