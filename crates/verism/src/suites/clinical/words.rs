//! The words of `why`.

use crate::suites::records::Found;

pub(super) fn tell(_found: &Found<'_>, _lines: &mut Vec<String>) {}
