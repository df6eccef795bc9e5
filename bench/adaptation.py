#!/usr/bin/env python3
"""The suite `adaptation` against polars and pandas on the same generated logs, as ratios within one run.

  adaptation.py                         5 million rows, 5 rounds; generates the logs and removes them afterwards
  adaptation.py --rows 1000000 --keep DIR    other sizes; the logs stay in DIR and are used again
  adaptation.py --memory                peak memory of verism at 1, 5 and 20 million rows as well
  adaptation.py --verism PATH           another binary than target/release/verism of this checkout

verism scores the tree and writes all its results (hashes of the inputs, evidence, events); polars and pandas only read
the same files, all columns of them. README.md says how each is called. Needs requirements.txt; a peer that cannot be
imported is left out. The import of a peer is not counted, the start of verism is. Prints Markdown on standard output,
progress on standard error.
"""
import argparse
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import time

from rounds import (
    Run, fail, figures, generate, machine, measure, parser, quotients, say, score, table, take_turns, warm,
    work_folder,
)

SEED = 1
MEMORY_SERIES = (1_000_000, 5_000_000, 20_000_000)
BYTES_PER_ROW = 480
FORMATS = {"ungoverned": ("Group_A",), "governed": ("Group_B", "Group_C")}


def logs(root):
    """The log files of a generated tree, per format, in the order of their paths."""
    found = {}
    for name, groups in FORMATS.items():
        found[name] = sorted(path for group in groups for path in root.glob(f"*/{group}/*/simulation_log.csv"))
    return found


# ---------------------------------------------------------------- the peers, each in a process of its own

def read_with_polars(root, collect):
    """One scan per format, all columns; batch by batch, or each format as one frame."""
    import polars as pl

    rows = 0
    for files in logs(root).values():
        if files:
            scan = pl.scan_csv(files)
            batches = [scan.collect(engine="streaming")] if collect else scan.collect_batches()
            rows += sum(batch.height for batch in batches)
    return rows


def read_with_pandas(root, limit):
    """File by file, all columns, up to `limit` rows taken evenly from both formats."""
    import pandas as pd

    rows = 0
    for files in logs(root).values():
        mine = 0
        for path in files:
            if mine * len(FORMATS) >= limit:
                break
            mine += len(pd.read_csv(path))
        rows += mine
    return rows


def peer(args):
    """Runs one peer in this process; prints the rows it read, wall seconds and CPU seconds, its import not counted."""
    os.environ["POLARS_MAX_THREADS"] = str(args.threads)
    __import__(args.peer.partition("-")[0])
    root = pathlib.Path(args.data)
    wall, cpu = time.perf_counter(), time.process_time()
    if args.peer == "pandas":
        rows = read_with_pandas(root, args.pandas_rows)
    else:
        rows = read_with_polars(root, args.peer == "polars-collect")
    print(rows, time.perf_counter() - wall, time.process_time() - cpu)


# ---------------------------------------------------------------- measuring

def measure_verism(args, root, rows):
    """Scores the tree and checks that every row was counted."""
    def check(out):
        counts = out / "tables" / "wrr_metrics_all_models_v6.csv"
        with open(counts, newline="", encoding="utf-8") as lines:
            counted = sum(int(row["n_total_rows"]) for row in csv.DictReader(lines))
        if counted != rows:
            fail(f"{counts}: verism counted {counted} rows, {rows} were generated")
        for name in ("scores.jsonl", "events.jsonl", "manifest.json"):
            if not (out / name).exists():
                fail(f"verism wrote no {name}")
        return counted

    return score(args, "adaptation", root, check)


def measure_peer(args, name, root):
    command = [sys.executable, __file__, "--peer", name, "--data", root]
    command += ["--threads", str(args.threads), "--pandas-rows", str(args.pandas_rows)]
    _, _, peak_mb, printed = measure(command)
    rows, wall, cpu = printed.split()
    if name.startswith("polars") and int(rows) != args.rows:
        fail(f"polars read {rows} rows, {args.rows} were generated")
    return Run(int(rows), float(wall), float(cpu), peak_mb)


def available(name):
    """The version of a Python package, asked in another process, or None."""
    code = f"import {name}; print({name}.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def tree(args, rows, folder):
    """The tree of so many rows below folder, and its size in bytes."""
    place = folder / f"rows-{rows}"
    options = ["--rows", rows, "--seed", SEED, "--out", place]
    root = generate(args, "generate", place, options, rows * BYTES_PER_ROW * 6 // 5)
    return root, warm(path for files in logs(root).values() for path in files)


# ---------------------------------------------------------------- the report

def compare(args, folder):
    """The rounds: every program once in each, the order turned round every time."""
    root, size = tree(args, args.rows, folder)
    versions = {name: available(name) for name in ("polars", "pandas")}
    peers = [name for name, version in versions.items() if version]
    if args.collect and versions["polars"]:
        peers.insert(1, "polars-collect")
    programs = {"verism": lambda: measure_verism(args, root, args.rows)}
    programs.update({name: lambda name=name: measure_peer(args, name, root) for name in peers})
    runs = take_turns(args.rounds, programs)
    print("## adaptation: rows per second against peers that only read\n")
    known = [f"{name} {version}" for name, version in versions.items() if version]
    print(f"{args.rows:,} rows, {size / 1e9:.2f} GB, seed {SEED}, {args.rounds} rounds, {args.threads} threads;",
          f"{machine(args, known)}. Median (range) over the rounds.\n")
    print(figures(runs, "rows"))
    print(quotients(runs, "row"))
    if "pandas" in runs and runs["pandas"][0].units < args.rows:
        print(f"pandas reads a subsample of {runs['pandas'][0].units:,} rows: its ratios of time are per row,",
              "its peak memory is that of the subsample.\n")


def memory(args, folder):
    """Peak memory of verism over the series of sizes; each tree is removed before the next unless it is kept."""
    body = []
    for rows in MEMORY_SERIES:
        root, _ = tree(args, rows, folder)
        run = measure_verism(args, root, rows)
        say(f"{rows} rows: {run.peak_mb:.0f} MB")
        body.append([f"{rows:,}", f"{run.peak_mb:.0f}", f"{run.wall:.2f}", f"{run.units / run.cpu:,.0f}"])
        if not args.keep and rows != args.rows:
            shutil.rmtree(root)
            root.with_name(root.name + ".done").unlink()
    print("## adaptation: peak memory of verism\n")
    print(table(["rows", "peak MB", "wall s", "rows per CPU s"], body))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    arguments.add_argument("--pandas-rows", type=int, default=500_000, help="how many rows pandas reads (default 500000)")
    arguments.add_argument("--collect", action="store_true", help="polars also with each format collected into one frame")
    arguments.add_argument("--memory", action="store_true", help="peak memory at 1, 5 and 20 million rows as well")
    arguments.add_argument("--memory-only", action="store_true", help="that alone")
    arguments.add_argument("--peer", choices=("polars", "polars-collect", "pandas"), help=argparse.SUPPRESS)
    arguments.add_argument("--data", help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.peer:
        return peer(args)
    if args.rows < 1:
        fail("--rows is at least 1")
    with work_folder(args) as folder:
        if not args.memory_only:
            compare(args, folder)
        if args.memory or args.memory_only:
            memory(args, folder)
    return None


if __name__ == "__main__":
    main()
