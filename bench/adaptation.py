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
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
SEED = 1
MEMORY_SERIES = (1_000_000, 5_000_000, 20_000_000)
BYTES_PER_ROW = 480
FORMATS = {"ungoverned": ("Group_A",), "governed": ("Group_B", "Group_C")}


class Run(NamedTuple):
    """What one program took."""

    rows: int
    wall: float
    cpu: float
    peak_mb: float


def logs(root):
    """The log files of a generated tree, per format, in the order of their paths."""
    found = {}
    for name, groups in FORMATS.items():
        found[name] = sorted(path for group in groups for path in root.glob(f"*/{group}/*/simulation_log.csv"))
    return found


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(2)


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

def measure(command):
    """(wall seconds, CPU seconds, peak memory in MB, standard output) of a command and its children.

    The peak that the system reports for a child is at least this process's own, so this process imports no peer.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode:
            said = err.read().decode(errors="replace")[-2000:]
            fail(f"{' '.join(map(str, command))}\nexit code {child.returncode}: {said}")
        peak_kb = usage.ru_maxrss / 1024 if sys.platform == "darwin" else usage.ru_maxrss
        return wall, usage.ru_utime + usage.ru_stime, peak_kb / 1024, out.read().decode()


def measure_verism(args, root, rows):
    """Scores the tree into a fresh folder and checks that every row was counted."""
    with tempfile.TemporaryDirectory(prefix="verism-bench-", dir=args.work) as work:
        out = pathlib.Path(work) / "scores"
        command = [args.verism, "score", "adaptation", root, "-o", out, "--threads", str(args.threads), "-q"]
        wall, cpu, peak_mb, _ = measure(command)
        table = out / "tables" / "wrr_metrics_all_models_v6.csv"
        with open(table, newline="", encoding="utf-8") as lines:
            counted = sum(int(row["n_total_rows"]) for row in csv.DictReader(lines))
        if counted != rows:
            fail(f"{table}: verism counted {counted} rows, {rows} were generated")
        for name in ("scores.jsonl", "events.jsonl", "manifest.json"):
            if not (out / name).exists():
                fail(f"verism wrote no {name}")
        return Run(rows, wall, cpu, peak_mb)


def measure_peer(args, name, root):
    command = [sys.executable, __file__, "--peer", name, "--data", root]
    command += ["--threads", str(args.threads), "--pandas-rows", str(args.pandas_rows)]
    _, _, peak_mb, printed = measure(command)
    rows, wall, cpu = printed.split()
    return Run(int(rows), float(wall), float(cpu), peak_mb)


def available(name):
    """The version of a Python package, asked in another process, or None."""
    code = f"import {name}; print({name}.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


# ---------------------------------------------------------------- the data

def generate(args, rows, folder):
    """The tree of `rows` rows below folder, made unless it is there already."""
    root, done = folder / f"rows-{rows}", folder / f"rows-{rows}.done"
    if done.exists():
        return root
    free_mb, need_mb = shutil.disk_usage(folder).free // 2**20, rows * BYTES_PER_ROW * 6 // 5 // 2**20
    if free_mb < need_mb:
        fail(f"{folder}: {free_mb} MB free, {rows} rows and their results need about {need_mb} MB\n"
             "hint: --keep DIR on another disk, or fewer --rows")
    say(f"generating {rows} rows")
    cargo = ["cargo", "run", "--release", "--quiet", "--manifest-path", HERE / "Cargo.toml", "--bin", "generate", "--"]
    command = [args.generate] if args.generate else cargo
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run([*command, "--rows", str(rows), "--seed", str(SEED), "--out", root], check=True, stdout=sys.stderr)
    done.touch()
    return root


def warm(root):
    """Reads every file once, so that all programs find the page cache in the same state; returns the bytes."""
    size = 0
    for files in logs(root).values():
        for path in files:
            with open(path, "rb", buffering=0) as data:
                while chunk := data.read(1 << 20):
                    size += len(chunk)
    return size


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- the report

def spread(values, digits):
    """Median and range of the rounds."""
    values = list(values)
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f}–{max(values):,.{digits}f})"


def table(header, rows):
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def compare(args, folder):
    """The rounds: every program once in each, the order turned round every time."""
    root = generate(args, args.rows, folder)
    size = warm(root)
    versions = {name: available(name) for name in ("polars", "pandas")}
    names = ["verism"] + (["polars"] if versions["polars"] else []) + (["pandas"] if versions["pandas"] else [])
    if args.collect and versions["polars"]:
        names.insert(2, "polars-collect")
    runs = {name: [] for name in names}
    for turn in range(args.rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            run = measure_verism(args, root, args.rows) if name == "verism" else measure_peer(args, name, root)
            runs[name].append(run)
            took = f"{run.rows} rows, {run.wall:.2f} s, {run.cpu:.2f} CPU s, {run.peak_mb:.0f} MB"
            say(f"round {turn + 1}/{args.rounds} {name}: {took}")
            if name.startswith("polars") and run.rows != args.rows:
                fail(f"polars read {run.rows} rows, {args.rows} were generated")
    asked = subprocess.run([args.verism, "--version"], capture_output=True, text=True, check=False)
    programs = [asked.stdout.strip() or "verism"] + [f"{name} {v}" for name, v in versions.items() if v]
    programs.append(f"Python {platform.python_version()}")
    print("## adaptation: rows per second against peers that only read\n")
    print(f"{args.rows:,} rows, {size / 1e9:.2f} GB, seed {SEED}, {args.rounds} rounds, {args.threads} threads;",
          f"{', '.join(programs)}; {os.cpu_count()} cores ({cpu_name()}). Median (range) over the rounds.\n")
    body = []
    for name, mine in runs.items():
        body.append([name, f"{mine[0].rows:,}", spread((r.wall for r in mine), 2), spread((r.cpu for r in mine), 2),
                     spread((r.rows / r.cpu for r in mine), 0), spread((r.peak_mb for r in mine), 0)])
    print(table(["program", "rows", "wall s", "CPU s", "rows per CPU s", "peak MB"], body) + "\n")
    body = []
    for name in names[1:]:
        pairs = list(zip(runs["verism"], runs[name]))
        wall = spread((v.wall / v.rows / (p.wall / p.rows) for v, p in pairs), 3)
        cpu = spread((v.cpu / v.rows / (p.cpu / p.rows) for v, p in pairs), 3)
        body.append([f"verism / {name}", wall, cpu, spread((v.peak_mb / p.peak_mb for v, p in pairs), 2)])
    if body:
        print(table(["ratio, per row and round", "wall", "CPU", "peak memory"], body) + "\n")
    if "pandas" in runs and runs["pandas"][0].rows < args.rows:
        print(f"pandas reads a subsample of {runs['pandas'][0].rows:,} rows: its ratios of time are per row,",
              "its peak memory is that of the subsample.\n")


def memory(args, folder):
    """Peak memory of verism over the series of sizes; each tree is removed before the next unless it is kept."""
    body = []
    for rows in MEMORY_SERIES:
        root = generate(args, rows, folder)
        warm(root)
        run = measure_verism(args, root, rows)
        say(f"{rows} rows: {run.peak_mb:.0f} MB")
        body.append([f"{rows:,}", f"{run.peak_mb:.0f}", f"{run.wall:.2f}", f"{run.rows / run.cpu:,.0f}"])
        if not args.keep and rows != args.rows:
            shutil.rmtree(root)
            root.with_name(root.name + ".done").unlink()
    print("## adaptation: peak memory of verism\n")
    print(table(["rows", "peak MB", "wall s", "rows per CPU s"], body) + "\n")


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
            return names[0] if names else platform.machine()
    except OSError:
        return platform.processor() or platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2, help="of verism and of polars")
    parser.add_argument("--verism", default=str(HERE.parent / "target" / "release" / "verism"), metavar="PATH")
    parser.add_argument("--generate", metavar="PATH", help="a built generator; without it cargo builds and runs it")
    parser.add_argument("--keep", metavar="DIR", help="keep the logs here and use those that are there")
    parser.add_argument("--pandas-rows", type=int, default=500_000, help="how many rows pandas reads (default 500000)")
    parser.add_argument("--collect", action="store_true", help="polars also with each format collected into one frame")
    parser.add_argument("--memory", action="store_true", help="peak memory at 1, 5 and 20 million rows as well")
    parser.add_argument("--memory-only", action="store_true", help="that alone")
    parser.add_argument("--peer", choices=("polars", "polars-collect", "pandas"), help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        return peer(args)
    if args.rows < 1 or args.rounds < 1:
        fail("--rows and --rounds are at least 1")
    found = shutil.which(args.verism)
    if not found:
        fail(f"{args.verism}: no such program\nhint: cargo build --release, or --verism PATH")
    args.verism = os.path.abspath(found)
    with tempfile.TemporaryDirectory(prefix="verism-bench-") as temporary:
        folder = pathlib.Path(args.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        args.work = folder
        if not args.memory_only:
            compare(args, folder)
        if args.memory or args.memory_only:
            memory(args, folder)
    return None


if __name__ == "__main__":
    main()
