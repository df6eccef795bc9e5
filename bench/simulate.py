#!/usr/bin/env python3
"""The simulator of the suite `recommender`: dialogues of 20 turns with the agent `rules` over a generated catalog.

  simulate.py                       2,000 items; 2,000 and 20,000 users, to see that memory does not grow with them; 3 rounds
  simulate.py --seeds 500,1000 --items 300       other sizes
  simulate.py --verism PATH         another binary than target/release/verism of this checkout

Everything counts: start, catalog, plans, replies, the folder with its hashes. Prints Markdown on standard output, progress on standard
error.
"""
import json
import pathlib
import tempfile

from recommender import catalog
from rounds import Run, fail, figures, machine, measure, parser, take_turns, work_folder


def simulate(args, items, seeds):
    """Plays the dialogues of so many users and checks that all are there."""
    with tempfile.TemporaryDirectory(prefix="verism-bench-", dir=args.work) as work:
        out = pathlib.Path(work) / "dialogues"
        command = [args.verism, "simulate", "recommender", "--agents", args.agent, "--seeds", f"1..{seeds}", "-o", out,
                   "--option", f"catalog={items}", "--threads", str(args.threads), "-q"]
        wall, cpu, peak_mb, _ = measure(command)
        counted = json.loads((out / "manifest.json").read_text())["counts"]["dialogues"]
        if counted != seeds:
            fail(f"verism counted {counted} dialogues, {seeds} were asked for")
        return Run(counted, wall, cpu, peak_mb)


def main():
    arguments = parser(__doc__)
    arguments.set_defaults(rounds=3)
    arguments.add_argument("--seeds", default="2000,20000", help="how many users, joined by commas")
    arguments.add_argument("--items", type=int, default=2_000, help="items of the catalog")
    arguments.add_argument("--agent", default="rules")
    args = arguments.parse_args()
    with work_folder(args) as folder:
        items = folder / "items.json"
        items.write_text(json.dumps(catalog(args.items)), encoding="utf-8")
        sizes = [int(size) for size in args.seeds.split(",")]
        runs = take_turns(args.rounds, {f"{size:,} users": lambda size=size: simulate(args, items, size) for size in sizes})
        print(f"## simulate\n\n{args.items:,} items, 20 turns, agent {args.agent}, {args.rounds} rounds, {args.threads} threads; "
              f"{machine(args)}. Median (range).\n")
        print(figures(runs, "dialogues"))


if __name__ == "__main__":
    main()
