"""Writes a tiny BERT with random weights and, as golden.jsonl, its vectors in double precision.

    python3 -m venv VENV && VENV/bin/pip install transformers torch
    VENV/bin/python make.py

The sizes are odd on purpose: no multiple of a vector's width, heads of five numbers, room for twelve tokens.
"""

import json
import pathlib

import torch
import transformers
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = pathlib.Path(__file__).resolve().parent
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "gold", "##fish", "run", "##s", "meet", "##ing", "a", "b", "c", ".", ",", "!",
          "?", "geese", "escape", "room", "for", "##ed", "office", "now", "cat", "want", "_", "in", "on"]
TEXTS = ["", "the goldfish runs the meeting.", "an escape room for geese", "a", "cats wanted!", "a b c a b c a b c a b c a b c",
         "the office, now?", "meeting room for the goldfish in the office"]


def main():
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=20, num_hidden_layers=2, num_attention_heads=4, intermediate_size=28,
        max_position_embeddings=12, type_vocab_size=2, layer_norm_eps=1e-6, initializer_range=0.5)
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    for parameter in model.parameters():
        if parameter.dim() == 1:
            torch.nn.init.normal_(parameter, std=0.5)
    # Under the name that models with a head give to their encoder.
    save_file({"bert." + name: tensor for name, tensor in model.state_dict().items() if tensor.is_floating_point()},
              HERE / "model.safetensors")
    keep = ["model_type", "hidden_act", "num_attention_heads", "layer_norm_eps"]
    (HERE / "config.json").write_text(json.dumps({key: config.to_dict()[key] for key in keep}) + "\n")
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(HERE / "tokenizer.json"))
    tokenizer.enable_truncation(12)
    model = model.double()
    with open(HERE / "golden.jsonl", "w", encoding="utf-8") as out:
        versions = {"transformers": transformers.__version__, "torch": torch.__version__}
        out.write(json.dumps(versions) + "\n")
        for text in TEXTS:
            tokens = tokenizer.encode(text).ids
            with torch.no_grad():
                states = model(torch.tensor([tokens])).last_hidden_state[0]
            vector = torch.nn.functional.normalize(states.mean(0), dim=0)
            out.write(json.dumps({"text": text, "tokens": tokens, "vector": vector.tolist()}) + "\n")


main()
