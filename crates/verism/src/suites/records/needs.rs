//! What metrics need of a record, and how many records have it: so that nobody wonders why nothing was scored.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::input::value::Json;
use crate::score::output::Missing;

/// Something in a record that metrics need.
pub struct Need {
    /// Where it stands, as people write it: `messages[].state`.
    pub field: &'static str,
    /// The metrics that are undefined without it.
    pub metrics: &'static [&'static str],
    /// Whether a record has it.
    pub has: fn(&Json<'_>) -> bool,
}

/// How many records have what is needed.
pub(super) struct NeedTally {
    needs: &'static [Need],
    has: Vec<AtomicU64>,
    records: AtomicU64,
}

impl NeedTally {
    pub(super) fn new(needs: &'static [Need]) -> NeedTally {
        NeedTally { needs, has: needs.iter().map(|_| AtomicU64::new(0)).collect(), records: AtomicU64::new(0) }
    }

    /// Looks at a record.
    pub(super) fn look(&self, record: &Json<'_>) {
        if self.needs.is_empty() {
            return;
        }
        self.records.fetch_add(1, Ordering::Relaxed);
        for (need, count) in self.needs.iter().zip(&self.has) {
            if (need.has)(record) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn finish(self) -> NeedCounts {
        let has = self.has.into_iter().map(AtomicU64::into_inner).collect();
        NeedCounts { needs: self.needs, has, records: self.records.into_inner() }
    }
}

/// What was counted.
pub(super) struct NeedCounts {
    needs: &'static [Need],
    has: Vec<u64>,
    records: u64,
}

/// How the counts of a shard are written down.
const LOOKED: &str = "looked";
const HAS: &str = "has:";

impl NeedCounts {
    /// As counts of a shard.
    pub(super) fn counts(&self) -> impl Iterator<Item = (String, u64)> {
        let has = self.needs.iter().zip(&self.has).map(|(need, has)| (format!("{HAS}{}", need.field), *has));
        (self.records > 0).then(|| (LOOKED.to_string(), self.records)).into_iter().chain(has)
    }

    /// From the counts of all shards.
    pub(super) fn joined<'m>(
        needs: &'static [Need],
        shards: impl Iterator<Item = &'m BTreeMap<String, u64>>,
    ) -> NeedCounts {
        let mut counted = NeedCounts { needs, has: vec![0; needs.len()], records: 0 };
        for counts in shards {
            let of = |name: &str| counts.get(name).copied().unwrap_or(0);
            counted.records += of(LOOKED);
            for (need, has) in needs.iter().zip(&mut counted.has) {
                *has += of(&format!("{HAS}{}", need.field));
            }
        }
        counted
    }

    /// What is missing of what is needed, in words; none where every record has everything.
    pub(super) fn missing(&self) -> Vec<Missing> {
        let of = self.records;
        let lacking = self.needs.iter().zip(&self.has).filter(|(_, has)| **has < of);
        lacking.map(|(need, has)| (need.metrics, format!("{} (in {has} of {of} records)", need.field))).collect()
    }
}
