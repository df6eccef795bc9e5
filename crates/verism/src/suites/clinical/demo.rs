//! Demo.

use std::path::Path;

use crate::error::Result;

pub(super) fn write(_folder: &Path) -> Result<()> {
    Ok(())
}
