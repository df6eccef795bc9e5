//! Suite `clinical`: is a generated medical answer true to the patient, safe, and usable?

mod extract;
mod metrics;
mod pack;
mod text;
mod truth;
