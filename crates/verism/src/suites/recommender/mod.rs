//! Does a conversational recommender follow when the user's mind moves?
//!
//! The suite's specification with worked examples is its README. The way of a dialogue: `record` reads it, `extract` finds
//! concepts and titles in its texts, a file per formula measures, `judge` puts a dialogue together, `finish` makes tables.

mod automaton;
mod catalog;
mod catalog_build;
mod catalog_read;
mod cc;
mod chars;
mod concepts;
mod copying;
mod cr;
mod curves;
mod dialogue;
mod dst;
mod extract;
mod facts;
mod fidelity;
mod field;
mod leakage;
mod lexicon;
mod options;
mod outcome;
mod patterns;
mod pieces;
mod rec_satisfaction;
mod recommend;
mod record;
mod recovery;
mod result;
mod rows;
mod score_rows;
mod scores;
mod segment;
mod shift;
mod sight;
mod substring;
mod tas;
mod titles;
mod turn;
mod turn_table;
mod value;
mod words;
mod years;

/// The suite's name.
const ID: &str = "recommender";
/// Version of its specification.
const SPEC_VERSION: &str = "1";
