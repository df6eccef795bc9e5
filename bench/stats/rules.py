#!/usr/bin/env python3
"""Where the rules for run shifts and for skewness come from: what the best possible rule could reach, and what ours does.

    .venv/bin/python bench/stats/rules.py [runs|skew] [--reps 100000]

No program is needed: the rules are simulated as docs/statistics.md states them, on sufficient statistics of normal data (runs) and
on samples (skew). "Bound" is a linear programme over all rejection regions in two statistics: the most power at no difference of
runs that any rule can have whose false verdicts stay within the limit; bound.py has that of skewed pairs. Needs NumPy and SciPy.
"""
import argparse

import numpy as np
from scipy import stats
from scipy.optimize import brentq, linprog

RUN_SDS = [0, .1, .15, .2, .25, .3, .4, .5, .7, 1.0]


def noncentrality(df, power):
    return brentq(lambda z: stats.nct.sf(stats.t.isf(.025, df), df, z) - power, .1, 20)


# ---- shifts of whole runs -----------------------------------------------------------------------------------------------------

def run_bound(runs, limit, delta=2.87):
    """Share of the plain test's power (0.82) that is left to the best of all rules; many cases, σ known.

    The variance between the means of runs and the difference are sufficient then, so that a rule is a region in these two; the
    programme asks nothing of it but the limit, at shifts of 0 to 9 standard errors.
    """
    nu = 2 * (runs - 1)
    a = np.concatenate([np.linspace(0, 6, 61), np.geomspace(6, 4000, 60)[1:], [np.inf]])
    d = np.unique(np.concatenate([np.linspace(0, 8, 121), [1.96], np.geomspace(8, 600, 80)[1:], [np.inf]]))
    of_a = lambda r: np.diff(stats.chi2.cdf(a * nu / (1 + r), nu))
    def of_d(r, mean):
        s = np.sqrt(1 + r)
        return np.diff(stats.norm.cdf((d - mean) / s) - stats.norm.cdf((-d - mean) / s))
    ratios = [0, .1, .25, .5, .75, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40, 80]
    found = linprog(-np.outer(of_a(0), of_d(0, delta)).ravel(), A_ub=np.array([np.outer(of_a(r), of_d(r, 0)).ravel() for r in ratios]),
                    b_ub=[limit] * len(ratios), bounds=(0, 1), method="highs")
    return -found.fun / stats.norm.sf(1.96 - delta)


def run_weight(f, nu, nu_e, runs):
    p = stats.f.sf(f, nu, nu_e)
    with np.errstate(divide="ignore"):
        level = .15 * min(1, (1 + nu_e / nu) / 15) if runs == 2 else .08 * min(1, (1 + nu_e / nu) / 25)
        return np.clip(np.log(.5 / p) / np.log(.5 / level), 0, 1)


def run_rule(rng, cases, runs, sd, reps, delta=0.0, paired=True, interaction=0.0, rule=True):
    nu, rest = 2 * (runs - 1), 2 * (runs - 1) * (cases - 1)
    a = (sd ** 2 + 1 / cases) * rng.chisquare(nu, reps) / nu
    b = rng.chisquare(rest, reps) / rest / cases
    if paired:
        v = (2 * interaction ** 2 + 2 / runs) / cases
        own, df = v * rng.chisquare(cases - 1, reps) / (cases - 1), np.full(reps, cases - 1.0)
    else:
        one = (1 + 1 / runs) / cases
        u, w = (one * rng.chisquare(cases - 1, reps) / (cases - 1) for _ in "ab")
        v, own, df = 2 * one, u + w, (u + w) ** 2 / ((u * u + w * w) / (cases - 1))
    d = rng.normal(delta * np.sqrt(v), np.sqrt(v + sd ** 2 * 2 / runs), reps)
    if rule:
        w = run_weight(a / b, nu, rest, runs) * (a > b)
        shared = w * np.maximum(a - b, 0) * 2 / runs
        total = own + shared
        spread = (w * 2 / runs) ** 2 * (a * a / nu + b * b / rest)
        df = np.where(shared > 0, total ** 2 / (own ** 2 / df + spread + 1e-300), df)
        own = total
    return float(np.mean(np.abs(d) > stats.t.isf(.025, df) * np.sqrt(own)))


def runs_table(reps):
    rng = np.random.default_rng(1)
    print("| runs | limit % | bound: power kept % | cases | pairs | false %, no shift | false %, worst shift (at SD) | power kept % |\n|---|---|---|---|---|---|---|---|")
    for runs in (2, 3, 4, 5, 6):
        limit = 10 if runs == 2 else 8
        bound = 100 * run_bound(runs, limit / 100)
        for cases in (5, 10, 20, 50, 100):
            for paired in (True, False):
                false = [100 * run_rule(rng, cases, runs, sd, reps, paired=paired) for sd in RUN_SDS]
                delta = noncentrality(cases - 1 if paired else 2 * cases - 2, .82)
                kept = run_rule(rng, cases, runs, 0, reps, delta, paired) / run_rule(rng, cases, runs, 0, reps, delta, paired, rule=False)
                at = RUN_SDS[int(np.argmax(false))]
                print(f"| {runs} | {limit} | {bound:.0f} | {cases} | {'same cases' if paired else 'other cases'} | {false[0]:.1f} | {max(false):.1f} ({at}) | {100 * kept:.0f} |", flush=True)


# ---- skewed pairs -------------------------------------------------------------------------------------------------------------

SHAPES = {
    "normal": lambda rng, s: rng.normal(0, 1, s),
    "lognormal": lambda rng, s: rng.lognormal(0, 1, s) - np.exp(.5),
    "exponential": lambda rng, s: rng.exponential(1, s) - 1,
    "beta(8, 1)": lambda rng, s: rng.beta(8, 1, s) - 8 / 9,
    "t3": lambda rng, s: rng.standard_t(3, s),
    "uniform": lambda rng, s: rng.uniform(-1, 1, s),
}


def moments(x):
    n = x.shape[1]
    r = x - x.mean(1, keepdims=True)
    s2 = (r * r).sum(1) / (n - 1)
    return x.mean(1) / np.sqrt(s2 / n), (r ** 3).sum(1) * n / ((n - 1) * (n - 2)) / s2 ** 1.5 / np.sqrt(n)


def skew_rule(t, g, n):
    c = g * min(n / 7, 1.25)
    near = np.clip(t, -5, 5)
    moved = near + c * (2 * near ** 2 + 1) / 6 + c * c * near ** 3 / 27 + (t - near)
    q = stats.t.isf(.025, n - 1)
    plain = np.abs(g) <= .2 if n >= 5 else np.full(len(t), True)
    return (np.abs(t) > q) & (plain | (np.abs(moved) > q) & (moved * t > 0))


def skew_table(reps):
    rng = np.random.default_rng(2)
    print("| pairs | power kept %, normal | " + " | ".join(f"false %, {k} (plain t)" for k in SHAPES) + " |\n|---|---|" + "---|" * len(SHAPES))
    for n in (5, 6, 7, 8, 10, 12, 15, 20, 30):
        shifted = moments(SHAPES["normal"](rng, (reps, n)) + noncentrality(n - 1, .85) / np.sqrt(n))
        q = stats.t.isf(.025, n - 1)
        kept = skew_rule(*shifted, n).mean() / (np.abs(shifted[0]) > q).mean()
        false = []
        for draw in SHAPES.values():
            t, g = moments(draw(rng, (reps, n)))
            false.append(f"{100 * skew_rule(t, g, n).mean():.1f} ({100 * (np.abs(t) > q).mean():.1f})")
        print(f"| {n} | {100 * kept:.0f} | {' | '.join(false)} |", flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("part", nargs="?", choices=["runs", "skew"])
    ask.add_argument("--reps", type=int, default=100_000)
    args = ask.parse_args()
    if args.part != "skew":
        runs_table(args.reps)
    if args.part != "runs":
        print()
        skew_table(args.reps)


if __name__ == "__main__":
    main()
