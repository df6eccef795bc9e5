//! From token numbers to a vector.

use pulp::{Arch, Simd, WithSimd};

use super::attention::{Room, attend};
use super::gelu::gelu;
use super::matrix::Linear;
use super::norm::{LayerNorm, to_unit_length};

/// Rows that go through the feed-forward part together: few enough that its wide rows stay in the cache.
const FEED_FORWARD_ROWS: usize = 96;

/// One layer of the encoder.
pub(crate) struct Layer {
    /// Queries, keys and values in one.
    pub(crate) query_key_value: Linear,
    pub(crate) attention_output: Linear,
    pub(crate) attention_norm: LayerNorm,
    pub(crate) intermediate: Linear,
    pub(crate) output: Linear,
    pub(crate) output_norm: LayerNorm,
}

/// The whole network.
pub(crate) struct Network {
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
    /// One row per token number.
    pub(crate) words: Vec<f32>,
    /// One row per position, with the row of the first token type added.
    pub(crate) positions: Vec<f32>,
    pub(crate) embedding_norm: LayerNorm,
    pub(crate) layers: Vec<Layer>,
}

/// Room for the intermediate results of a batch, to be used again.
#[derive(Default)]
pub(crate) struct Buffers {
    states: Vec<f32>,
    query_key_value: Vec<f32>,
    context: Vec<f32>,
    intermediate: Vec<f32>,
    output: Vec<f32>,
    room: Room,
}

impl Network {
    /// The longest text in tokens that there are positions for.
    pub(crate) fn most_tokens(&self) -> usize {
        self.positions.len() / self.hidden
    }

    /// The number of tokens that there are rows for.
    pub(crate) fn vocabulary(&self) -> usize {
        self.words.len() / self.hidden
    }

    /// The vectors of some texts, each given as one to [`Network::most_tokens`] token numbers below [`Network::vocabulary`].
    pub(crate) fn embed(&self, texts: &[&[u32]], buffers: &mut Buffers) -> Vec<Vec<f32>> {
        Arch::new().dispatch(Forward { network: self, texts, buffers })
    }
}

struct Forward<'a> {
    network: &'a Network,
    texts: &'a [&'a [u32]],
    buffers: &'a mut Buffers,
}

impl WithSimd for Forward<'_> {
    type Output = Vec<Vec<f32>>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<Vec<f32>> {
        let Forward { network, texts, buffers } = self;
        let hidden = network.hidden;
        let rows = texts.iter().map(|text| text.len()).sum::<usize>();
        let width = 2 * S::F32_LANES;
        network.look_up(texts, &mut buffers.states);
        buffers.query_key_value.resize(rows * 3 * hidden, 0.0);
        buffers.context.resize(rows * hidden, 0.0);
        buffers.output.resize(rows * hidden, 0.0);
        for layer in &network.layers {
            layer.query_key_value.apply(simd, &buffers.states, &mut buffers.query_key_value);
            let mut start = 0;
            for text in texts {
                let end = start + text.len();
                let tokens = &buffers.query_key_value[start * 3 * hidden..end * 3 * hidden];
                let context = &mut buffers.context[start * hidden..end * hidden];
                attend(simd, tokens, hidden, network.heads, width, &mut buffers.room, context);
                start = end;
            }
            layer.attention_output.apply(simd, &buffers.context, &mut buffers.output);
            add_and_normalise(&mut buffers.states, &buffers.output, hidden, &layer.attention_norm);
            let block = FEED_FORWARD_ROWS * hidden;
            for (states, output) in buffers.states.chunks_mut(block).zip(buffers.output.chunks_mut(block)) {
                buffers.intermediate.resize(states.len() / hidden * layer.intermediate.outputs(), 0.0);
                layer.intermediate.apply(simd, states, &mut buffers.intermediate);
                for x in &mut buffers.intermediate {
                    *x = gelu(*x);
                }
                layer.output.apply(simd, &buffers.intermediate, output);
                add_and_normalise(states, output, hidden, &layer.output_norm);
            }
        }
        let mut states = buffers.states.chunks_exact(hidden);
        texts.iter().map(|text| pool(states.by_ref().take(text.len()), hidden)).collect()
    }
}

impl Network {
    /// The sum of what stands for each token and its position, normalised.
    #[inline(always)]
    fn look_up(&self, texts: &[&[u32]], states: &mut Vec<f32>) {
        states.clear();
        for text in texts {
            for (token, position) in text.iter().zip(self.positions.chunks_exact(self.hidden)) {
                let word = &self.words[*token as usize * self.hidden..][..self.hidden];
                states.extend(word.iter().zip(position).map(|(a, b)| a + b));
            }
        }
        for row in states.chunks_exact_mut(self.hidden) {
            self.embedding_norm.apply(row);
        }
    }
}

#[inline(always)]
fn add_and_normalise(states: &mut [f32], more: &[f32], hidden: usize, norm: &LayerNorm) {
    for (row, more) in states.chunks_exact_mut(hidden).zip(more.chunks_exact(hidden)) {
        for (x, y) in row.iter_mut().zip(more) {
            *x += y;
        }
        norm.apply(row);
    }
}

/// The mean over the tokens of a text, at unit length.
#[inline(always)]
fn pool<'a>(rows: impl Iterator<Item = &'a [f32]>, hidden: usize) -> Vec<f32> {
    let mut vector = vec![0.0; hidden];
    let mut count = 0.0_f32;
    for row in rows {
        count += 1.0;
        for (sum, x) in vector.iter_mut().zip(row) {
            *sum += x;
        }
    }
    for x in &mut vector {
        *x /= count;
    }
    to_unit_length(&mut vector);
    vector
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::weights::{self, Config};

    /// The vectors of a few texts on a given kind of CPU.
    fn vectors<S: Simd>(simd: S) -> Vec<Vec<f32>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tiny");
        let read = |name: &str| std::fs::read(folder.join(name)).expect("a file of the tiny model");
        let config = Config::parse(&read("config.json"), &folder).expect("a configuration");
        let network = weights::read(&read("model.safetensors"), &folder, &config, 2 * S::F32_LANES).expect("weights");
        let texts: Vec<Vec<u32>> =
            (1..=12).map(|length| (0..length).map(|i| (i * 7 + length) % 30).collect()).collect();
        let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
        simd.vectorize(Forward { network: &network, texts: &texts, buffers: &mut Buffers::default() })
    }

    #[test]
    fn kinds_of_cpu_agree() {
        let plain = vectors(pulp::Scalar::new());
        let mut others = vec![];
        #[cfg(target_arch = "x86_64")]
        {
            others.extend(pulp::x86::V3::try_new().map(vectors));
            others.extend(pulp::x86::V4::try_new().map(vectors));
        }
        #[cfg(target_arch = "aarch64")]
        others.extend(pulp::aarch64::Neon::try_new().map(vectors));
        for other in others {
            for (x, y) in plain.iter().flatten().zip(other.iter().flatten()) {
                // Section 2.5 of the specification of suite humor.
                assert!((x - y).abs() < 1e-6, "{x} {y}");
            }
        }
    }
}
