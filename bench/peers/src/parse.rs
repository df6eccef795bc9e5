//! Lines of JSON into values.

use verism::input::value::Json;

/// Keys of the outermost objects of all lines.
pub(crate) fn count(bytes: Vec<u8>) -> Result<String, String> {
    let mut keys = 0;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line = std::str::from_utf8(line).map_err(|error| error.to_string())?;
        keys += Json::parse(line).ok_or("no JSON")?.object().map_or(0, <[_]>::len);
    }
    Ok(keys.to_string())
}
