#!/usr/bin/env python3
"""The most power that any rule for pairs can keep which is seldom wrong where differences are skewed.

    .venv/bin/python bench/stats/bound.py [--pairs 5,6,7,8,9,10] [--limits 8,12] [--reps 60000]

A rule here is any region of samples that does not change with the scale of the values or with their sign; nothing else is asked of it.
False verdicts for lognormal differences of mean zero are to stay within a limit, for exponential ones within 8 % and for normal ones within 6.5 %.
Among such rules the most powerful one for normal differences rejects where f(x) > Σ λ_i f_i(x) (Neyman and Pearson, with least
favourable weights λ): f is the density of the sample's direction x/|x| where there is a difference, the f_i where there is none. The
weights minimise the dual, estimated on a sample of all four; power and false verdicts of the rule so found are then counted on another.
Needs NumPy and SciPy.
"""
import argparse

import numpy as np
from scipy.optimize import minimize

from rules import SHAPES, noncentrality

POWER = .85
MEAN = np.exp(.5)
LOG_SCALES = np.linspace(np.log(1e-2), np.log(3e3), 420)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(96)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2
NULLS = ["lognormal", "exponential", "normal"]


# Densities of directions x, |x| = 1: the integral of Π f(c x_j) c^(n-1) over the scale c.

def normal_density(x, mean):
    n, c = x.shape[1], np.exp(LOG_SCALES)
    exponent = -.5 * c ** 2 + mean * np.outer(x.sum(1), c) - .5 * n * mean ** 2 + n * LOG_SCALES
    return np.exp(exponent).sum(1) * (LOG_SCALES[1] - LOG_SCALES[0]) * (2 * np.pi) ** (-n / 2)


def lognormal_density(x):
    n, least, steps = x.shape[1], x.min(1), 400
    first = LOG_SCALES[0]
    last = np.log(np.minimum(MEAN / np.maximum(-least, 1e-12), 3e3))
    log_c = first + (last - first)[:, None] * (np.arange(steps) + .5) / steps
    c, exponent = np.exp(log_c), n * log_c
    for j in range(n):
        y = np.log(np.maximum(MEAN + c * x[:, [j]], 1e-300))
        exponent -= .5 * y * y + y
    return np.exp(exponent).sum(1) * (last - first) / steps * (2 * np.pi) ** (-n / 2)


def exponential_density(x):
    n, total, least = x.shape[1], x.sum(1), x.min(1)
    last = 1 / np.maximum(-least, 1e-12)
    last = np.where(total > 0, np.minimum(last, (60 + n) / np.maximum(total, 1e-9)), last)
    c = last[:, None] * NODES
    return (np.exp(-n - c * total[:, None] + (n - 1) * np.log(c)) * WEIGHTS).sum(1) * last


def densities(samples, shift):
    """Columns: a difference, then the nulls; each with its mirror image."""
    both = lambda density, x, *more: (density(x, *more) + density(-x, *more)) / 2
    out = []
    for at in range(0, len(samples), 20_000):
        x = samples[at:at + 20_000]
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
        out.append(np.stack([both(normal_density, x, shift), both(lognormal_density, x), both(exponential_density, x), normal_density(x, 0)], 1))
    return np.concatenate(out)


def drawn(rng, n, shift, reps):
    """Densities of samples of a difference and of each null."""
    sign = lambda: rng.choice([-1, 1], (reps, 1))
    samples = [SHAPES["normal"](rng, (reps, n)) + sign() * shift] + [sign() * SHAPES[name](rng, (reps, n)) for name in NULLS]
    return [densities(x, shift) for x in samples]


def weights(ratios, limits):
    def dual(log_weights):
        l = np.exp(log_weights)
        return np.maximum(ratios[:, 0] - ratios[:, 1:] @ l, 0).mean() + l @ limits
    starts = ([0, -2, -2], [.7, -6, -6], [1.2, -5, -1])
    best = min((minimize(dual, s, method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-7, "maxiter": 900}) for s in starts), key=lambda r: r.fun)
    return np.exp(best.x), best.fun


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--pairs", default="5,6,7,8,9,10")
    ask.add_argument("--limits", default="8,12", help="false verdicts for lognormal differences, in percent")
    ask.add_argument("--reps", type=int, default=60_000)
    args = ask.parse_args()
    print("| pairs | limit %, lognormal | bound: power kept % | counted: power kept % | " + " | ".join(f"false %, {name}" for name in NULLS) + " |\n|" + "---|" * 7)
    for n in map(int, args.pairs.split(",")):
        rng = np.random.default_rng(n)
        shift = noncentrality(n - 1, POWER) / np.sqrt(n)
        learnt = np.concatenate(drawn(rng, n, shift, args.reps))
        ratios = learnt / learnt.mean(1, keepdims=True)
        held = drawn(rng, n, shift, args.reps)
        for limit in map(float, args.limits.split(",")):
            l, power = weights(ratios, np.array([limit / 100, .08, .065]))
            rejected = [100 * float(np.mean(f[:, 0] > f[:, 1:] @ l)) for f in held]
            print(f"| {n} | {limit:g} | {100 * power / POWER:.1f} | {rejected[0] / POWER:.1f} | " + " | ".join(f"{share:.1f}" for share in rejected[1:]) + " |", flush=True)


if __name__ == "__main__":
    main()
