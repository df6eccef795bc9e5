"""Attacks verism for a stated time and prints what was counted. No test: run it by hand, on a machine of your own.

  cargo build --release -p verism-cli -p verism-campaign
  python3 bench/campaign/campaign.py --seconds 600 [--oracle DIR] [--only kills,crowd,...] [--seed N]

Parts: kills (random moments), calls (kills at and failures of every writing call, by strace), crowd (two to eight
processes on one place), determinism (threads, shares, folders, by processes), laws (the same and more, in one process),
fuzz (damaged files), differential (with --oracle DIR: a folder with the reference programs adaptation.py and guest.py). Every trial comes from a number that is printed when it
fails. Exit code 1 if anything was lost, differed or panicked.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

import crowd  # noqa: E402
import determinism  # noqa: E402
import differential  # noqa: E402
import kills  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="for all parts together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="parts, separated by commas")
    parser.add_argument("--oracle", metavar="DIR", help="folder with the reference programs")
    parser.add_argument("--verism", default=os.path.join(ROOT, "target/release/verism"))
    parser.add_argument("--fuzz", default=os.path.join(ROOT, "target/release/fuzz"))
    parser.add_argument("--trials", default=os.path.join(ROOT, "target/release/trials"))
    given = parser.parse_args()
    parts = ["kills", "calls", "crowd", "determinism", "laws", "fuzz"] + (["differential"] if given.oracle else [])
    if given.only:
        parts = [part for part in parts if part in given.only.split(",")]
    share = given.seconds / max(1, len(parts))
    bad = 0
    for part in parts:
        home = tempfile.mkdtemp(prefix=f"verism-campaign-{part}-")
        counts = {"said": []}
        until = time.monotonic() + share
        if part == "kills":
            counts |= {"random": 0, "lost": 0}
            kills.random_kills(given.verism, home, until, given.seed, counts)
        elif part == "calls":
            counts |= {"kills": 0, "failures": 0, "lost": 0, "calls": {}}
            kills.injected(given.verism, home, until, counts)
            del counts["calls"]
        elif part == "crowd":
            counts |= {"rounds": 0, "processes": 0, "lost": 0}
            crowd.crowd(given.verism, home, until, given.seed, counts)
        elif part == "determinism":
            counts |= {"trials": 0, "differing": 0}
            determinism.trials(given.verism, home, until, given.seed, counts)
        elif part == "differential":
            counts |= {"compared": 0, "differing": 0}
            differential.trials(given.verism, home, given.oracle, until, given.seed, counts)
        elif part in ("laws", "fuzz"):
            program, attacks = (given.trials, 3) if part == "laws" else (given.fuzz, 20)
            seconds = str(max(1, int(share / attacks)))
            ran = subprocess.run([program, "--seconds", seconds, "--from", str(given.seed * 10**12)], capture_output=True, text=True)
            for line in map(json.loads, ran.stdout.splitlines()):
                if "executions" in line:
                    counts[line["attack"]] = line["executions"]
                    counts["faults"] = counts.get("faults", 0) + line["faults"]
                else:
                    counts["said"].append(str(line))
        shutil.rmtree(home, ignore_errors=True)
        said = counts.pop("said")
        bad += counts.get("lost", 0) + counts.get("differing", 0) + counts.get("faults", 0)
        print(f"{part}: " + ", ".join(f"{key} {value:,}" for key, value in counts.items()), flush=True)
        for line in said[:20]:
            print(f"  {line}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
