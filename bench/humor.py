#!/usr/bin/env python3
"""The suite `humor` on generated cards, beside its peers.

  humor.py                     all parts, 3 rounds
  humor.py --parts bleu,train  some of: bleu score train clusters memory
  humor.py --reference PATH    the Python reference beside `score` and `train`: `python PATH [train] FILE...`
  humor.py --verism PATH       another binary than target/release/verism of this checkout
  humor.py --self-bleu PATH    another than target/release/self_bleu, which `cargo build --release -p verism-bench-humor` makes

Peers: fast-bleu and NLTK (self-BLEU-4), scikit-learn (k-means and silhouette), the Python reference. All data is generated
here from a fixed seed: words of a Zipf distribution over made-up syllables, six words to a card on average, twelve to a
prompt; for `score` also English ones, word after word as they follow each other in the guides of this project. Every program runs in a process of its own; times are CPU seconds (user and system) of the whole process unless said
otherwise.
Prints Markdown on standard output, progress on standard error.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SEED = 1


def say(text):
    print(text, file=sys.stderr, flush=True)


def words(count, rng):
    """So many made-up words."""
    onset, vowel, coda = "b d f g k l m n p r s t v z st tr".split(), "aeiou", ["", "n", "r", "s", "t", "l"]
    syllable = lambda: rng.choice(onset) + rng.choice(vowel) + rng.choice(coda)
    found = set()
    while len(found) < count:
        found.add("".join(syllable() for _ in range(rng.choice((1, 2, 2, 3)))))
    return sorted(found)


class Cards:
    """Texts of Zipf-distributed words."""

    def __init__(self, vocabulary, seed):
        self.rng = random.Random(seed)
        self.words = words(vocabulary, self.rng)
        self.rng.shuffle(self.words)
        self.weights = [1 / (i + 2) for i in range(vocabulary)]

    def texts(self, count, mean=6):
        lengths = [max(1, int(self.rng.gauss(mean, mean / 2))) for _ in range(count)]
        stream = iter(self.rng.choices(self.words, self.weights, k=sum(lengths)))
        for length in lengths:
            text = " ".join(next(stream) for _ in range(length))
            yield text[0].upper() + text[1:] + "."


class English(Cards):
    """Texts of the words of this project's guides: each word follows the one before as it does there."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        root = HERE.parent
        pages = sorted([*root.glob("docs/*.md"), root / "README.md", *root.glob("crates/verism/src/suites/*/README.md")])
        prose = " ".join(page.read_text(encoding="utf-8") for page in pages).lower()
        self.words = re.findall(r"[a-z]+(?:'[a-z]+)?", prose)
        self.after = collections.defaultdict(list)
        for word, following in zip(self.words, self.words[1:]):
            self.after[word].append(following)

    def texts(self, count, mean=6):
        for _ in range(count):
            text = [self.rng.choice(self.words)]
            for _ in range(max(1, int(self.rng.gauss(mean, mean / 2))) - 1):
                text.append(self.rng.choice(self.after.get(text[-1]) or self.words))
            yield " ".join(text).capitalize() + "."


def run(argv, **more):
    """CPU seconds, wall seconds, standard output and peak resident megabytes of a program."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen([str(x) for x in argv], stdout=out, stderr=err, **more)
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            err.seek(0)
            sys.exit("%s: %s" % (argv, err.read().decode()[-2000:]))
        out.seek(0)
        return used.ru_utime + used.ru_stime, wall, out.read(), used.ru_maxrss / 1024


def script(code, *argv):
    """A peer: a Python script that prints its own CPU seconds, imports left out."""
    return json.loads(run([sys.executable, "-c", code, *argv])[2])


def write_cards(path, texts, **more):
    with open(path, "w", encoding="utf-8") as file:
        for i, text in enumerate(texts):
            file.write(json.dumps({"id": "c%d" % i, "text": text, **more}) + "\n")


BLEU = """
import json, re, sys, time
texts = [json.loads(line)["text"].lower().replace(".", " .").split() for line in open(sys.argv[1])]
{0}
start = time.process_time()
{1}
print(json.dumps([time.process_time() - start, score]))
"""
FAST = BLEU.format("from fast_bleu import SelfBLEU", """
found = SelfBLEU(texts, {"4": (.25, .25, .25, .25)}).get_score()["4"]
score = sum(found) / len(found)""")
NLTK = BLEU.format("from nltk.translate.bleu_score import sentence_bleu, SmoothingFunction\nimport warnings\nwarnings.simplefilter('ignore')", """
smooth = SmoothingFunction().method1
found = [sentence_bleu(texts[:i] + texts[i + 1:], t, (.25, .25, .25, .25), smooth) for i, t in enumerate(texts)]
score = sum(found) / len(found)""")


def bleu(args, folder):
    cards = Cards(8000, SEED)
    place, tokens, out = folder / "bleu.jsonl", folder / "tokens.json", folder / "out"
    texts = list(cards.texts(1000))
    write_cards(place, texts)
    tokens.write_text(json.dumps([text.lower().replace(".", " .").split() for text in texts]))
    alone, whole, fast = [], [], []
    for _ in range(args.rounds):
        alone.append(json.loads(run([args.self_bleu, tokens])[2]))
        whole.append(run([args.verism, "score", "humor", place, "-o", out, "-q", "--threads", 1, "--option",
                          "bleu_smoothing=method1"])[0])
        fast.append(script(FAST, place)[0])
    value = [json.loads(line)["value"] for line in open(out / "scores.jsonl") if '"self_bleu_4"' in line][0]
    nltk = script(NLTK, place)
    if max(abs(nltk[1] - value), abs(alone[0][1] - value)) > 1e-12:
        sys.exit("self-BLEU-4: %r and %r here, %r in NLTK" % (value, alone[0][1], nltk[1]))
    mine, peer = statistics.median(x[0] for x in alone), statistics.median(fast)
    print("## self-BLEU-4\n\nThe scores alone, from lists of tokens, and verism's whole program: reading, all measures of items and "
          "batches, evidence and files.\nEqual to NLTK to 1e-12.\n")
    print("| texts | verism, scores alone | fast-bleu, scores alone | NLTK, scores alone | verism, whole program |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print("| 1,000 | %.4f | %.3f | %.1f | %.3f |" % (mine, peer, nltk[0], statistics.median(whole)))
    texts = list(cards.texts(100_000))
    write_cards(place, texts)
    tokens.write_text(json.dumps([text.lower().replace(".", " .").split() for text in texts]))
    big = json.loads(run([args.self_bleu, tokens])[2])
    print("| 100,000 | %.2f | | | %.2f |\n" % (big[0], run([args.verism, "score", "humor", place, "-o", out, "-q"])[0]))
    print("Ratio fast-bleu / verism: %.0f, scores alone.\n" % (peer / mine))


def score(args, folder):
    print("## Scoring 1,000 cards with a model of 25,000 cards\n\nThe whole program into a new folder: CPU seconds with one thread, seconds "
          "on the clock with two; the reference without its training.\n")
    print("| words | verism, CPU s | reference, CPU s | ratio | verism, s | reference, s | ratio |\n| --- |" + " ---: |" * 6)
    for name, cards in (("made up", lambda: Cards(20_000, SEED)), ("English", lambda: English(SEED))):
        for filled in (False, True):
            score_cards(args, folder / ("%s%d" % (name, filled)), name + ", the card in its prompt" * filled, cards(), filled)
    print()


def score_cards(args, folder, name, cards, filled):
    """Scores cards alone, or prompts with the card in the place of the blank, as the original project logs them."""
    folder.mkdir()
    corpus, place, model = folder / "corpus.jsonl", folder / "score.jsonl", folder / "m.vrm"
    with open(corpus, "w", encoding="utf-8") as file:
        for text in cards.texts(25_000):
            file.write(json.dumps({"card_type": "white", "text": text}) + "\n")
    prompts = [text.rstrip(".") + " _." for text in cards.texts(50, 12)]
    with open(place, "w", encoding="utf-8") as file:
        for i, text in enumerate(cards.texts(1000)):
            prompt = prompts[i % 50]
            text = prompt.replace("_", text.rstrip(".")) if filled else text
            file.write(json.dumps({"id": i, "text": text, "context": prompt, "batch": str(i // 50)}) + "\n")
    run([args.verism, "train", "humor", corpus, "-o", model, "-q"])
    # A new folder each time: before an earlier result is replaced, it is hashed to see that nobody edited it.
    ours = [[run([args.verism, "score", "humor", place, "-o", folder / ("scored%d-%d" % (i, threads)), "-q", "--threads", threads,
                  "--option", "model=%s" % model]) for threads in (1, 2)] for i in range(args.rounds)]
    mine = [statistics.median(one[0] for one, _ in ours), statistics.median(two[1] for _, two in ours)]
    theirs, ratios = ["", ""], ["", ""]
    if args.reference:
        train = run([sys.executable, args.reference, "train", corpus])
        both = run([sys.executable, args.reference, place, "--option", "corpus=%s" % corpus])
        theirs = [both[i] - train[i] for i in (0, 1)]
        ratios = ["%.0f" % (theirs[i] / mine[i]) for i in (0, 1)]
        theirs = ["%.1f" % x for x in theirs]
    print("| %s | %.3f | %s | %s | %.3f | %s | %s |" % (name, mine[0], theirs[0], ratios[0], mine[1], theirs[1], ratios[1]), flush=True)


def train(args, folder):
    cards = Cards(60_000, SEED)
    place, small = folder / "corpus.txt", folder / "small.txt"
    with open(place, "w", encoding="utf-8") as file:
        for text in cards.texts(1_000_000):
            file.write(text + "\n")
    with open(small, "w", encoding="utf-8") as file:
        for text in cards.texts(25_000):
            file.write(text + "\n")
    size = os.path.getsize(place) / 1e6
    found = [run([args.verism, "train", "humor", place, "-o", folder / "m.vrm", "-q"]) for _ in range(args.rounds)]
    peak = max(x[3] for x in found)
    cpu, wall = statistics.median(x[0] for x in found), statistics.median(x[1] for x in found)
    print("## Training\n\n1,000,000 documents, %.1f MB of text: %.2f CPU s, %.2f s; %.1f MB per CPU-second; the model file has %.1f MB, peak memory "
          "%.0f MB." % (size, cpu, wall, size / cpu, os.path.getsize(folder / "m.vrm") / 1e6, peak))
    if args.reference:
        ours = statistics.median(run([args.verism, "train", "humor", small, "-o", folder / "s.vrm", "-q"])[0]
                                 for _ in range(args.rounds))
        theirs = run([sys.executable, args.reference, "train", small])[0]
        print("25,000 documents: verism %.3f CPU s, Python reference %.2f; ratio %.0f." % (ours, theirs, theirs / ours))
    print()


SKLEARN = """
import json, sys, time
import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
X = np.load(sys.argv[1])
start, wall = time.process_time(), time.perf_counter()
inertia = {}
for k in range(2, 6):
    found = KMeans(k, n_init=10, random_state=42).fit(X)
    silhouette_score(X, found.labels_)
    inertia[k] = found.inertia_
print(json.dumps([time.process_time() - start, inertia]))
"""


def clusters(args, folder):
    import numpy as np
    rng = np.random.default_rng(SEED)
    centres = rng.normal(size=(40, 384))
    X = centres[rng.integers(40, size=10_000)] + 2.0 * rng.normal(size=(10_000, 384))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    np.save(folder / "x.npy", X)
    place = folder / "vectors.jsonl"
    with open(place, "w", encoding="utf-8") as file:
        for i, row in enumerate(X):
            file.write(json.dumps({"id": i, "text": "a", "embedding": row.tolist()}) + "\n")
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ours, theirs = [], []
    for _ in range(args.rounds):
        ours.append(run([args.verism, "score", "humor", place, "-o", folder / "out", "-q", "--threads", 1]))
        theirs.append(json.loads(run([sys.executable, "-c", SKLEARN, folder / "x.npy"], env=one)[2]))
    row = [json.loads(line) for line in open(folder / "out" / "scores.jsonl") if '"intra_cluster_diversity"' in line][0]
    mine = {str(tried["k"]): tried["inertia"] for tried in row["evidence"]["tried"]}
    ratio = max(mine[k] / theirs[0][1][k] for k in mine)
    a, b = statistics.median(x[0] for x in ours), statistics.median(x[0] for x in theirs)
    print("## Clusters of 10,000 vectors of 384 numbers\n\nk-means with 10 starts and silhouette for k = 2..5, one thread. verism: the whole "
          "program, reading 10,000 records of JSON, all pairs,\nnearest neighbours and the Vendi score included; scikit-learn: "
          "`KMeans.fit` and `silhouette_score` alone, float64.\n")
    print("| program | CPU s |\n| --- | ---: |\n| verism | %.1f |\n| scikit-learn | %.1f |\n" % (a, b))
    print("Ratio verism / scikit-learn: %.2f. Inertia at most %.4f times scikit-learn's. Peak memory of verism: %.0f MB.\n" % (
        a / b, ratio, max(x[3] for x in ours)))


def memory(args, folder):
    cards = Cards(30_000, SEED)
    corpus, place, model = folder / "corpus.txt", folder / "million.jsonl", folder / "million.vrm"
    with open(corpus, "w", encoding="utf-8") as file:
        for text in cards.texts(25_000):
            file.write(text + "\n")
    run([args.verism, "train", "humor", corpus, "-o", model, "-q"])
    print("## 1,000,000 cards without vectors\n\n| batches | model file | wall s | CPU s | peak MB |\n| --- | --- | ---: | ---: | ---: |")
    for name, size in (("10,000 of 100", 100), ("one of 1,000,000", 1_000_000)):
        with open(place, "w", encoding="utf-8") as file:
            for i, text in enumerate(Cards(30_000, SEED).texts(1_000_000)):
                file.write(json.dumps({"id": i, "text": text, "batch": i // size}) + "\n")
        for with_model, more in (("no", []), ("yes", ["--option", "model=%s" % model])):
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            cpu, wall, _, peak = run([args.verism, "score", "humor", place, "-o", out, "-q", *more])
            print("| %s | %s | %.1f | %.1f | %.0f |" % (name, with_model, wall, cpu, peak), flush=True)
    print()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--parts", default="bleu,score,train,clusters,memory")
    ap.add_argument("--reference", metavar="PATH")
    ap.add_argument("--self-bleu", default=str(HERE.parent / "target" / "release" / "self_bleu"), metavar="PATH")
    ap.add_argument("--verism", default=str(HERE.parent / "target" / "release" / "verism"), metavar="PATH")
    args = ap.parse_args()
    parts = {"bleu": bleu, "score": score, "train": train, "clusters": clusters, "memory": memory}
    with tempfile.TemporaryDirectory(prefix="verism-bench-") as temporary:
        for part in args.parts.split(","):
            say(part)
            parts[part](args, pathlib.Path(temporary))


if __name__ == "__main__":
    main()
