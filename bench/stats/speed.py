#!/usr/bin/env python3
"""Speed of the statistics against SciPy and polars, in one run, as ratios.

  .venv/bin/python bench/stats/speed.py [--verism PATH] [--threads 2] [--rounds 3]

Needs bench/requirements.txt. A round runs everything once; tables show medians (and ranges) over the rounds, ratios are taken
within a round. Times of verism are those of the whole process, start and input included; those of a peer leave its start and
its import out. SciPy's default bootstrap holds all resamples at once, about 1.6 GB.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy
from scipy import stats

READER = """
import sys, time, polars
wall, cpu = time.perf_counter(), time.process_time()
frame = polars.read_csv(sys.argv[1])
print(time.perf_counter() - wall, time.process_time() - cpu, frame.height, polars.__version__)
"""


def children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def timed(call):
    """Wall and CPU seconds of a call, processes it starts included, and what it gives."""
    wall, own, kids = time.perf_counter(), time.process_time(), children()
    result = call()
    return (time.perf_counter() - wall, time.process_time() - own + children() - kids), result


def write_grid(path, rng):
    """20 metrics x 6 experiments x 1 000 cases."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("metric,experiment,case,value\n")
        case = rng.normal(size=1000)
        for m in range(20):
            for e in range(6):
                out.writelines("m%02d,e%d,c%04d,%r\n" % (m, e, c, float(v)) for c, v in enumerate(case + rng.normal(size=1000)))


def write_long(path, rng):
    """1.2 million rows: 20 metrics x 6 experiments x 3 runs x 3 334 cases."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("metric,experiment,run,case,value\n")
        case = rng.normal(size=3334)
        for m in range(20):
            for e in range(6):
                for k in range(3):
                    values = case + rng.normal(size=3334)
                    out.writelines("m%02d,e%d,r%d,c%04d,%r\n" % (m, e, k, c, float(v)) for c, v in enumerate(values))


def write_many(path, rng):
    """1.2 million rows: 10 000 metrics x 2 experiments x 3 runs x 20 cases (design D09 of the calibration)."""
    with open(path, "w", encoding="utf-8") as out:
        out.write("metric,experiment,run,case,value\n")
        for m in range(10_000):
            v = rng.normal(size=(2, 20, 3)) + rng.normal(size=(1, 20, 1))
            out.writelines(
                "m%05d,%s,r%d,c%02d,%r\n" % (m, "AB"[e], k, c, float(v[e, c, k]))
                for e in range(2) for c in range(20) for k in range(3)
            )


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--verism", default="target/release/verism")
    args.add_argument("--threads", default="2")
    args.add_argument("--rounds", type=int, default=3)
    a = args.parse_args()
    env = {**os.environ, "POLARS_MAX_THREADS": a.threads}
    rng = np.random.default_rng(1)
    folder = tempfile.TemporaryDirectory()
    place = lambda name: os.path.join(folder.name, name)
    for name, write in [("grid.csv", write_grid), ("long.csv", write_long), ("many.csv", write_many)]:
        write(place(name), rng)
    x = rng.normal(size=10_000)
    d = [v if i % 3 else -v for i, v in enumerate(np.linspace(0.1, 12, 120).tolist())]

    def verism(*arguments, text=None):
        command = [a.verism, *arguments, "--threads", a.threads]
        return subprocess.run(command, input=text, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout

    def calculator(request, times=1):
        return lambda: verism("stats", text=(json.dumps(request) + "\n") * times)

    def compare(name, *options):
        return lambda: verism("compare", place(name), "-o", place("out-" + name), *sum((["--option", o] for o in options), []))

    def read(name):
        out = subprocess.run([sys.executable, "-c", READER, place(name)], env=env, stdout=subprocess.PIPE, text=True, check=True)
        wall, cpu, rows, version = out.stdout.split()
        versions["polars"] = version
        assert int(rows) > 1_199_000, rows
        return float(wall), float(cpu)

    versions = {"numpy": np.__version__, "scipy": scipy.__version__}
    bca = {"op": "bootstrap", "x": x.tolist(), "method": "bca", "resamples": 10_000}
    ours = {
        "start": calculator({"op": "rng", "key": [0, 0], "counter": [0, 0, 0, 0]}),
        "bca": calculator(bca),
        "wilcoxon": calculator({"op": "wilcoxon", "d": d}, 100),
        "grid": compare("grid.csv", "ci=bca"),
        "long": compare("long.csv"),
        "long, one metric": compare("long.csv", "metrics=m00"),
        "many": compare("many.csv"),
        "many, one metric": compare("many.csv", "metrics=m00000"),
    }
    theirs = {
        "bca": lambda: stats.bootstrap((x,), np.mean, n_resamples=10_000, method="BCa"),
        "bca, batch=100": lambda: stats.bootstrap((x,), np.mean, n_resamples=10_000, method="BCa", batch=100),
        "wilcoxon": lambda: [stats.wilcoxon(d, method="exact") for _ in range(100)],
    }
    took = {}
    for _ in range(a.rounds):
        for name, call in ours.items():
            took.setdefault(("verism", name), []).append(timed(call)[0])
        for name, call in theirs.items():
            took.setdefault(("scipy", name), []).append(timed(call)[0])
        for name in ("long", "many"):
            took.setdefault(("polars", name), []).append(read(name + ".csv"))

    def middle(values, form):
        values = list(values)
        return "%s (%s–%s)" % tuple(form % v for v in (statistics.median(values), min(values), max(values)))

    def shown(who, name):
        return "%s s, CPU %s s" % tuple(middle((t[k] for t in took[who, name]), "%.2f") for k in (0, 1))

    def ratio(one, other, k):
        return middle((a[k] / b[k] for a, b in zip(took[one], took[other])), "%.1f")

    print("%s threads, %d rounds, %s\n" % (a.threads, a.rounds, ", ".join("%s %s" % v for v in sorted(versions.items()))))
    print("| what | verism | peer | ratio |\n| --- | --- | --- | --- |")
    print("| BCa of a mean, n 10,000, 10,000 resamples | %s | `scipy.stats.bootstrap`: %s | SciPy / verism: wall %s |"
          % (shown("verism", "bca"), shown("scipy", "bca"), ratio(("scipy", "bca"), ("verism", "bca"), 0)))
    print("| the same | | with `batch=100`: %s | SciPy / verism: CPU %s |"
          % (shown("scipy", "bca, batch=100"), ratio(("scipy", "bca, batch=100"), ("verism", "bca"), 1)))
    one = [(w[1] - s[1]) * 10 for w, s in zip(took["verism", "wilcoxon"], took["verism", "start"])]
    peer = [w[1] * 10 for w in took["scipy", "wilcoxon"]]
    print("| exact Wilcoxon, n 120 | CPU %s ms | `scipy.stats.wilcoxon`: CPU %s ms | SciPy / verism: CPU %s |"
          % (middle(one, "%.2f"), middle(peer, "%.2f"), middle((p / o for p, o in zip(peer, one)), "%.1f")))
    print("| compare 20 metrics, 6 experiments, 1,000 cases, `ci=bca`, 9,999 resamples | %s | limit: 10 CPU-seconds | |" % shown("verism", "grid"))
    for name, what in [("long", "20 metrics, 300 pairs"), ("many", "10,000 metrics, 10,000 pairs")]:
        alone = ("verism", name + ", one metric")
        print("| compare 1.2 million rows: %s | %s | polars only reads: %s | verism / polars: wall %s, CPU %s |"
              % (what, shown("verism", name), shown("polars", name), ratio(("verism", name), ("polars", name), 0), ratio(("verism", name), ("polars", name), 1)))
        print("| read the same, compare one metric | %s | | verism / polars: wall %s, CPU %s |"
              % (shown(*alone), ratio(alone, ("polars", name), 0), ratio(alone, ("polars", name), 1)))


if __name__ == "__main__":
    main()
