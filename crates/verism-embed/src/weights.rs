//! A network from `model.safetensors`, with what `config.json` says about it.

use std::path::Path;

use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::network::{Layer, LayerNorm, Linear, Network};

/// What the weights themselves do not tell. The defaults are BERT's.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    model_type: String,
    hidden_act: String,
    position_embedding_type: String,
    num_attention_heads: usize,
    layer_norm_eps: f32,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            model_type: "bert".into(),
            hidden_act: "gelu".into(),
            position_embedding_type: "absolute".into(),
            num_attention_heads: 12,
            layer_norm_eps: 1e-12,
        }
    }
}

impl Config {
    /// Reads a configuration and refuses what this network is not.
    pub(crate) fn parse(bytes: &[u8], file: &Path) -> Result<Config> {
        let config: Config = serde_json::from_slice(bytes).map_err(|error| {
            Error::bad_model(file, "the configuration of a BERT model as JSON").value(error.to_string())
        })?;
        for (field, found, expected) in [
            ("model_type", &config.model_type, "bert"),
            ("hidden_act", &config.hidden_act, "gelu"),
            ("position_embedding_type", &config.position_embedding_type, "absolute"),
        ] {
            if found != expected {
                return Err(Error::bad_model(file, expected).field(field).value(found));
            }
        }
        if !(config.layer_norm_eps.is_finite() && config.layer_norm_eps >= 0.0) {
            let expected = "a number that is not negative";
            return Err(Error::bad_model(file, expected).field("layer_norm_eps"));
        }
        Ok(config)
    }
}

/// Reads the weights and packs them into panels of `width` columns; sizes are those of the tensors.
pub(crate) fn read(bytes: &[u8], file: &Path, config: &Config, width: usize) -> Result<Network> {
    let tensors = SafeTensors::deserialize(bytes)
        .map_err(|error| Error::bad_model(file, "weights in the safetensors format").value(error.to_string()))?;
    // Models with a head on top keep the encoder under a name of its own.
    let prefix = if tensors.tensor("bert.embeddings.word_embeddings.weight").is_ok() { "bert." } else { "" };
    let reader = Reader { tensors, prefix, file, width, epsilon: config.layer_norm_eps };
    let (words, [vocabulary, hidden]) = reader.matrix("embeddings.word_embeddings.weight")?;
    let heads = config.num_attention_heads;
    if vocabulary == 0 || hidden == 0 || heads == 0 || hidden % heads != 0 {
        let expected = format!("a size that {heads} heads divide");
        let found = format!("[{vocabulary}, {hidden}]");
        return Err(Error::bad_model(file, expected).field("embeddings.word_embeddings.weight").value(found));
    }
    let (mut positions, [most_tokens, _]) = reader.wide("embeddings.position_embeddings.weight", hidden)?;
    if most_tokens < 3 {
        let expected = "three positions or more";
        return Err(Error::bad_model(file, expected).field("embeddings.position_embeddings.weight"));
    }
    let (types, [kinds, _]) = reader.wide("embeddings.token_type_embeddings.weight", hidden)?;
    if kinds == 0 {
        let expected = "one token type or more";
        return Err(Error::bad_model(file, expected).field("embeddings.token_type_embeddings.weight"));
    }
    for row in positions.chunks_exact_mut(hidden) {
        row.iter_mut().zip(&types).for_each(|(x, y)| *x += y);
    }
    let embedding_norm = reader.norm("embeddings.LayerNorm", hidden)?;
    let mut layers = vec![];
    while reader.has(&format!("encoder.layer.{}.attention.self.query.weight", layers.len())) {
        layers.push(reader.layer(layers.len(), hidden)?);
    }
    if layers.is_empty() {
        let field = format!("{prefix}encoder.layer.0.attention.self.query.weight");
        return Err(Error::bad_model(file, "the layers of a BERT encoder").field(field).value("no such tensor"));
    }
    Ok(Network { hidden, heads, words, positions, embedding_norm, layers })
}

struct Reader<'a> {
    tensors: SafeTensors<'a>,
    prefix: &'static str,
    file: &'a Path,
    width: usize,
    epsilon: f32,
}

impl Reader<'_> {
    fn has(&self, name: &str) -> bool {
        self.tensors.tensor(&format!("{}{name}", self.prefix)).is_ok()
    }

    fn layer(&self, number: usize, hidden: usize) -> Result<Layer> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let (mut weights, mut bias) = (vec![], vec![]);
        for part in ["query", "key", "value"] {
            let part = name(&format!("attention.self.{part}"));
            weights.extend(self.sized(&format!("{part}.weight"), [hidden, hidden])?);
            bias.extend(self.vector(&format!("{part}.bias"), hidden)?);
        }
        let inner_name = name("intermediate.dense.weight");
        let (_, [inner, _]) = self.wide(&inner_name, hidden)?;
        if inner == 0 {
            let field = format!("{}{inner_name}", self.prefix);
            return Err(Error::bad_model(self.file, "one row or more").field(field).value("none"));
        }
        Ok(Layer {
            query_key_value: Linear::pack(&weights, &bias, hidden, self.width),
            attention_output: self.linear(&name("attention.output.dense"), hidden, hidden)?,
            attention_norm: self.norm(&name("attention.output.LayerNorm"), hidden)?,
            intermediate: self.linear(&name("intermediate.dense"), hidden, inner)?,
            output: self.linear(&name("output.dense"), inner, hidden)?,
            output_norm: self.norm(&name("output.LayerNorm"), hidden)?,
        })
    }

    fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
        let weights = self.sized(&format!("{name}.weight"), [outputs, inputs])?;
        let bias = self.vector(&format!("{name}.bias"), outputs)?;
        Ok(Linear::pack(&weights, &bias, inputs, self.width))
    }

    fn norm(&self, name: &str, size: usize) -> Result<LayerNorm> {
        Ok(LayerNorm {
            scale: self.vector(&format!("{name}.weight"), size)?,
            shift: self.vector(&format!("{name}.bias"), size)?,
            epsilon: self.epsilon,
        })
    }

    fn vector(&self, name: &str, size: usize) -> Result<Vec<f32>> {
        let (numbers, [_]) = self.tensor(name, &|[found]| *found == size, &format!("[{size}]"))?;
        Ok(numbers)
    }

    fn sized(&self, name: &str, size: [usize; 2]) -> Result<Vec<f32>> {
        let (numbers, [_, _]) = self.tensor(name, &|found| *found == size, &format!("{size:?}"))?;
        Ok(numbers)
    }

    fn wide(&self, name: &str, columns: usize) -> Result<(Vec<f32>, [usize; 2])> {
        self.tensor(name, &|found: &[usize; 2]| found[1] == columns, &format!("[any number, {columns}]"))
    }

    fn matrix(&self, name: &str) -> Result<(Vec<f32>, [usize; 2])> {
        self.tensor(name, &|_| true, "with two dimensions")
    }

    /// A tensor of finite single-precision numbers whose shape is as it should be.
    fn tensor<const N: usize>(
        &self,
        name: &str,
        fits: &dyn Fn(&[usize; N]) -> bool,
        shape: &str,
    ) -> Result<(Vec<f32>, [usize; N])> {
        let name = format!("{}{name}", self.prefix);
        let wrong = |value: String| {
            Err(Error::bad_model(self.file, format!("a tensor F32 {shape} of finite numbers"))
                .field(&name)
                .value(value))
        };
        let Ok(tensor) = self.tensors.tensor(&name) else { return wrong("no such tensor".into()) };
        let found = <[usize; N]>::try_from(tensor.shape()).ok().filter(|found| fits(found));
        let (Dtype::F32, Some(found)) = (tensor.dtype(), found) else {
            return wrong(format!("{:?} {:?}", tensor.dtype(), tensor.shape()));
        };
        let (bytes, _) = tensor.data().as_chunks::<4>();
        let numbers: Vec<f32> = bytes.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match numbers.iter().find(|x| !x.is_finite()) {
            Some(x) => wrong(x.to_string()),
            None => Ok((numbers, found)),
        }
    }
}
