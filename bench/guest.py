#!/usr/bin/env python3
"""The suite `guest` on generated conversations: speed and memory on a large file, and against Python on a sample.

  guest.py                              170,000 conversations (2 GB) and a sample of 2,000, 5 rounds
  guest.py --conversations 20000 --keep DIR    other sizes; the logs stay in DIR and are used again
  guest.py --reference PATH             another program beside the peer: `python PATH LOG` prints {"scores": [...]}
  guest.py --verism PATH                another binary than target/release/verism of this checkout

verism reads, scores and writes everything (hashes of the inputs, scores with evidence, audits, all tables). The peer,
guest_peer.py, is plain Python and has the main measures with their evidence only; the values that both give are compared.
Beside the large file: programs that only parse it into values, on one thread (bench/parse).
Prints Markdown on standard output, progress on standard error.
"""
import argparse
import json
import pathlib
import sys

from rounds import (
    HERE, Run, fail, figures, generate, has_peers, machine, measure, parser, peer, quotients, score, spread, table,
    take_turns, warm, work_folder,
)

SEED = 1
BYTES_EACH = 11_600
MEASURES = ("ms", "pas", "bvs", "ora", "dei", "crrs", "som")
TOLERANCE = 1e-12
PARSERS = ("serde_json", "simd")


def conversations(args, count, folder):
    """A file of so many conversations below folder, and its size in bytes."""
    place = folder / f"guest-{count}.jsonl"
    options = ["--conversations", count, "--seed", SEED, "-o", place]
    # The scores with evidence take about as much room as the logs.
    generate(args, "generate_guest", place, options, count * BYTES_EACH * 5 // 2)
    return place, warm([place])


def values(path):
    """(metric, experiment, case, unit) -> value or reason, of the measures that every program has."""
    with open(path, encoding="utf-8") as file:
        scores = map(json.loads, file) if path.suffix == ".jsonl" else json.load(file)["scores"]
        return {(s["metric"], s["experiment"], s["case"], s["unit"]): s["undefined"] if s["value"] is None else s["value"]
                for s in scores if s["metric"] in MEASURES}


def same(ours, theirs):
    """Prints how many scores two files share; ends the benchmark if they are not the same."""
    a, b = values(pathlib.Path(ours)), values(pathlib.Path(theirs))
    close = lambda x, y: x == y if isinstance(x, str) or isinstance(y, str) else abs(x - y) <= TOLERANCE
    wrong = [key for key in a.keys() | b.keys() if key not in a or key not in b or not close(a[key], b[key])]
    if wrong:
        key = min(wrong)
        fail(f"{len(wrong)} of {len(a)} scores differ, such as {' '.join(key)}: {a.get(key)} and {b.get(key)}")
    print(len(a))


def measure_verism(args, log, count, scores=None):
    """Scores a file and checks that every conversation was counted; `scores` is where to leave the scores."""
    def check(out):
        with open(out / "tables" / "conversations.csv", encoding="utf-8") as lines:
            counted = sum(1 for _ in lines) - 1
        if counted != count:
            fail(f"verism counted {counted} conversations, {count} were generated")
        for name in ("scores.jsonl", "manifest.json", "tables/audits.csv", "tables/order_path.csv"):
            if not (out / name).exists():
                fail(f"verism wrote no {name}")
        if scores:
            (out / "scores.jsonl").rename(scores)
        return counted

    return score(args, "guest", log, check)


def measure_python(program, log, count, printed):
    """Runs a Python program on a file; its start counts, as that of verism does."""
    wall, cpu, peak_mb, _ = measure([sys.executable, program, log], into=printed)
    return Run(count, wall, cpu, peak_mb)


def large(args, folder):
    """verism alone on the large file."""
    log, size = conversations(args, args.conversations, folder)
    count = args.conversations
    programs = {"verism": lambda: measure_verism(args, log, count)}
    if has_peers(args, "parse"):
        for name in PARSERS:
            programs[f"{name}, parsing alone"] = lambda name=name: peer(args, count, "parse", name, log)
    if has_peers(args, "peers"):
        programs["verism, parsing alone"] = lambda: peer(args, count, "peers", "parse", log)
        programs["verism, nothing written"] = lambda: peer(args, count, "peers", "score", "guest", log)
    runs = take_turns(args.rounds, programs)
    print("## guest: a large file\n")
    print(f"{args.conversations:,} conversations, {size / 1e9:.2f} GB, seed {SEED}, {args.rounds} rounds, {args.threads}",
          f"threads; {machine(args)}. Median (range) over the rounds.\n")
    print(table(["program", "wall s", "CPU s", "MB per CPU s", "conversations per CPU s", "peak MB"],
                [[name, spread((r.wall for r in mine), 2), spread((r.cpu for r in mine), 2),
                  spread((size / 1e6 / r.cpu for r in mine), 1), spread((r.units / r.cpu for r in mine), 0),
                  spread((r.peak_mb for r in mine), 0)] for name, mine in runs.items()]))
    print(quotients(runs, "conversation"))


def against_python(args, folder):
    """verism and the Python programs on the sample; before the rounds, their scores are compared."""
    log, size = conversations(args, args.sample, folder)
    ours, printed = folder / "verism.jsonl", folder / "python.json"
    measure_verism(args, log, args.sample, ours)
    programs = {"verism": lambda: measure_verism(args, log, args.sample)}
    peers = {"guest_peer": HERE / "guest_peer.py", **({"reference": args.reference} if args.reference else {})}
    for name, program in peers.items():
        programs[name] = lambda program=program: measure_python(program, log, args.sample, printed)
        programs[name]()
        # In a process of its own, since it needs much memory.
        agreed = int(measure([sys.executable, __file__, "--same", ours, printed])[3])
    runs = take_turns(args.rounds, programs)
    for path in (ours, printed):
        path.unlink()
    print("## guest: against Python on a sample\n")
    print(f"{args.sample:,} conversations, {size / 1e6:.1f} MB; {agreed:,} scores of {', '.join(MEASURES)} agree to",
          f"{TOLERANCE:g}. Every start counts.\n")
    print(figures(runs, "conversations"))
    print(quotients(runs, "conversation", turned=True))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--conversations", type=int, default=170_000, help="of the large file; 0 leaves it out")
    arguments.add_argument("--sample", type=int, default=2_000, help="conversations for Python; 0 leaves it out")
    arguments.add_argument("--reference", metavar="PATH", help="a Python program to measure beside the peer")
    arguments.add_argument("--same", nargs=2, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.same:
        return same(*args.same)
    with work_folder(args) as folder:
        if args.sample > 0:
            against_python(args, folder)
        if args.conversations > 0:
            large(args, folder)
    return None


if __name__ == "__main__":
    main()
