//! Pieces of JSON that rows and results are put together from, written straight into bytes.

pub(crate) use crate::score::json::push_whole;
use crate::score::json::{push, push_float, push_text};
use crate::score::measure::Measure;
use crate::suites::recommender::catalog::concepts::Concepts;
use crate::suites::recommender::measures::copying::Copying;

/// Appends `"key":` with a comma before it, unless it is the first of its object.
pub(crate) fn push_key(out: &mut Vec<u8>, key: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.push(b'"');
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Appends a list.
pub(crate) fn push_list<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut one: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        one(out, item);
    }
    out.push(b']');
}

/// Appends a count.
pub(crate) fn push_count(out: &mut Vec<u8>, x: usize) {
    push_whole(out, x as u64);
}

/// Appends a number, or null if it is undefined.
pub(crate) fn push_measure(out: &mut Vec<u8>, measure: &Measure) {
    match measure {
        Ok(x) => push_number(out, *x),
        Err(_) => out.extend_from_slice(b"null"),
    }
}

/// Appends a finite number; most are 0 or 1.
pub(crate) fn push_number(out: &mut Vec<u8>, x: f64) {
    if x == 1.0 {
        out.extend_from_slice(b"1.0");
    } else if x.to_bits() == 0 {
        out.extend_from_slice(b"0.0");
    } else {
        push_float(out, x);
    }
}

/// Appends a concept as `"field=label"`.
pub(crate) fn push_concept(out: &mut Vec<u8>, concept: u32, concepts: &Concepts) {
    let concept = concepts.get(concept);
    // The name of the field needs no escapes; it takes the place of the label's opening mark.
    out.push(b'"');
    out.extend_from_slice(concept.field.name().as_bytes());
    let mark = out.len();
    push_text(out, &concept.label);
    out[mark] = b'=';
}

/// Appends a list of concepts.
pub(crate) fn push_concepts(out: &mut Vec<u8>, list: impl IntoIterator<Item = u32>, concepts: &Concepts) {
    push_list(out, list, |out, concept| push_concept(out, concept, concepts));
}

/// Appends a text, or null.
pub(crate) fn push_optional_text(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => push_text(out, text),
        None => out.extend_from_slice(b"null"),
    }
}

/// Appends what was copied.
pub(crate) fn push_copying(out: &mut Vec<u8>, copy: &Copying) {
    out.push(b'{');
    push_key(out, "n");
    push(out, &copy.n);
    push_key(out, "shared");
    push_whole(out, copy.shared);
    push_key(out, "total");
    push_whole(out, copy.total);
    push_key(out, "examples");
    push_list(out, &copy.examples, |out, text| push_text(out, text));
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::recommender::catalog::concepts::Concept;
    use crate::suites::recommender::catalog::field::Field;

    #[test]
    fn concepts_are_escaped() {
        let concept = Concept { field: Field::Name, label: "say \"x\"".into() };
        let concepts = Concepts::new(vec![(concept, vec![0])], 1);
        let mut out = vec![];
        push_concepts(&mut out, [0, 0], &concepts);
        assert_eq!(out, br#"["name=say \"x\"","name=say \"x\""]"#);
    }

    #[test]
    fn numbers() {
        let mut out = vec![];
        push_whole(&mut out, 0_u64);
        push_whole(&mut out, 1203_u64);
        push_number(&mut out, -0.5);
        assert_eq!(out, b"01203-0.5");
    }
}
