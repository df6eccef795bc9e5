//! Writes synthetic dialogues whose users are the same for every agent.
//!
//! The harness knows no suite. A [`Simulator`] opens a [`World`]; that gives for every seed a [`Scenario`], which has a
//! [`UserPolicy`] and [`Agent`]s; [`play`](play::play) lets them speak in turn. [`Simulation`] plays all dialogues of a
//! [`Participants`], and [`Simulation::write`] brings them into a folder that can be gone on with when it is half done.
//! `recommender` is the first suite that joins; another one adds a folder and a line in `simulator.rs`.

mod folder;
pub mod participants;
pub mod play;
pub mod recommender;
mod record;
mod resume;
mod seeds;
mod simulation;
pub mod simulator;
mod stream;

pub use folder::Written;
pub use participants::{Job, Participants, View};
pub use play::{Agent, Message, Turn, UserPolicy};
pub use seeds::Seeds;
pub use simulation::{Played, Simulation};
pub use simulator::{SIMULATORS, Scenario, Simulator, World, simulator};
pub use stream::{Stream, words};
