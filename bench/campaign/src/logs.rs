//! Random logs of a suite: lines of its demo in another order, with other values, or damaged; and options that it takes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verism::input::{Input, Unwatched};
use verism::suites::{Destination, Job, Options, Suite, score};

use crate::damage::{Random, damage};

/// Lines that are taken of a log.
const LINES: usize = 8;
/// Logs of a folder.
const FILES: usize = 3;

/// What random jobs of a suite are made of.
pub struct Stock {
    /// The suite.
    pub suite: &'static dyn Suite,
    /// Logs of its demo: the path below the folder, and the lines.
    files: Vec<(PathBuf, Vec<String>)>,
    /// Options with values that it takes.
    options: Vec<String>,
}

impl Stock {
    /// Writes the demo of a suite into an empty folder and asks what each option takes.
    pub fn of(suite: &'static dyn Suite, folder: &Path) -> io::Result<Stock> {
        suite.write_demo(folder).map_err(|error| io::Error::other(error.to_string()))?;
        let mut files = vec![];
        gather(folder, folder, &mut files)?;
        files.sort();
        let mut stock = Stock { suite, files, options: vec![] };
        stock.options = stock.taken(folder);
        Ok(stock)
    }

    /// Every option with each value that it takes, among those that it names when it refuses one and a few others.
    fn taken(&self, folder: &Path) -> Vec<String> {
        let refused = |pair: &str| {
            let mut options = Options::default();
            if let Err(error) = options.add(pair) {
                return Some(error);
            }
            let job = Job { lenient: true, ..Job::new(vec![Input::Path(folder.to_path_buf())], options, &Unwatched) };
            let to = Destination { memory: true, ..Destination::default() };
            score(self.suite, job, to).err().map(|error| error.defect())
        };
        let mut taken = vec![];
        for option in (self.suite.facts().options)() {
            let expected = refused(&format!("{}=\u{1}", option.name)).and_then(|defect| defect.expected);
            let expected = expected.unwrap_or_default();
            let named = expected.split('|').filter(|word| !word.contains(' ')).map(String::from);
            let values = named.chain(["3", "0.5", "1", "true", "builtin"].map(String::from));
            let pairs = values.filter(|value| value != option.default).map(|value| format!("{}={value}", option.name));
            taken.extend(pairs.filter(|pair| refused(pair).is_none()));
        }
        taken
    }

    /// At most two options.
    pub fn options(&self, random: &mut Random) -> Vec<String> {
        let count = random.below(3).min(self.options.len());
        let mut options: Vec<String> = vec![];
        for _ in 0..count {
            let pair = &self.options[random.below(self.options.len())];
            let name = |pair: &str| pair.split('=').next().map(String::from);
            if !options.iter().any(|other| name(other) == name(pair)) {
                options.push(pair.clone());
            }
        }
        options
    }

    /// Writes a few logs below a folder and gives their paths.
    pub fn write(&self, folder: &Path, random: &mut Random) -> io::Result<Vec<PathBuf>> {
        let mut paths = vec![];
        for _ in 0..random.below(FILES) + 1 {
            let (name, lines) = &self.files[random.below(self.files.len())];
            let path = folder.join(name);
            if paths.contains(&path) {
                continue;
            }
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, log(lines, name.extension().is_some_and(|ending| ending == "csv"), random))?;
            paths.push(path);
        }
        Ok(paths)
    }
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<(PathBuf, Vec<String>)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(root, &path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "csv" || ending == "jsonl") {
            let lines = fs::read_to_string(&path)?.lines().map(String::from).collect();
            files.push((path.strip_prefix(root).unwrap_or(&path).to_path_buf(), lines));
        }
    }
    Ok(())
}

/// A few lines of a log, of a table after its header.
fn log(lines: &[String], table: bool, random: &mut Random) -> Vec<u8> {
    let (head, body) = lines.split_at(usize::from(table).min(lines.len()));
    let mut text = head.iter().map(|line| format!("{line}\n")).collect::<String>();
    for _ in 0..random.below(LINES) + 1 {
        let Some(line) = body.get(random.below(body.len().max(1))) else { break };
        match (random.below(6), table) {
            (0, false) => text.push_str(&changed(line, random)),
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    if random.below(3) == 0 { damage(random, text.into_bytes()) } else { text.into_bytes() }
}

/// A JSON line with one value taken away or replaced, at any depth.
fn changed(line: &str, random: &mut Random) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(line) else { return line.into() };
    change(&mut value, random);
    value.to_string()
}

const OTHERS: [&str; 12] = [
    "null",
    "\"\"",
    "\"other\"",
    "0",
    "-1",
    "1e300",
    "true",
    "[]",
    "{}",
    "\"\u{200b}\"",
    "\"한국어\"",
    "12345678901234567890",
];

fn change(value: &mut Value, random: &mut Random) {
    let inner = match value {
        Value::Object(entries) if !entries.is_empty() => {
            let at = random.below(entries.len());
            let key = entries.keys().nth(at).cloned().unwrap_or_default();
            if random.below(5) == 0 {
                entries.remove(&key);
                return;
            }
            entries.get_mut(&key)
        }
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            if random.below(5) == 0 {
                items.remove(at);
                return;
            }
            items.get_mut(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) if random.below(5) > 0 => change(inner, random),
        _ => *value = serde_json::from_str(random.pick(&OTHERS)).unwrap_or_default(),
    }
}
