//! What every reader of a job knows: where each column stands, and what kind of log a cell has.

use std::sync::Mutex;

use super::discover::{CellId, IDS};
use super::memo::MeaningCache;
use crate::error::Defect;
use crate::suites::Shard;
use crate::suites::adaptation::options::Params;
use crate::suites::adaptation::pack::Pack;

/// What every reader of a job needs: the pack, the options, and where each wanted column stands.
pub(crate) struct Context<'a> {
    pub(crate) pack: &'a Pack,
    pub(crate) params: &'a Params,
    pub(crate) shard: Option<Shard>,
    /// Names of the columns to read; the first three are the ids.
    pub(crate) columns: Vec<String>,
    pub(super) agent: usize,
    pub(super) step: usize,
    /// Action, intent and proposal of each format.
    pub(super) formats: Vec<(usize, Option<usize>, Option<usize>)>,
    pub(super) states: Vec<usize>,
    pub(super) constructs: Vec<usize>,
    pub(super) intervention: Option<usize>,
    pub(super) retries: Option<usize>,
    /// What readers learnt about short texts, for the next reader.
    pub(super) memos: Mutex<Vec<MeaningCache>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(pack: &'a Pack, params: &'a Params, shard: Option<Shard>) -> Context<'a> {
        let mut columns: Vec<String> = IDS.map(String::from).to_vec();
        let mut place = |name: &String| {
            columns.iter().position(|column| column == name).unwrap_or_else(|| {
                columns.push(name.clone());
                columns.len() - 1
            })
        };
        let (agent, step) = (place(&pack.agent), place(&pack.step));
        let formats = pack
            .formats
            .iter()
            .map(|f| (place(&f.action), f.intent.as_ref().map(&mut place), f.proposed.as_ref().map(&mut place)))
            .collect();
        let states = pack.states.iter().map(|state| place(&state.column)).collect();
        let constructs = pack.constructs.iter().map(|construct| place(&construct.column)).collect();
        let intervention = pack.intervention.as_ref().map(&mut place);
        let retries = pack.retries.as_ref().map(&mut place);
        let memos = Mutex::default();
        Context { pack, params, shard, agent, step, formats, states, constructs, intervention, retries, memos, columns }
    }

    /// The format of a cell: declared by option or pack, else the first whose action column is there.
    ///
    /// `line` tells a JSON record, whose own keys decide, from the header of a file.
    pub(crate) fn format(
        &self,
        group: &str,
        has: &dyn Fn(&str) -> bool,
        flat: bool,
        record: bool,
    ) -> Result<usize, Defect> {
        let formats = &self.pack.formats;
        let by_option = self.params.formats.get(group).and_then(|id| formats.iter().position(|f| f.id == *id));
        let Some(declared) = by_option.or_else(|| self.pack.group_formats.get(group).copied()) else {
            let mut fits = (0..formats.len()).filter(|&i| has(&formats[i].action));
            let Some(first) = fits.next() else {
                let code = if record { "missing_field" } else { "missing_column" };
                let names: Vec<&str> = formats.iter().map(|f| f.action.as_str()).collect();
                return Err(Defect::new(code, "an action column").field(names.join("|")));
            };
            if flat && fits.next().is_some() {
                let expected = format!("formats={group}:...");
                let hint =
                    format!("the table has several action columns; say --option formats={group}:{}", formats[0].id);
                return Err(Defect::new("ambiguous_format", expected).field(format!("group={group}")).hint(hint));
            }
            return Ok(first);
        };
        let format = &formats[declared];
        if !record && !has(&format.action) {
            let expected = format!("the action column of format {}", format.id);
            return Err(Defect::new("missing_column", expected).field(&format.action));
        }
        Ok(declared)
    }
}

/// What is known about the file that is being read.
pub(crate) struct FileShape {
    /// The one cell that all records belong to.
    pub(crate) cell: Option<CellId>,
    /// Ids for which the file has no column.
    pub(crate) ids: Option<CellId>,
    /// The columns; none for JSON lines.
    pub(crate) columns: Option<Vec<String>>,
    /// The format of the one cell, where the header tells it.
    pub(crate) format: Option<usize>,
}
