//! The fields of an item, and concepts of them.

use serde::{Deserialize, Serialize};

/// A field of an item, in the order in which concepts are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// Kind of movie.
    Genre,
    /// Who plays in it.
    Actor,
    /// Who directed it.
    Director,
    /// Who wrote it.
    Writer,
    /// What is spoken in it.
    Language,
    /// When it came out.
    Year,
    /// Its title; scored only if asked for.
    Name,
    /// A word of its plot; scored only if asked for.
    PlotKw,
}

impl Field {
    /// All fields.
    pub const ALL: [Field; 8] = [
        Field::Genre,
        Field::Actor,
        Field::Director,
        Field::Writer,
        Field::Language,
        Field::Year,
        Field::Name,
        Field::PlotKw,
    ];
    /// The fields that are always scored.
    pub const SCORED: [Field; 6] =
        [Field::Genre, Field::Actor, Field::Director, Field::Writer, Field::Language, Field::Year];

    /// Its name in logs and catalogs.
    pub fn name(self) -> &'static str {
        ["genre", "actor", "director", "writer", "language", "year", "name", "plot_kw"][self as usize]
    }

    /// The field with a name; `title`, `plot` and `plot_keywords` are other names of two of them.
    pub fn named(name: &str) -> Option<Field> {
        match name {
            "title" => Some(Field::Name),
            "plot" | "plot_keywords" => Some(Field::PlotKw),
            name => Field::ALL.into_iter().find(|field| field.name() == name),
        }
    }

    /// Whether its values are people.
    pub(crate) fn is_person(self) -> bool {
        matches!(self, Field::Actor | Field::Director | Field::Writer)
    }
}

/// A set of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fields(u8);

impl Fields {
    pub(crate) fn of(fields: &[Field]) -> Fields {
        Fields(fields.iter().fold(0, |bits, field| bits | 1 << *field as u8))
    }

    pub(crate) fn holds(self, field: Field) -> bool {
        self.0 >> field as u8 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_names_mean_the_same_fields() {
        assert_eq!(Field::named("title"), Some(Field::Name));
        assert_eq!(Field::named("plot"), Some(Field::PlotKw));
        assert_eq!(Field::named("mood"), None);
        assert!(Field::ALL.into_iter().all(|field| Field::named(field.name()) == Some(field)));
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = Fields::of(&[Field::Genre, Field::Year]);
        assert!(set.holds(Field::Year) && !set.holds(Field::Name));
    }
}
