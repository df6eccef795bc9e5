//! The gate: rules that a comparison passes, fails or leaves open.
//!
//! ```text
//! guest.crrs >= 0.7                 the interval of its mean in every experiment: all of it satisfies: pass, none: fail
//! guest.crrs@exp5 >= 0.7            the same, one experiment
//! guest.crrs.mean >= 0.7            the mean over units alone (also median, min, max, coverage): pass or fail
//! coverage >= 0.95                  of all headline metrics together
//! guest.crrs: exp5 better_than exp1            better: pass, worse: fail; also no_worse_than (needs the option sesoi)
//! ```
//!
//! The p-values of `better_than` are corrected for the comparisons that the rules themselves name, so that an experiment
//! that no rule speaks of changes nothing.

mod finding;
mod judge;
mod junit;
mod named_pairs;
mod rule;
mod rule_list;
mod source;
mod view;

pub use finding::{Finding, Judgement, Outcome};
pub use junit::to_junit;
pub use rule::{Bound, Demand, Relation, Rule, Statistic};
pub use rule_list::{rules_of_config, rules_of_text};
pub use source::Source;

#[cfg(test)]
mod tests;
