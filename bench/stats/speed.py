#!/usr/bin/env python3
"""Speed of the statistics against SciPy, in one run, as ratios.

  python bench/stats/speed.py [--verism PATH] [--threads 2]

Needs numpy and scipy. Prints a Markdown table; every line is measured here and now, best of three (SciPy's default bootstrap
once, since it takes gigabytes). Wall seconds, and CPU seconds of the child process in brackets.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile
import time

import numpy as np
from scipy import stats


def children():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def best(runs, call):
    """Smallest wall and CPU seconds of several runs."""
    out = []
    for _ in range(runs):
        wall, own, kids = time.perf_counter(), time.process_time(), children()
        call()
        out.append((time.perf_counter() - wall, time.process_time() - own + children() - kids))
    return min(w for w, _ in out), min(c for _, c in out)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--verism", default="target/release/verism")
    args.add_argument("--threads", default="2")
    a = args.parse_args()
    env = {**os.environ, "RAYON_NUM_THREADS": a.threads}

    def calculator(requests):
        text = "".join(json.dumps(r) + "\n" for r in requests)
        return lambda: subprocess.run([a.verism, "stats"], input=text, env=env, capture_output=True, text=True, check=True)

    start = best(5, calculator([{"op": "rng", "key": [0, 0], "counter": [0, 0, 0, 0]}]))
    rng = np.random.default_rng(1)
    x = rng.normal(size=10_000)
    ours = best(3, calculator([{"op": "bootstrap", "x": x.tolist(), "method": "bca", "resamples": 10_000}]))
    plain = best(1, lambda: stats.bootstrap((x,), np.mean, n_resamples=10_000, method="BCa"))
    batch = best(3, lambda: stats.bootstrap((x,), np.mean, n_resamples=10_000, method="BCa", batch=100))

    d = [v if i % 3 else -v for i, v in enumerate(np.linspace(0.1, 12, 120).tolist())]
    wil = best(3, calculator([{"op": "wilcoxon", "d": d}] * 100))
    wil_sp = best(3, lambda: [stats.wilcoxon(d, method="exact") for _ in range(100)])

    print("| what | verism, %s threads | peer | ratio |\n|---|---|---|---|" % a.threads)

    def line(what, mine, peer, other, cpu=False):
        k = 1 if cpu else 0
        print("| %s | %.3f s (%.3f CPU) | %s: %.3f s (%.3f CPU) | %.1f%s |"
              % (what, *mine, peer, *other, other[k] / mine[k], " in CPU time" if cpu else ""))

    line("BCa of a mean, n 10 000, B 10 000, start included", ours, "scipy.stats.bootstrap", plain)
    line("the same in CPU time", ours, "scipy.stats.bootstrap, batch=100", batch, cpu=True)
    line("100 exact Wilcoxon, n 120", tuple(max(v - s, 1e-6) for v, s in zip(wil, start)), "scipy.stats.wilcoxon, method=exact", wil_sp)

    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "scores.csv")
        with open(table, "w", encoding="utf-8") as fh:
            fh.write("metric,experiment,case,value\n")
            case = rng.normal(size=1000)
            for m in range(20):
                for e in range(6):
                    for c, v in enumerate(case + rng.normal(size=1000)):
                        fh.write("m%02d,e%d,c%04d,%r\n" % (m, e, c, float(v)))
        options = ["--option", "ci=bca"]
        full = best(2, lambda: subprocess.run([a.verism, "compare", "--json", table, *options], env=env, stdout=subprocess.DEVNULL, check=True))
        print("| compare: 20 metrics, 6 experiments, 1 000 cases, ci=bca, B 9 999 | %.2f s (%.2f CPU) | limit: 10 CPU-seconds | - |" % full)
        big = os.path.join(folder, "big.csv")
        with open(big, "w", encoding="utf-8") as fh:
            fh.write("metric,experiment,run,case,value\n")
            for r in range(10_000):
                v = rng.normal(size=(2, 20, 3)) + rng.normal(size=(1, 20, 1))
                fh.writelines("m%05d,%s,r%d,c%02d,%r\n" % (r, "AB"[e], k, c, float(v[e, c, k])) for e in range(2) for c in range(20) for k in range(3))
        rows = best(2, lambda: subprocess.run([a.verism, "compare", "--json", big], env=env, stdout=subprocess.DEVNULL, check=True))
        print("| compare: 1.2 million rows, 10 000 metrics | %.2f s (%.2f CPU) | limit: 30 s on 8 cores | - |" % rows)


if __name__ == "__main__":
    main()
