#!/usr/bin/env python3
"""Are the verdicts of `verism compare` right? Simulated designs with a known truth, run through the program itself.

Each replicate is a metric of its own in one table, so that one run of the program judges all of them (without correction).
Three figures per design: how often a verdict is given where there is no difference, how often the interval misses the true
difference, and how often a real difference is found, beside a named reference test on the same data. Two more tables follow: how
often the interval of a mean, by which a gate judges, misses the truth, and how often `verism correlate` finds what is not there
where points stand in clusters.

    cargo build --release
    .venv/bin/python bench/stats/designs.py [--reps 2000] [--only runs] [--program target/release/verism]

Ends with exit code 1 if a design is beyond its limit: 6.5 % for ordinary designs, 8 % for hard ones, 10 % for shifts of whole
runs with two runs; or if power is more than 15 % below that of a reference test which keeps the limit itself. Where no rule
whatever could have that power and keep the limit (bench/stats/rules.py), power is held against the most that one could have: "bound" in the last column says so.
Needs NumPy and SciPy (`bench/requirements.txt`).
"""
import argparse, csv, json, os, subprocess, sys, tempfile
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from tables import *

FIELDS = ["metric", "experiment", "run", "case", "dialogue", "turn", "level", "unit", "value", "undefined", "family"]
LIMITS = {"ordinary": 6.5, "hard": 8.0, "two runs": 10.0}
TWO_RUNS = 0.79  # the share of plain t's power that the best rule within 10 % keeps with two runs (bench/stats/rules.py runs)


# ---- the designs --------------------------------------------------------------------------------------------------------------

@dataclass
class Design:
    name: str
    what: str
    kind: str
    rows: Callable
    effect: float
    reference: Callable
    level: str = "case"
    mean: float | None = None       # the true mean of A, where the interval of its mean is looked at
    options: list = field(default_factory=list)
    truth: float | None = 0.0       # the true difference without effect; None where an interval is not asked
    bound: float = 1.0              # the share of the reference's power that any rule within the limit could keep


def listed():
    R01 = ["range=0..1"]
    D = Design
    return [
        D("binary-10v100", "0/1, p 0.06, 10 v 100", "hard", binary((10, 100), 0.06), 0.4, fisher),
        D("binary-20v20", "0/1, p 0.5, 20 v 20", "ordinary", binary((20, 20), 0.4), 0.45, fisher, mean=0.4),
        D("binary-50v50", "0/1, p 0.05, 50 v 50", "ordinary", binary((50, 50), 0.05), 0.2, fisher),
        D("binary-200v200", "0/1, p 0.9, 200 v 200", "ordinary", binary((200, 200), 0.85), 0.1, fisher),
        D("binary-5v5", "0/1, p 0.9, 5 v 5", "hard", binary((5, 5), 0.1), 0.8, fisher),
        D("binary-pairs-12", "0/1 pairs, p 0.8, 12 cases", "hard", binary_pairs(12, 0.3, 0.2), 0.5, mcnemar),
        D("binary-pairs-60", "0/1 pairs, p 0.6, 60 cases", "ordinary", binary_pairs(60, 0.5, 0.3), 0.2, mcnemar),
        D("ceiling-5v50", "95 % exactly 1, 5 v 50", "hard", unpaired(lambda rng, side, s: np.clip(ceiling(rng, (5, 50)[side], 0.05) - s, 0, 1)), 0.3, none, options=R01),
        D("ceiling-10v10", "90 % exactly 1, 10 v 10", "hard", unpaired(lambda rng, side, s: np.clip(ceiling(rng, 10, 0.1) - s, 0, 1)), 0.3, none, options=R01),
        D("ceiling-40v40", "80 % exactly 1, 40 v 40", "ordinary", unpaired(lambda rng, side, s: ceiling(rng, 40, 0.2 + s)), 0.4, welch, options=R01),
        D("ceiling-pairs-12", "85 % exactly 1, 12 pairs", "hard", paired(lambda rng, s: (ceiling(rng, 12, 0.15), ceiling(rng, 12, 0.15 + s))), 0.6, none, options=R01),
        D("grid-15v15", "marks 1 to 5, 15 v 15", "ordinary", grid((15, 15)), -1.0, welch),
        D("normal-3v3", "normal, 3 v 3", "ordinary", normal((3, 3)), 4.0, welch),
        D("normal-10v10", "normal, 10 v 10", "ordinary", normal((10, 10)), 1.4, welch, mean=0.0),
        D("normal-30v10", "normal, 30 with SD 1 v 10 with SD 3", "ordinary", normal((30, 10), (1.0, 3.0)), 3.0, welch),
        D("normal-pairs-5", "normal, 5 pairs", "ordinary", case_by_run(5, 1), 3.0, by_case),
        D("normal-pairs-12", "normal, 12 pairs", "ordinary", case_by_run(12, 1), 1.4, by_case),
        D("heavy-15v15", "t with 3 degrees of freedom, 15 v 15", "ordinary", unpaired(lambda rng, side, s: rng.standard_t(3, 15) + s), 1.7, welch),
        D("lognormal-10v10", "lognormal, 10 v 10", "hard", skewed((10, 10), "lognormal"), 2.5, welch, mean=float(np.exp(0.5))),
        D("lognormal-10v40", "lognormal, 10 v 40", "hard", skewed((10, 40), "lognormal"), 2.5, studentised),
        D("exponential-10v80", "exponential, 10 v 80", "hard", skewed((10, 80), "exponential"), 1.3, studentised),
        D("zeros-20v20", "60 % zeros, the rest exponential, 20 v 20", "ordinary", skewed((20, 20), "zeros"), 2.5, welch),
        D("skewed-pairs-12", "exponential differences, 12 pairs", "hard", skewed_pairs(12, "exponential"), 1.0, none),
        D("skewed-pairs-30", "exponential differences, 30 pairs", "hard", skewed_pairs(30, "exponential"), 0.6, by_case),
        D("lognormal-pairs-30", "lognormal differences, 30 pairs", "hard", skewed_pairs(30, "lognormal"), 1.2, none),
        D("runs-none-3", "20 cases x 3 runs, no run effect", "ordinary", case_by_run(20, 3), 0.55, by_case),
        D("runs-none-2", "10 cases x 2 runs, no run effect", "ordinary", case_by_run(10, 2), 1.0, by_case, bound=TWO_RUNS),
        D("runs-half-2", "20 cases x 2 runs, runs shift by 0.5 SD", "two runs", case_by_run(20, 2, run_sd=0.5), 0.0, none),
        D("runs-one-2", "20 cases x 2 runs, runs shift by 1 SD", "two runs", case_by_run(20, 2, run_sd=1.0), 0.0, none),
        D("runs-half-3", "20 cases x 3 runs, runs shift by 0.5 SD", "hard", case_by_run(20, 3, run_sd=0.5), 2.0, by_run),
        D("runs-quarter-3", "20 cases x 3 runs, runs shift by 0.25 SD", "hard", case_by_run(20, 3, run_sd=0.25), 1.2, by_run),
        D("runs-half-5", "20 cases x 5 runs, runs shift by 0.5 SD", "hard", case_by_run(20, 5, run_sd=0.5), 1.2, by_run),
        D("runs-half-10", "12 cases x 10 runs, runs shift by 0.5 SD", "ordinary", case_by_run(12, 10, run_sd=0.5), 0.9, by_run),
        D("runs-unpaired-3", "20 other cases x 3 runs, runs shift by 0.5 SD", "hard", case_by_run(20, 3, run_sd=0.5, shared=False), 2.2, none),
        D("families-6x5", "6 families of 5 cases, own differences, cluster=family", "hard", families(6, 5, 0.7), 1.8, by_family, options=["cluster=family"]),
        D("families-15x3", "15 families of 3 cases, cluster=family", "ordinary", families(15, 3, 0.7), 0.95, by_family, options=["cluster=family"]),
        D("models-3", "3 models x 2 groups x 5 runs, own group effects, factor=2", "hard", models_by_group(3, 5, 0.7), 5.0, by_model, level="run", options=["factor=2"]),
        D("models-8", "8 models x 2 groups x 3 runs, factor=2", "hard", models_by_group(8, 3, 0.7), 1.2, by_model, level="run", options=["factor=2"]),
        D("models-3-cases", "3 models x 2 groups x 12 cases, own group effects, factor=2", "hard", models_by_group_and_case(3, 12, 0.5), 4.0, by_model, options=["factor=2"]),
        D("models-6-cases", "6 models x 2 groups x 12 cases, own group effects, factor=2", "hard", models_by_group_and_case(6, 12, 0.5), 1.2, by_model, options=["factor=2"]),
        D("turns-12", "12 dialogues of 6 turns each side, other dialogues", "ordinary", turns(12, 6, 1.0, False), 1.5, by_dialogue, level="turn"),
        D("turns-shared-12", "12 shared dialogues of 6 turns", "ordinary", turns(12, 6, 1.0, True), 0.6, by_dialogue, level="turn"),
        D("items-15", "15 items with shared ids, no case", "ordinary", items(15, 1.0), 0.6, by_dialogue, level="item"),
        D("blanks-40", "B leaves its 20 % lowest of 40 blank, values 0 to 1", "hard", missing_low(40, 0.2), 0.0, none, options=R01, truth=None),
        # Designs that no rule was set by.
        D("marks-pairs-20", "marks 1 to 5, 20 pairs", "ordinary", marks_pairs(20), 0.75, by_case, options=["range=1..5"]),
        D("ceiling-beta-15v15", "beta(8, 1), 15 v 15, values 0 to 1", "hard", unpaired(lambda rng, side, s: rng.beta(8 - 4 * s, 1, 15)), 0.9, welch, options=R01, mean=8 / 9),
        D("ceiling-beta-pairs-10", "beta(8, 1), 10 pairs of unrelated values", "hard", paired(lambda rng, s: (rng.beta(8, 1, 10), rng.beta(8 - 4 * s, 1, 10))), 1.3, by_case, options=R01),
        D("ties-12v12", "three values 0, ½, 1, 12 v 12", "ordinary", unpaired(lambda rng, side, s: rng.choice([0, 0.5, 1], 12, p=[0.3 - s, 0.4, 0.3 + s])), 0.28, welch, options=R01, mean=0.5),
        D("zeros-15v45", "60 % zeros, the rest exponential, 15 v 45", "hard", skewed((15, 45), "zeros"), 2.5, studentised),
        D("normal-4v12", "normal, 4 v 12", "ordinary", normal((4, 12)), 2.6, welch, mean=0.0),
        D("normal-pairs-7", "normal, 7 pairs", "ordinary", case_by_run(7, 1), 1.9, by_case),
        D("heavy-pairs-10", "t with 3 degrees of freedom, 10 pairs", "ordinary", matched(10, lambda rng, n: rng.standard_t(3, n)), 1.8, by_case),
        D("mixed-20v20", "normal, one value in ten with ten times the SD, 20 v 20", "ordinary", unpaired(lambda rng, side, s: rng.normal(s, np.where(rng.random(20) < 0.1, 10, 1))), 3.0, welch),
        D("lognormal-pairs-5", "lognormal differences, 5 pairs", "hard", skewed_pairs(5, "lognormal"), 0.0, none),
        D("lognormal-pairs-8", "lognormal differences, 8 pairs", "hard", skewed_pairs(8, "lognormal"), 0.0, none),
        D("lognormal-pairs-12", "lognormal differences, 12 pairs", "hard", skewed_pairs(12, "lognormal"), 0.0, none),
        D("exponential-pairs-6", "exponential differences, 6 pairs", "hard", skewed_pairs(6, "exponential"), 0.0, none),
        D("unlike-10v30", "lognormal 10 v normal 30, equal means and SD", "hard", unlike((10, 30), centred_lognormal, lambda rng, n: rng.normal(0, 1, n)), 0.0, none),
        D("unlike-30v10", "lognormal 30 v mirrored lognormal 10", "hard", unlike((30, 10), centred_lognormal, lambda rng, n: -centred_lognormal(rng, n)), 0.0, none),
        D("unlike-scale-30v10", "exponential 30 v exponential 10 with three times the SD", "hard", unlike((30, 10), lambda rng, n: rng.exponential(1, n) - 1, lambda rng, n: 3 * (rng.exponential(1, n) - 1)), 0.0, none),
        D("runs-none-4", "15 cases x 4 runs, no run effect", "ordinary", case_by_run(15, 4), 0.55, by_case),
        D("runs-quarter-2", "40 cases x 2 runs, runs shift by 0.25 SD", "two runs", case_by_run(40, 2, run_sd=0.25), 0.0, none),
        D("runs-interaction-3", "15 cases x 3 runs, runs shift by 0.3 SD, cases differ by 0.5 SD", "hard", case_by_run(15, 3, run_sd=0.3, interaction_sd=0.5), 1.4, by_run),
        D("runs-unpaired-none-3", "15 other cases x 3 runs, no run effect", "ordinary", case_by_run(15, 3, shared=False), 1.35, by_case),
        D("runs-skewed-3", "12 cases x 3 runs, no run effect, exponential cells", "hard", paired_runs(12, 3), 0.75, by_case),
        D("turns-uneven-10", "10 dialogues of 1 to 12 turns each side", "ordinary", uneven_turns(10, 0.8), 1.5, by_dialogue, level="turn"),
        D("three-15", "three experiments, 15 cases, Holm over three pairs: any verdict", "ordinary", three_experiments(15, 0.3), 0.0, none, options=["adjust=holm", "family=metric"]),
        D("three-models-5", "5 models x 2 groups x 8 cases, own group effects, factor=2", "hard", models_by_group_and_case(5, 8, 0.8), 2.2, by_model, options=["factor=2"]),
        D("blanks-both-30", "both leave blank what is low, about 15 % of 30", "ordinary", missing_both(30, -1.04), 0.65, welch),
        D("normal-2v2", "normal, 2 v 2", "ordinary", normal((2, 2)), 12.0, welch),
        D("normal-2v20", "normal, 2 v 20", "ordinary", normal((2, 20)), 6.0, welch),
        D("normal-3v12", "normal, 3 v 12", "ordinary", normal((3, 12)), 3.0, welch),
        D("normal-5v50", "normal, 5 with SD 3 v 50 with SD 1", "ordinary", normal((5, 50), (3.0, 1.0)), 4.5, welch),
        D("normal-pairs-3", "normal, 3 pairs", "ordinary", case_by_run(3, 1), 6.0, by_case),
        D("counts-8v8", "Poisson counts, mean 2, 8 v 8", "ordinary", counts((8, 8), 2.0), 2.7, welch),
        D("counts-12v30", "Poisson counts, mean ½, 12 v 30", "hard", counts((12, 30), 0.5), 1.0, welch),
        D("tenths-10v10", "share of ten right, p 0.95, 10 v 10", "hard", shares_of_ten((10, 10), 0.95), 0.15, welch, options=R01, mean=0.95),
        D("tenths-30v6", "share of ten right, p 0.97, 30 v 6", "hard", shares_of_ten((30, 6), 0.97), 0.15, welch, options=R01, mean=0.97),
        D("ceiling-gate-10", "90 % exactly 1, 10 v 10", "hard", unpaired(lambda rng, side, s: ceiling(rng, 10, 0.1)), 0.0, none, options=R01, mean=0.95),
        D("ceiling-gate-40", "95 % exactly 1, 40 v 40", "hard", unpaired(lambda rng, side, s: ceiling(rng, 40, 0.05)), 0.0, none, options=R01, mean=0.975),
        D("binary-gate-8", "0/1, p 0.95, 8 v 8", "hard", binary((8, 8), 0.95), 0.0, none, mean=0.95),
        D("marks-6v6", "marks 1 to 5, 6 v 6", "ordinary", marks((6, 6), 3.8, 1.0, 5), -1.9, welch),
        D("marks-10v30", "marks 1 to 7, 10 v 30", "ordinary", marks((10, 30), 5.5, 1.5, 7), -1.5, welch),
        D("cases-3x10", "3 cases x 10 runs, runs shift by 0.5 SD, cases differ by 0.5 SD", "hard", case_by_run(3, 10, run_sd=0.5, interaction_sd=0.5), 3.0, by_case),
        D("cases-2x8", "2 cases x 8 runs", "hard", case_by_run(2, 8), 4.0, by_case),
        D("runs-none-5x3", "5 cases x 3 runs, no run effect", "ordinary", case_by_run(5, 3), 1.4, by_case),
        D("runs-none-10x3", "10 cases x 3 runs, no run effect", "ordinary", case_by_run(10, 3), 0.8, by_case),
        D("runs-half-10x3", "10 cases x 3 runs, runs shift by 0.5 SD", "hard", case_by_run(10, 3, run_sd=0.5), 0.0, none),
        D("runs-uneven-1v5", "20 cases, 1 run v 5 runs, runs shift by 0.5 SD", "hard", gaps(20, (1, 5), 0.5), 0.0, none),
        D("runs-uneven-3v6", "20 cases, 3 runs v 6 runs, runs shift by 0.5 SD", "hard", gaps(20, (3, 6), 0.5), 1.6, by_run),
        D("gaps-none-4", "20 cases x 4 runs, 20 % of the cells missing", "ordinary", gaps(20, (4, 4), 0.0, 0.2), 0.55, by_case),
        D("gaps-half-4", "20 cases x 4 runs, 40 % of the cells missing, runs shift by 0.5 SD", "hard", gaps(20, (4, 4), 0.5, 0.4), 1.4, by_run),
        D("binary-runs-10x3", "0/1, 10 cases x 3 runs", "ordinary", binary_runs(10, 3, 0.6, 0.2), 0.33, by_case, options=R01),
        D("binary-runs-shift", "0/1, 20 cases x 3 runs, runs shift by 0.15", "hard", binary_runs(20, 3, 0.45, 0.2, 0.15), 0.0, none, options=R01),
        D("runs-dialogues-6", "6 runs of 4 dialogues of 3 turns, all their own, runs shift by 0.5 SD", "hard", runs_of_dialogues(6, 4, 3, 0.5), 0.0, none, level="turn"),
        D("families-uneven", "8 families of 1 to 10 cases, own differences, cluster=family", "hard", uneven_families([1, 2, 3, 4, 5, 6, 8, 10], 0.7, True), 1.7, by_family, options=["cluster=family"]),
        D("families-apart", "10 families each side, one of 15 cases, cluster=family", "hard", uneven_families([15] + [2] * 9, 0.7, False), 1.8, by_family, options=["cluster=family"]),
        D("models-2-cases", "2 models x 2 groups x 15 cases, own group effects, factor=2", "hard", models_by_group_and_case(2, 15, 0.5), 0.0, none, options=["factor=2"]),
        D("models-4-cases", "4 models x 2 groups x 15 cases, own group effects, factor=2", "hard", models_by_group_and_case(4, 15, 0.5), 1.8, by_model, options=["factor=2"]),
        D("blank-pairs-20", "20 pairs, 20 % of the values missing at random", "ordinary", blank_pairs(20, 0.2), 1.3, by_case),
        D("rows-10v100", "0/1, p 0.06, 10 v 100, weight=row", "hard", binary((10, 100), 0.06), 0.0, none, options=["weight=row"]),
        D("rare-families-5v50", "0/1, p 0.06, 5 v 50 families of 2, cluster=family", "hard", rare_in_families((5, 50), 2, 0.06), 0.0, none, options=["cluster=family"]),
        D("shares-families-20", "0/1, p 0.7, 20 v 20 families of 10, correlation 0.5, cluster=family", "hard", shares_in_families(20, 10, 0.7, 0.5), 0.0, none, options=["cluster=family"], mean=0.7),
        D("rank-mw", "normal 12 v 12, test=mannwhitney", "ordinary", normal((12, 12)), 1.3, mann_whitney, options=["test=mannwhitney"]),
        D("rank-wilcoxon", "normal 15 pairs, test=wilcoxon", "ordinary", case_by_run(15, 1), 1.3, wilcoxon, options=["test=wilcoxon"]),
        D("flips", "normal 12 pairs, test=signflip", "ordinary", case_by_run(12, 1), 1.4, by_case, options=["test=signflip"]),
        D("permutation", "normal 10 v 10, test=permutation", "ordinary", normal((10, 10)), 1.4, welch, options=["test=permutation"]),
    ]


# ---- running ------------------------------------------------------------------------------------------------------------------

def judged(program, design, tables):
    """Runs the program on one table in which every replicate is a metric; gives the pairs of each, and the intervals of A's mean."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        with open(path, "w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(FIELDS)
            for number, rows in enumerate(tables):
                for experiment, run, case, dialogue, turn, value, family in rows:
                    writer.writerow([f"m{number:05d}", experiment, run, case, dialogue, turn, design.level,
                                     dialogue if design.level == "item" else "", "" if value is None else repr(float(value)),
                                     "blank" if value is None else "", family])
        command = [program, "compare", path, "--json"]
        for option in ["adjust=none"] * (not any(o.startswith("adjust") for o in design.options)) + design.options:
            command += ["--option", option]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip().splitlines()[0] if done.stderr else done.stdout[:200]
        found = json.loads(done.stdout)
        pairs = {}
        for pair in found["pairs"]:
            pairs.setdefault(pair["metric"], []).append(pair)
        return list(pairs.values()), [own for own in found["summary"] if own["experiment"] == "A"]


def decided(pairs):
    return any(pair["verdict"] in ("better", "worse", "higher", "lower") for pair in pairs)


def misses(pairs, truth):
    ci = pairs[0]["ci"]
    return ci["lo"] is not None and not ci["lo"] <= truth <= ci["hi"]


def share(flags):
    return 100.0 * float(np.mean(flags)) if len(flags) else float("nan")


def measure(program, design, reps, seed):
    sides = {}
    for name, shift in (("null", 0.0), ("effect", design.effect)):
        rng = np.random.default_rng([seed, sum(map(ord, design.name)), int(shift != 0)])
        tables = [design.rows(rng, shift) for _ in range(reps)]
        found = judged(program, design, tables)
        if isinstance(found, str):
            return found
        sides[name] = (tables, *found)
        if not design.effect:
            break
    _, null, summary = sides["null"]
    tests = [pairs[0]["test"] for pairs in null]
    out = {"false": share([decided(p) for p in null]), "test": max(set(tests), key=tests.count),
           "misses": share([misses(p, design.truth) for p in null]) if design.truth is not None else None}
    if design.mean is not None:
        ends = [(own["ci_lo"], own["ci_hi"]) for own in summary]
        out["mean"] = share([lo is not None and not lo <= design.mean <= hi for lo, hi in ends])
        out["passes"] = share([lo is not None and lo > design.mean for lo, _ in ends])
    if design.effect:
        tables, pairs, _ = sides["effect"]
        out["power"] = share([decided(p) for p in pairs])
        if design.reference is not none:
            with np.errstate(all="ignore"):
                out["best"] = share([design.reference(rows) < 0.05 for rows in tables])
                out["best_false"] = share([design.reference(rows) < 0.05 for rows in sides["null"][0]])
    return out


# ---- correlations -------------------------------------------------------------------------------------------------------------

def clustered_points(sizes, cluster_sd, skewed_cells=False):
    """Points (cluster, x, y) without any correlation; both sides have effects of the cluster."""
    def points(rng):
        noise = (lambda: rng.exponential(1) - 1) if skewed_cells else rng.normal
        out = []
        for c, size in enumerate(sizes):
            a, b = rng.normal(0, cluster_sd, 2)
            out += [(c, a + noise(), b + noise()) for _ in range(size)]
        return out
    return points


CORRELATIONS = [
    ("turns-12x6", "12 dialogues of 6 turns, effects of the dialogue 1 SD", "hard", clustered_points([6] * 12, 1.0)),
    ("turns-30x6", "30 dialogues of 6 turns, effects of the dialogue 1 SD", "ordinary", clustered_points([6] * 30, 1.0)),
    ("turns-uneven-15", "15 dialogues of 1 to 15 turns, effects 0.7 SD", "hard", clustered_points(range(1, 16), 0.7)),
    ("turns-none-20", "20 dialogues of 5 turns, no effect of the dialogue", "ordinary", clustered_points([5] * 20, 0.0)),
    ("turns-skewed-20", "20 dialogues of 5 turns, exponential, effects 1 SD", "hard", clustered_points([5] * 20, 1.0, True)),
    ("turns-6x10", "6 dialogues of 10 turns, effects 1 SD", "hard", clustered_points([10] * 6, 1.0)),
]


def correlated(program, points, number):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        with open(path, "w", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(["metric", "experiment", "dialogue", "turn", "level", "value"])
            for t, (cluster, x, y) in enumerate(points):
                for metric, value in (("u", x), ("v", y)):
                    writer.writerow([metric, "A", f"d{cluster}", t, "turn", repr(float(value))])
        command = [program, "correlate", "u:v", path, "--json", "--option", "resamples=399", "--option", f"seed={number}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr or done.stdout)
        return json.loads(done.stdout)["rows"][-1]


def correlations(args):
    print("\n| points | what | limit | Spearman false % | Pearson false % | Spearman interval misses % | Pearson interval misses % | holds |\n|---|---|---|---|---|---|---|---|")
    sound = True
    for name, what, kind, draw in CORRELATIONS:
        if args.only not in name:
            continue
        rng = np.random.default_rng([args.seed, sum(map(ord, name))])
        rows = [correlated(args.program, draw(rng), number) for number in range(args.reps)]
        false = lambda side: share([row[side]["p"] is not None and row[side]["p"] < 0.05 for row in rows])
        miss = lambda side: share([row[side]["ci_lo"] is not None and not row[side]["ci_lo"] <= 0 <= row[side]["ci_hi"] for row in rows])
        s, p = false("spearman"), false("pearson")
        holds = max(s, p, miss("pearson")) <= LIMITS[kind]
        sound &= holds
        print(f"| {name} | {what} | {LIMITS[kind]} | {s:.1f} | {p:.1f} | {miss('spearman'):.1f} | {miss('pearson'):.1f} | {'yes' if holds else 'NO'} |", flush=True)
    return sound


def measured(args, design):
    """The figures of a design; one beyond its limit is run again with ten times as many replicates, so that chance does not decide."""
    limit = LIMITS[design.kind]
    got = measure(args.program, design, args.reps, args.seed)
    if not isinstance(got, str) and (got["false"] > limit or got.get("mean", 0) > limit or got.get("passes", 0) > 5):
        got = measure(args.program, design, 10 * args.reps, args.seed)
        design.name += f" ({10 * args.reps:,} replicates)"
    return got


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--reps", type=int, default=2000)
    ask.add_argument("--only", default="", help="designs whose name holds this")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--program", default="target/release/verism")
    args = ask.parse_args()
    sound, means = True, []
    print("| design | what | commonest test | false % | limit | interval misses % | power % | reference power % (its false %) | holds |\n|---|---|---|---|---|---|---|---|---|")
    for design in listed():
        if args.only not in design.name:
            continue
        got = measured(args, design)
        limit = LIMITS[design.kind]
        if isinstance(got, str):
            sound = False
            print(f"| {design.name} | {design.what} | - | - | {limit} | - | - | - | NO: {got} |", flush=True)
            continue
        holds = got["false"] <= limit
        if "best" in got and got["best_false"] <= limit:
            holds &= got["power"] >= 0.85 * design.bound * got["best"]
        sound &= bool(holds)
        said = "yes, of the bound" if design.bound < 1 and got["power"] < 0.85 * got["best"] else "yes"
        if "mean" in got:
            means.append((design, got))
        cell = lambda key: f"{got[key]:.1f}" if got.get(key) is not None else "-"
        reference = f"{design.reference.__name__ if design.reference.__name__ != 'test' else 't of means'} {cell('best')} ({cell('best_false')})" if "best" in got else "-"
        print(f"| {design.name} | {design.what} | {got['test']} | {cell('false')} | {limit} | {cell('misses')} | {cell('power')} | {reference} | {said if holds else 'NO'} |", flush=True)
    if means:
        print("\n| design | interval of A's mean misses % | limit | a gate at the truth would pass % (limit 5) |\n|---|---|---|---|")
    for design, got in means:
        sound &= got["mean"] <= LIMITS[design.kind] and got["passes"] <= 5.0
        print(f"| {design.name} | {got['mean']:.1f} | {LIMITS[design.kind]} | {got['passes']:.1f} |", flush=True)
    sound &= correlations(args)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
