//! Corpora: which files with which weights, and the cards in them.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use crate::error::{Defect, Error, Result as Done};
use crate::input::lines::{Lines, read_lines};
use crate::input::value::Json;
use crate::input::{Held, Kind, Limits, Sink, Table, Wanted, Watch};
use crate::score::json;
use crate::suites::humor::record::tables_in::{TOO_MANY, each_row, no_column, text_of};
use crate::suites::records::base_name;
use crate::suites::split_weight;
use crate::text::json::{ONE_PER_LINE, why_not};
use crate::text::model::{CardType, Counts, Model, Reading, Refused, Tables};

/// Name of the corpus that is built in.
pub(crate) const BUILT_IN: &str = "builtin";
/// Its cards: one document per line.
pub(crate) const BUILT_IN_CARDS: &str = include_str!("cards.jsonl");

/// A file to train on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CorpusFile {
    pub(crate) path: PathBuf,
    pub(crate) weight: u64,
    /// Whether a weight was written.
    weighted: bool,
}

impl CorpusFile {
    /// As the report shows it.
    pub(crate) fn shown(&self) -> String {
        let name = base_name(&self.path);
        if self.weight > 1 { format!("{name}*{}", self.weight) } else { name }
    }
}

fn not_found(path: &str) -> Defect {
    Defect::new("not_found", "a readable file").file(base_name(Path::new(path)))
}

/// The files of `FILE[*WEIGHT]`: a final `*` and digits are the weight, any other `*` makes a glob.
pub(crate) fn files(specs: &[String]) -> Result<Vec<CorpusFile>, Defect> {
    let mut all = vec![];
    for spec in specs {
        let (path, weight) = match split_weight(spec) {
            (path, None) => (path, None),
            (path, Some(digits)) => {
                let weight = digits.parse().ok().filter(|weight: &u64| (1..=1 << 32).contains(weight));
                let wrong =
                    || Defect::new("bad_option", "a whole number from 1 to 4294967296").field("weight").value(digits);
                (path, Some(weight.ok_or_else(wrong)?))
            }
        };
        let mut found = vec![PathBuf::from(path)];
        if path.contains('*') {
            found = glob::glob(path).map_err(|_| not_found(path))?.flatten().collect();
            found.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
        }
        let exists = |path: &PathBuf| path.exists() || path.as_os_str() == BUILT_IN;
        if !found.first().is_some_and(exists) {
            return Err(not_found(path));
        }
        let file = |path: PathBuf| CorpusFile { path, weight: weight.unwrap_or(1), weighted: weight.is_some() };
        all.extend(found.into_iter().map(file));
    }
    Ok(all)
}

/// A model file, or the reason why it is none.
pub(crate) fn open_model(path: &Path) -> Result<Model, Defect> {
    Model::open(path).map_err(|refused| match refused {
        Refused::Unreadable(_) => not_found(&path.display().to_string()),
        other => {
            let hint = "`verism train humor CORPUS... -o FILE` makes one";
            let expected = "a model file of this version of verism";
            Defect::new("bad_model", expected).file(base_name(path)).value(other.to_string()).hint(hint)
        }
    })
}

/// A card, or what is wrong with it and where.
type Card = Result<(CardType, String), Defect>;

/// The card of a record; `field` names the text in messages.
fn card(record: &Json<'_>, field: &str) -> Card {
    let text = match record.get("text") {
        None => return Err(Defect::new("missing_field", "a text").field(field)),
        Some(Json::Text(text)) => text.to_string(),
        Some(other) => return Err(Defect::new("bad_type", "a text").field(field).value(json::text(other))),
    };
    let kind = match record.get("card_type") {
        None => CardType::Unknown,
        Some(Json::Text(kind)) => match kind.as_ref() {
            "" => CardType::Unknown,
            "white" => CardType::White,
            "black" => CardType::Black,
            other => return Err(wrong_kind(other)),
        },
        Some(other) => return Err(wrong_kind(&json::text(other))),
    };
    Ok((kind, text))
}

fn wrong_kind(found: &str) -> Defect {
    Defect::new("bad_value", "white or black").field("card_type").value(found)
}

/// The card of a line of text or JSON; none if it is blank.
fn line_card(bytes: &[u8], plain: bool, limits: Limits) -> Option<Card> {
    if bytes.len() > limits.record_bytes {
        return Some(Err(limits.too_long()));
    }
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let Ok(text) = simdutf8::basic::from_utf8(bytes) else {
        return Some(Err(Defect::new("bad_encoding", "UTF-8").hint("save the file as UTF-8")));
    };
    if text.trim().is_empty() {
        return None;
    }
    if plain {
        return Some(Ok((CardType::Unknown, text.to_string())));
    }
    let start = || text.chars().take(60).collect::<String>();
    if let Err(defect) = limits.check_values(bytes) {
        return Some(Err(defect));
    }
    Some(match Json::parse(text) {
        None => Err(Defect { hint: why_not(text.trim()), ..Defect::new("bad_json", "a JSON object").value(start()) }),
        Some(record @ Json::Object(_)) => card(&record, "text"),
        Some(_) => Err(Defect::new("not_object", "a JSON object").value(start()).hint(ONE_PER_LINE)),
    })
}

/// Counts by any number of threads: sums do not depend on who counted what.
struct Pool {
    reading: Reading,
    weight: u64,
    idle: Mutex<Vec<Counts>>,
}

impl Pool {
    fn draw(&self) -> Counts {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| Counts::new(self.reading, self.weight))
    }

    fn give_back(&self, counts: Counts) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(counts);
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Counts) -> T) -> T {
        let mut counts = self.draw();
        let done = work(&mut counts);
        self.give_back(counts);
        done
    }

    fn finish(self) -> Tables {
        let counts = self.idle.into_inner().unwrap_or_default();
        let tables: Vec<Tables> = counts.into_par_iter().map(Counts::finish).collect();
        let sum = tables.into_iter().reduce(Tables::plus);
        sum.unwrap_or_else(|| Counts::new(self.reading, self.weight).finish())
    }
}

/// Cards of a Parquet file that are counted at the same time, and bytes of their texts.
const CARDS_AT_ONCE: usize = 1 << 15;
const BYTES_AT_ONCE: usize = 16 << 20;

/// Counts the cards of some rows of a table.
struct Rows {
    counts: Counts,
    bad: Vec<(u64, Defect)>,
}

impl Sink for Rows {
    fn record(&mut self, line: u64, cells: &[Option<&str>]) {
        let entry =
            |(name, cell): (&'static str, &Option<&str>)| Some((name.into(), Json::Text((*cell)?.to_string().into())));
        let record = Json::Object(["text", "card_type"].into_iter().zip(cells).filter_map(entry).collect());
        match card(&record, "text") {
            Ok((kind, text)) => self.counts.add(kind, &text),
            Err(defect) => self.bad.push((line, defect)),
        }
    }

    fn defect(&mut self, line: u64, defect: Defect) {
        let defect = match defect.code.as_ref() {
            "ragged_row" => Defect { code: "bad_value".into(), ..defect }.hint(TOO_MANY),
            _ => defect,
        };
        self.bad.push((line, defect));
    }
}

/// What training collects beside counts.
pub(crate) struct Trainer<'a> {
    pub(crate) watch: &'a dyn Watch,
    /// Takes bad rows, which are passed over; none if the first one ends the training.
    pub(crate) errors: Option<&'a mut Vec<Defect>>,
}

impl Trainer<'_> {
    /// A defect ends the training unless it is lenient.
    fn note(&mut self, defect: Defect) -> Result<(), Defect> {
        match &mut self.errors {
            None => Err(defect),
            Some(errors) => {
                errors.push(defect);
                Ok(())
            }
        }
    }

    /// The counts of a file of cards.
    pub(crate) fn count(&mut self, file: &CorpusFile, reading: Reading) -> Done<Tables> {
        let pool = Pool { reading, weight: file.weight, idle: Mutex::default() };
        let name = base_name(&file.path);
        let ending = file.path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        match ending.as_str() {
            _ if file.path.as_os_str() == BUILT_IN => {
                self.lines(Box::new(BUILT_IN_CARDS.as_bytes()), &name, false, &pool)?;
            }
            "txt" | "jsonl" => {
                let opened = File::open(&file.path).map_err(|_| not_found(&name))?;
                self.lines(Box::new(opened), &name, ending == "txt", &pool)?;
            }
            "csv" => self.table(&file.path, &name, &pool)?,
            "parquet" => self.parquet(&file.path, &name, &pool)?,
            "json" => self.collection(&file.path, &name, &pool)?,
            other => {
                let expected = ".parquet, .jsonl, .csv, .txt, .json or .vrm";
                return Err(Defect::new("bad_corpus", expected).file(name).value(other).into());
            }
        }
        Ok(pool.finish())
    }

    fn lines(&mut self, reader: Box<dyn io::Read + Send + '_>, name: &str, plain: bool, pool: &Pool) -> Done<()> {
        let (watch, limits) = (self.watch, self.watch.limits());
        let work = |lines: Lines<'_>| -> Vec<(u64, Defect)> {
            pool.with(|counts| {
                let mut bad = vec![];
                for (line, number) in lines.iter().zip(0..) {
                    match line_card(line, plain, limits) {
                        None => {}
                        Some(Ok((kind, text))) => counts.add(kind, &text),
                        Some(Err(defect)) => bad.push((number, defect)),
                    }
                }
                bad
            })
        };
        let mut failed = None;
        let mut take = |bad: Vec<(u64, Defect)>, before: u64| {
            for (number, defect) in bad {
                if let Err(defect) = self.note(defect.file(name).line(before + number + 1)) {
                    failed = Some(defect);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        let read = read_lines(reader, watch, &work, &mut take);
        match (failed, read) {
            (Some(defect), _) => Err(defect.into()),
            (None, Err(_)) => Err(not_found(name).into()),
            _ if watch.stop() => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }

    /// Cards of a CSV file; a row may be shorter than the header, or longer by empty cells.
    fn table(&mut self, path: &Path, name: &str, pool: &Pool) -> Done<()> {
        let table = Table::open(path, Kind::Csv, self.watch).ragged();
        let columns = table.columns.clone().unwrap_or_default();
        let wanted = ["text", "card_type"].map(String::from);
        let mut failed = None;
        let ended = table.read(&wanted, &|| Rows { counts: pool.draw(), bad: vec![] }, &mut |rows: Rows, before| {
            pool.give_back(rows.counts);
            for (line, defect) in rows.bad {
                if let Err(defect) = self.note(no_column(defect, &columns).file(name).line(before + line + 1)) {
                    failed = Some(defect);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        let whole = ended.defect.map(|defect| match defect.code.as_ref() {
            "bad_utf8" => Defect { code: "bad_encoding".into(), ..defect },
            "unterminated_quote" => Defect { code: "bad_input".into(), ..defect },
            "unreadable" => not_found(name),
            _ => defect,
        });
        match failed.or(whole.filter(|defect| defect.code != "empty_file")) {
            Some(defect) => Err(defect.file(name).into()),
            None if self.watch.stop() => Err(Error::Interrupted),
            None => Ok(()),
        }
    }

    /// Cards of a Parquet file.
    fn parquet(&mut self, path: &Path, name: &str, pool: &Pool) -> Done<()> {
        let missing = || Defect::new("missing_field", "a column named text").field("text");
        let limits = self.watch.limits();
        let mut cards: Vec<(Option<u64>, Card)> = vec![];
        let mut bytes = 0;
        let mut failed = None;
        let columns = each_row(path, Wanted::Only(&["text", "card_type"]), Held::Row, limits, &mut |row, record| {
            if record.entry("text").is_none() {
                return Err(missing());
            }
            let card = card(&record, "text");
            bytes += card.as_ref().map_or(0, |(_, text)| text.len());
            cards.push((Some(row), card));
            if cards.len() < CARDS_AT_ONCE && bytes < BYTES_AT_ONCE {
                return Ok(());
            }
            bytes = 0;
            self.cards(std::mem::take(&mut cards), name, pool).map_err(|error| {
                failed = Some(error);
                missing()
            })
        });
        match (failed, columns) {
            (Some(error), _) => return Err(error),
            (None, Err(defect)) => return Err(defect.file(name).into()),
            (None, Ok(columns)) if !columns.iter().any(|column| column == "text") => {
                return Err(missing().file(name).into());
            }
            _ => {}
        }
        self.cards(cards, name, pool)
    }

    fn cards(&mut self, cards: Vec<(Option<u64>, Card)>, name: &str, pool: &Pool) -> Done<()> {
        let good = |(_, card): &(Option<u64>, Card)| card.is_ok();
        cards.par_chunks(1 << 12).for_each(|chunk| {
            pool.with(|counts| {
                let good = chunk.iter().filter_map(|(_, card)| card.as_ref().ok());
                good.for_each(|(kind, text)| counts.add(*kind, text));
            });
        });
        for (line, card) in cards.into_iter().filter(|card| !good(card)) {
            let Err(mut defect) = card else { continue };
            (defect.file, defect.line) = (Some(name.to_string()), line);
            self.note(defect)?;
        }
        if self.watch.stop() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Cards of the public collection format: `{"white": [text], "black": [{"text", "pick"}]}`.
    fn collection(&mut self, path: &Path, name: &str, pool: &Pool) -> Done<()> {
        let text = text_of(path, self.watch.limits())?;
        self.watch.limits().check_values(text.as_bytes()).map_err(|defect| defect.file(name))?;
        let Some(document) = Json::parse(&text) else {
            return Err(Defect::new("bad_json", "a JSON document").file(name).into());
        };
        if !matches!(document, Json::Object(_)) {
            return Err(Defect::new("bad_corpus", "an object with white and black").file(name).into());
        }
        let mut cards = vec![];
        for kind in ["white", "black"] {
            let list = document.get(kind).and_then(Json::list);
            let list = list.ok_or_else(|| Defect::new("bad_corpus", "an array").field(kind).file(name))?;
            for (i, entry) in list.iter().enumerate() {
                let field = format!("{kind}[{i}]");
                let card = match (kind, entry) {
                    ("white", text) => as_card(kind, text.clone(), &field),
                    (_, Json::Object(_)) => {
                        as_card(kind, entry.get("text").cloned().unwrap_or_default(), &format!("{field}.text"))
                    }
                    (_, other) => {
                        Err(Defect::new("bad_type", "an object with text").field(field).value(json::text(other)))
                    }
                };
                cards.push((None, card));
            }
        }
        self.cards(cards, name, pool)
    }
}

fn as_card(kind: &str, text: Json<'_>, field: &str) -> Card {
    card(&Json::Object(vec![("card_type".into(), Json::Text(kind.into())), ("text".into(), text)]), field)
}

impl CorpusFile {
    /// Whether it is a model file; a weight on one is refused.
    pub(crate) fn is_model(&self) -> Result<bool, Defect> {
        let model = self.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vrm"));
        if model && self.weighted {
            let defect = Defect::new("bad_option", "no weight: a model file is added as it stands").field("weight");
            return Err(defect.value(self.weight.to_string()).file(base_name(&self.path)));
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_star_and_digits_are_the_weight() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.txt", "a.txt", "c.csv"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        let spec = |text: &str| vec![folder.path().join(text).display().to_string()];
        let shown = |text: &str| files(&spec(text)).map(|all| all.iter().map(CorpusFile::shown).collect::<Vec<_>>());
        assert_eq!(shown("*.txt*3"), Ok(vec!["a.txt*3".into(), "b.txt*3".into()]));
        assert_eq!(shown("c.csv"), Ok(vec!["c.csv".into()]));
        assert_eq!(shown("c.csv*0").expect_err("refused").field.as_deref(), Some("weight"));
        assert_eq!(shown("d*.txt").expect_err("refused").code, "not_found");
    }
}
