//! The metrics that a pack makes of the measures, in the order of the scores.

use crate::score::measure::Undefined;
use crate::suites::adaptation::measures::{Block, ComputedFrom, MEASURES, Measure, OfChange, OfRun};
use crate::suites::adaptation::pack::Pack;

/// A metric: a measure with the scheme that fills its name.
pub(crate) struct Entry {
    pub(crate) measure: &'static Measure,
    /// Number of the scheme; 0 where there is none.
    pub(crate) scheme: usize,
    /// The published spelling, and in lower case the id.
    pub(crate) title: String,
    pub(crate) id: String,
}

impl Entry {
    fn new(pack: &Pack, measure: &'static Measure, scheme: usize) -> Entry {
        let title = measure.main().title.replace('*', &pack.schemes[scheme].id);
        Entry { measure, scheme, id: title.to_lowercase(), title }
    }
}

/// A metric of a run.
pub(crate) struct RunEntry {
    pub(crate) entry: Entry,
    pub(crate) of: &'static OfRun,
}

/// A metric of a run against its baseline.
pub(crate) struct ChangeEntry {
    pub(crate) entry: Entry,
    pub(crate) of: &'static OfChange,
}

/// A mean over the cells of a group.
pub(crate) struct MeanEntry {
    pub(crate) entry: Entry,
    /// Place among the metrics of runs of what is averaged.
    pub(crate) of: usize,
}

/// Metrics per run, against the baseline and per group, each in the order of the scores.
pub(crate) struct Catalogue {
    pub(crate) runs: Vec<RunEntry>,
    pub(crate) changes: Vec<ChangeEntry>,
    pub(crate) means: Vec<MeanEntry>,
}

/// What a group without a defined cell lacks.
pub(crate) const NO_DEFINED_CELL: Undefined = Undefined::new("no_defined_cell");

impl Catalogue {
    pub(crate) fn of(pack: &Pack) -> Catalogue {
        let mut runs = vec![];
        for block in Block::ALL {
            for scheme in block.schemes(pack) {
                runs.extend(MEASURES.iter().filter_map(|measure| match &measure.how {
                    ComputedFrom::Run(of) if of.block == block => {
                        Some(RunEntry { entry: Entry::new(pack, measure, scheme), of })
                    }
                    _ => None,
                }));
            }
        }
        // Changes and means follow the order of the metrics that they are about.
        let (mut changes, mut means) = (vec![], vec![]);
        for (place, RunEntry { entry, of }) in runs.iter().enumerate() {
            let per_scheme = of.block == Block::Actions;
            for measure in MEASURES {
                match &measure.how {
                    ComputedFrom::Change(change)
                        if change.of.is(entry.measure) && (!per_scheme || entry.scheme == pack.headline) =>
                    {
                        changes.push(ChangeEntry { entry: Entry::new(pack, measure, entry.scheme), of: change });
                    }
                    ComputedFrom::Mean(of)
                        if of.is(entry.measure) && (!per_scheme || pack.schemes[entry.scheme].table) =>
                    {
                        means.push(MeanEntry { entry: Entry::new(pack, measure, entry.scheme), of: place });
                    }
                    _ => {}
                }
            }
        }
        Catalogue { runs, changes, means }
    }

    /// Every metric, in the order of the ledger.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        let runs = self.runs.iter().map(|run| &run.entry);
        runs.chain(self.changes.iter().map(|change| &change.entry)).chain(self.means.iter().map(|mean| &mean.entry))
    }

    /// The metric that a measure of a run makes of a scheme.
    pub(crate) fn run(&self, measure: &Measure, scheme: usize) -> &Entry {
        let found = self.runs.iter().map(|run| &run.entry);
        let mut found = found.filter(|entry| entry.measure.is(measure) && entry.scheme == scheme);
        found.next().expect("a measure of runs and a scheme that it has")
    }

    /// Titles of the columns that tables 1 and 2 have for measures, without and with `_mean`.
    pub(crate) fn titles(&self) -> (Vec<String>, Vec<String>) {
        let of_runs = self.means.iter().map(|mean| self.runs[mean.of].entry.title.clone());
        (of_runs.collect(), self.means.iter().map(|mean| mean.entry.title.clone()).collect())
    }
}
