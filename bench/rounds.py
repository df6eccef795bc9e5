"""What the benchmarks share: programs measured in processes of their own, in rounds, and reported as Markdown."""
import argparse
import contextlib
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


class Run(NamedTuple):
    """What one program took for so many rows, conversations, ...."""

    units: int
    wall: float
    cpu: float
    peak_mb: float


def say(text):
    print(text, file=sys.stderr, flush=True)


def fail(message):
    say(message)
    sys.exit(2)


# ---------------------------------------------------------------- arguments and data

def parser(doc):
    """The arguments that every benchmark has."""
    arguments = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--threads", type=int, default=2, help="of verism, and of a peer that has them")
    arguments.add_argument("--verism", default=str(HERE.parent / "target" / "release" / "verism"), metavar="PATH")
    arguments.add_argument("--peers", default=str(HERE.parent / "target" / "release"), metavar="DIR",
                           help="where the programs of bench/peers and bench/parse are; without them a part is left out")
    arguments.add_argument("--generate", metavar="PATH", help="a built generator; without it cargo builds and runs it")
    arguments.add_argument("--keep", metavar="DIR", help="keep the logs here and use those that are there")
    return arguments


@contextlib.contextmanager
def work_folder(args):
    """Finds verism; gives the folder for logs and results, which is removed unless it is to be kept."""
    if args.rounds < 1:
        fail("--rounds is at least 1")
    found = shutil.which(args.verism)
    if not found:
        fail(f"{args.verism}: no such program\nhint: cargo build --release, or --verism PATH")
    args.verism = os.path.abspath(found)
    with tempfile.TemporaryDirectory(prefix="verism-bench-") as temporary:
        folder = pathlib.Path(args.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        args.work = folder
        yield folder


def generate(args, binary, place, options, need_bytes):
    """Runs a generator into `place`, unless a run before has finished it."""
    done = place.with_name(place.name + ".done")
    if done.exists():
        return place
    free_mb, need_mb = shutil.disk_usage(place.parent).free // 2**20, need_bytes // 2**20
    if free_mb < need_mb:
        fail(f"{place.parent}: {free_mb} MB free, the logs and their results need about {need_mb} MB\n"
             "hint: --keep DIR on another disk, or fewer of them")
    say(f"generating {place.name}")
    cargo = ["cargo", "run", "--release", "--quiet", "--manifest-path", HERE / "Cargo.toml", "--bin", binary, "--"]
    command = [args.generate] if args.generate else cargo
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([*command, *map(str, options)], check=True, stdout=sys.stderr)
    done.touch()
    return place


def warm(files):
    """Reads every file once, so that all programs find the page cache in the same state; returns the bytes."""
    size = 0
    for path in files:
        with open(path, "rb", buffering=0) as data:
            while chunk := data.read(1 << 20):
                size += len(chunk)
    return size


# ---------------------------------------------------------------- measuring

def measure(command, into=None):
    """(wall seconds, CPU seconds, peak memory in MB, standard output) of a command and its children.

    The peak that the system reports for a child is at least this process's own, so this process imports no peer and
    holds no large data; a long output goes `into` a file.
    """
    with (open(into, "w+b") if into else tempfile.TemporaryFile()) as out, tempfile.TemporaryFile() as err:
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
        said = "" if into else out.read().decode()
        return wall, usage.ru_utime + usage.ru_stime, peak_kb / 1024, said


def score(args, suite, logs, check):
    """Scores logs into a fresh folder, lets `check` look at it, and gives what it took (units: what `check` counted)."""
    with tempfile.TemporaryDirectory(prefix="verism-bench-", dir=args.work) as work:
        out = pathlib.Path(work) / "scores"
        command = [args.verism, "score", suite, logs, "-o", out, "--threads", str(args.threads), "-q"]
        wall, cpu, peak_mb, _ = measure(command)
        return Run(check(out), wall, cpu, peak_mb)


def peer(args, units, *command):
    """What a program beside verism's took, `peers` or `parse`, by its command."""
    program, *rest = map(str, command)
    wall, cpu, peak_mb, _ = measure([pathlib.Path(args.peers) / program, *rest])
    return Run(units, wall, cpu, peak_mb)


def has_peers(args, *names):
    """Whether these programs are built; says so if they are not."""
    missing = [name for name in names if not shutil.which(pathlib.Path(args.peers) / name)]
    if missing:
        say(f"{args.peers}: no {', '.join(missing)}; `cargo build --release -p verism-peers -p verism-parse` builds them")
    return not missing


def take_turns(rounds, programs):
    """Runs every program once in each round, the order turned round every time; `programs` is name -> function."""
    runs = {name: [] for name in programs}
    names = list(programs)
    for turn in range(rounds):
        for name in names if turn % 2 == 0 else reversed(names):
            run = programs[name]()
            runs[name].append(run)
            took = f"{run.units} units, {run.wall:.2f} s, {run.cpu:.2f} CPU s, {run.peak_mb:.0f} MB"
            say(f"round {turn + 1}/{rounds} {name}: {took}")
    return runs


# ---------------------------------------------------------------- the report

def spread(values, digits):
    """Median and range of the rounds."""
    values = list(values)
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f}–{max(values):,.{digits}f})"


def table(header, rows):
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def figures(runs, units):
    """The table of what each program took."""
    body = []
    for name, mine in runs.items():
        body.append([name, f"{mine[0].units:,}", spread((r.wall for r in mine), 2), spread((r.cpu for r in mine), 2),
                     spread((r.units / r.cpu for r in mine), 0), spread((r.peak_mb for r in mine), 0)])
    return table(["program", units, "wall s", "CPU s", f"{units} per CPU s", "peak MB"], body)


def quotients(runs, unit, turned=False):
    """The table of the first program against each other, within a round; turned: how many times as fast it is."""
    first, *others = runs
    body = []
    for name in others:
        pairs = [(b, a) if turned else (a, b) for a, b in zip(runs[first], runs[name])]
        wall = spread((a.wall / a.units / (b.wall / b.units) for a, b in pairs), 3 - 2 * turned)
        cpu = spread((a.cpu / a.units / (b.cpu / b.units) for a, b in pairs), 3 - 2 * turned)
        label = f"{name} / {first}" if turned else f"{first} / {name}"
        body.append([label, wall, cpu, spread((a.peak_mb / b.peak_mb for a, b in pairs), 2)])
    return table([f"ratio, per {unit} and round", "wall", "CPU", "peak memory"], body) if body else ""


def machine(args, versions=()):
    """Programs and machine in a line."""
    asked = subprocess.run([args.verism, "--version"], capture_output=True, text=True, check=False)
    programs = [asked.stdout.strip() or "verism", *versions, f"Python {platform.python_version()}"]
    return f"{', '.join(programs)}; {os.cpu_count()} cores ({cpu_name()})"


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
            return names[0] if names else platform.machine()
    except OSError:
        return platform.processor() or platform.machine()
