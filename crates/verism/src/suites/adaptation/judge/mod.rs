//! From rows to counts: what each agent's years amount to, what breaks a rule, and the tallies of cells.
//!
//! `run` takes groups of logs through reading and judging, many at a time; `cells` judges the cells of a group, `agent`
//! the years of an agent; `tally` counts; `packed` holds the counts of a finished cell in a few hundred bytes; `filled`
//! decides whether it is known which rows are active; `events` writes what breaks a rule.

mod agent;
mod cells;
pub(crate) mod events;
pub(crate) mod filled;
pub(crate) mod packed;
pub(crate) mod run;
pub(crate) mod tally;
