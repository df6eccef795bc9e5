//! Which text of its batch is nearest to each: by words and by meaning.

use crate::text::numbered::TokenTexts;
use crate::text::shared_runs::SharedRun;

/// What is known of the neighbours of a batch's texts.
pub(crate) struct Neighbours {
    pub(crate) ids: Vec<String>,
    /// Treebank tokens in lower case.
    pub(crate) tokens: TokenTexts,
    /// The longest run that each text shares with another.
    pub(crate) runs: Vec<Option<SharedRun>>,
    /// The text of the largest cosine to each, and the cosine; none without measures of meaning.
    pub(crate) semantic: Option<Vec<(u32, f64)>>,
}

/// One row of the table of neighbours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbour<'a> {
    pub(crate) item: &'a str,
    pub(crate) nearest: Option<&'a str>,
    pub(crate) shared: Option<String>,
    pub(crate) nearest_semantic: Option<&'a str>,
    pub(crate) cosine: Option<f64>,
}

impl Neighbours {
    /// A row for each text, made when it is asked for; none for a single text.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Neighbour<'_>> {
        let id = |text: u32| self.ids[text as usize].as_str();
        let texts = if self.ids.len() < 2 { 0 } else { self.ids.len() };
        (0..texts).map(move |i| {
            let run = self.runs[i];
            let semantic = self.semantic.as_ref().map(|near| near[i]);
            Neighbour {
                item: &self.ids[i],
                nearest: run.map(|run| id(run.other)),
                shared: run.map(|run| self.tokens.joined(run.at, run.length as usize)),
                nearest_semantic: semantic.map(|(text, _)| id(text)),
                cosine: semantic.map(|(_, cosine)| cosine + 0.0),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_text_has_no_neighbour() {
        let mut tokens = TokenTexts::default();
        tokens.push(["a", "b"].into_iter());
        let alone = Neighbours { ids: vec!["x".into()], tokens, runs: vec![None], semantic: None };
        assert_eq!(alone.rows().count(), 0);
    }

    #[test]
    fn rows_name_texts_and_words() {
        let mut tokens = TokenTexts::default();
        tokens.push(["a", "b"].into_iter());
        tokens.push(["b"].into_iter());
        let run = |other, at| Some(SharedRun { other, at, length: 1 });
        let (ids, runs) = (vec!["x".into(), "y".into()], vec![run(1, 1), run(0, 2)]);
        let both = Neighbours { ids, tokens, runs, semantic: Some(vec![(1, -0.0), (0, 0.5)]) };
        let rows: Vec<Neighbour<'_>> = both.rows().collect();
        assert_eq!((rows[0].nearest, rows[0].shared.as_deref()), (Some("y"), Some("b")));
        assert_eq!((rows[1].nearest_semantic, rows[1].cosine), (Some("x"), Some(0.5)));
    }
}
