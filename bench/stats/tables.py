"""Simulated score tables with a known truth, and the reference tests that are run on them (bench/stats/designs.py)."""
import numpy as np
from scipy import stats


# ---- tables: every generator gives rows of (experiment, run, case, dialogue, turn, value, family) -------------------------------

def row(experiment, value, run="", case="", dialogue="", turn="", family=""):
    return (experiment, run, case, dialogue, turn, value, family)


def unpaired(draw):
    """Units without anything in common: draw(rng, side, shift) gives the values of one side."""
    def rows(rng, shift):
        return [row(e, v, case=f"{e}{i}") for side, e in enumerate("AB") for i, v in enumerate(draw(rng, side, shift * side))]
    return rows


def paired(draw):
    """The same cases on both sides: draw(rng, shift) gives values of A and of B."""
    def rows(rng, shift):
        return [row(e, v, case=f"c{i}") for e, values in zip("AB", draw(rng, shift)) for i, v in enumerate(values)]
    return rows


def case_by_run(cases, runs, case_sd=1.0, cell_sd=1.0, run_sd=0.0, interaction_sd=0.0, shared=True):
    def rows(rng, shift):
        common = rng.normal(0, case_sd, cases)
        out = []
        for side, e in enumerate("AB"):
            base = common if shared else rng.normal(0, case_sd, cases)
            base = base + rng.normal(0, interaction_sd, cases)
            shifts = rng.normal(0, run_sd, runs)
            cells = base[:, None] + shifts[None, :] + rng.normal(0, cell_sd, (cases, runs)) + shift * side
            out += [row(e, cells[c, r], run=f"r{r}", case=f"c{c}" if shared else f"{e}{c}") for c in range(cases) for r in range(runs)]
        return out
    return rows


def paired_runs(cases, runs):
    """Cells with exponential noise: skewed, and without shifts of runs."""
    def rows(rng, shift):
        base = rng.normal(0, 1, cases)
        return [row(e, base[c] + shift * side + rng.exponential(1), run=f"r{r}", case=f"c{c}")
                for side, e in enumerate("AB") for c in range(cases) for r in range(runs)]
    return rows


def families(groups, size, group_sd, noise_sd=1.0):
    """Cases in families whose difference is their own."""
    def rows(rng, shift):
        own = rng.normal(0, group_sd, groups)
        out = []
        for g in range(groups):
            for i in range(size):
                base = rng.normal()
                out.append(row("A", base + rng.normal(0, noise_sd), case=f"g{g}c{i}", family=f"g{g}"))
                out.append(row("B", base + own[g] + shift + rng.normal(0, noise_sd), case=f"g{g}c{i}", family=f"g{g}"))
        return out
    return rows


def models_by_group(models, runs, own_sd):
    """Experiments model/group: does the group matter, where each model has an effect of its own?"""
    def rows(rng, shift):
        out = []
        for m in range(models):
            base, own = rng.normal(), rng.normal(0, own_sd)
            for side, e in enumerate("AB"):
                out += [row(f"m{m}/{e}", base + side * (own + shift) + rng.normal(0, 0.5), run=f"r{r}") for r in range(runs)]
        return out
    return rows


def models_by_group_and_case(models, cases, own_sd):
    """The same with cases that every model answers: the cases of one model are not independent answers to the question."""
    def rows(rng, shift):
        out = []
        for m in range(models):
            own = rng.normal(0, own_sd)
            for c in range(cases):
                base = rng.normal()
                out += [row(f"m{m}/{e}", base + side * (own + shift) + rng.normal(0, 0.5), case=f"c{c}") for side, e in enumerate("AB")]
        return out
    return rows


def turns(dialogues, length, dialogue_sd, shared_ids):
    def rows(rng, shift):
        out = []
        common = rng.normal(0, dialogue_sd, dialogues)
        for side, e in enumerate("AB"):
            base = common if shared_ids else rng.normal(0, dialogue_sd, dialogues)
            for d in range(dialogues):
                name = f"d{d}" if shared_ids else f"{e}{d}"
                out += [row(e, base[d] + shift * side + rng.normal(), dialogue=name, turn=t) for t in range(length)]
        return out
    return rows


def items(count, item_sd):
    """Items without a case, under the same ids on both sides."""
    def rows(rng, shift):
        base = rng.normal(0, item_sd, count)
        return [row(e, base[i] + shift * side + rng.normal(0, 0.5), dialogue=f"i{i}") for side, e in enumerate("AB") for i in range(count)]
    return rows


def missing_low(count, share):
    """B leaves its hardest questions blank: the values are the same, the low ones are missing."""
    def rows(rng, shift):
        a, b = rng.uniform(0, 1, count), np.minimum(rng.uniform(0, 1, count) + shift, 1.0)
        blank = set(np.argsort(b)[: int(share * count)])
        return [row("A", v, case=f"A{i}") for i, v in enumerate(a)] + \
               [row("B", None if i in blank else v, case=f"B{i}") for i, v in enumerate(b)]
    return rows


# ---- distributions ------------------------------------------------------------------------------------------------------------

def normal(n, sd=(1.0, 1.0)):
    return unpaired(lambda rng, side, shift: rng.normal(shift, sd[side], n[side]))


def binary(n, p):
    return unpaired(lambda rng, side, shift: (rng.random(n[side]) < p + shift).astype(float))


def binary_pairs(n, p, spread):
    def draw(rng, shift):
        own = np.clip(p + rng.uniform(-spread, spread, n), 0, 1)
        return [(rng.random(n) < np.clip(own + s, 0, 1)).astype(float) for s in (0, shift)]
    return paired(draw)


def ceiling(rng, n, miss):
    """Mostly exactly 1, now and then anything below."""
    return np.where(rng.random(n) < miss, rng.random(n), 1.0)


def skewed(n, kind):
    def draw(rng, side, shift):
        x = {"lognormal": lambda: rng.lognormal(0, 1, n[side]), "exponential": lambda: rng.exponential(1, n[side]),
             "zeros": lambda: np.where(rng.random(n[side]) < 0.6, 0.0, rng.exponential(1, n[side]))}[kind]()
        return x + shift if kind != "zeros" else x * (1 + shift)
    return unpaired(draw)


def skewed_pairs(n, kind):
    def draw(rng, shift):
        base = rng.normal(0, 1, n)
        d = {"exponential": lambda: rng.exponential(1, n) - 1, "lognormal": lambda: rng.lognormal(0, 1, n) - np.exp(0.5)}[kind]()
        return base, base + d + shift
    return paired(draw)


def matched(n, noise):
    """The same cases, differences with noise of their own: noise(rng, n)."""
    def draw(rng, shift):
        base = rng.normal(0, 1, n)
        return base, base + noise(rng, n) + shift
    return paired(draw)


def unlike(n, first, second):
    """Two samples of unequal shape, both with mean 0."""
    return unpaired(lambda rng, side, shift: (first, second)[side](rng, n[side]) + shift)


def centred_lognormal(rng, n):
    return (rng.lognormal(0, 1, n) - np.exp(0.5)) / 2.161


def marks_pairs(n):
    """Marks 1 to 5 of the same cases."""
    def draw(rng, shift):
        base = rng.normal(3.6, 0.8, n)
        return [np.clip(np.round(base + s + rng.normal(0, 0.7, n)), 1, 5) for s in (0, shift)]
    return paired(draw)


def uneven_turns(dialogues, dialogue_sd):
    """Dialogues of 1 to 12 turns."""
    def rows(rng, shift):
        out = []
        for side, e in enumerate("AB"):
            for d in range(dialogues):
                own = rng.normal(0, dialogue_sd)
                out += [row(e, own + shift * side + rng.normal(), dialogue=f"{e}{d}", turn=t) for t in range(1 + int(rng.integers(12)))]
        return out
    return rows


def three_experiments(cases, interaction_sd):
    """A, B and C answer the same cases; without an effect all are equal, else C is better."""
    def rows(rng, shift):
        base = rng.normal(0, 1, cases)
        return [row(e, base[c] + rng.normal(0, interaction_sd) + rng.normal(0, 0.5) + (shift if e == "C" else 0), case=f"c{c}")
                for e in "ABC" for c in range(cases)]
    return rows


def missing_both(count, below):
    """Both sides leave blank what is below a mark, so that about as many are missing on either side."""
    def rows(rng, shift):
        return [row(e, None if v < below else v + shift * side, case=f"{e}{i}")
                for side, e in enumerate("AB") for i, v in enumerate(rng.normal(0, 1, count))]
    return rows


def gaps(cases, runs, run_sd=0.0, drop=0.0):
    """Cases by runs of which cells are missing at random; runs are those of A and of B."""
    def rows(rng, shift):
        base, out = rng.normal(0, 1, cases), []
        for side, e in enumerate("AB"):
            shifts = rng.normal(0, run_sd, runs[side])
            out += [row(e, base[c] + shifts[r] + shift * side + rng.normal(), run=f"r{r}", case=f"c{c}")
                    for c in range(cases) for r in range(runs[side]) if rng.random() >= drop]
        return out
    return rows


def binary_runs(cases, runs, p, spread, run_sd=0.0):
    """0/1 of the same cases, several times each."""
    def rows(rng, shift):
        own, out = np.clip(p + rng.uniform(-spread, spread, cases), 0, 1), []
        for side, e in enumerate("AB"):
            shifts = rng.normal(0, run_sd, runs)
            out += [row(e, float(rng.random() < np.clip(own[c] + shifts[r] + shift * side, 0, 1)), run=f"r{r}", case=f"c{c}")
                    for c in range(cases) for r in range(runs)]
        return out
    return rows


def uneven_families(sizes, group_sd, shared):
    """Families of these sizes, on both sides or others on either."""
    def rows(rng, shift):
        out = []
        for side, e in enumerate("AB"):
            owns = rng.normal(0, group_sd, len(sizes))
            for g, size in enumerate(sizes):
                name = "" if shared else e
                out += [row(e, owns[g] * (side if shared else 1) + shift * side + rng.normal(), case=f"{name}g{g}c{i}", family=f"{name}g{g}") for i in range(size)]
        return out
    return rows


def shares_in_families(groups, size, p, likeness):
    """0/1 in families that are alike: each has a share of its own, by a beta distribution with this correlation within."""
    def rows(rng, shift):
        spread = (1 - likeness) / likeness
        out = []
        for e in "AB":
            own = rng.beta(p * spread, (1 - p) * spread, groups)
            out += [row(e, float(rng.random() < own[g]), case=f"{e}g{g}c{i}", family=f"{e}g{g}") for g in range(groups) for i in range(size)]
        return out
    return rows


def rare_in_families(families, size, p):
    """0/1 with few ones, in families of this size whose members have nothing in common."""
    def rows(rng, shift):
        return [row(e, float(rng.random() < p), case=f"{e}g{g}c{i}", family=f"{e}g{g}")
                for side, e in enumerate("AB") for g in range(families[side]) for i in range(size)]
    return rows


def shares_of_ten(n, p):
    """Ten questions each, the share that is right."""
    return unpaired(lambda rng, side, shift: rng.binomial(10, p - shift, n[side]) / 10)


def marks(n, middle, sd, top):
    return unpaired(lambda rng, side, shift: np.clip(np.round(rng.normal(middle + shift, sd, n[side])), 1, top))


def counts(n, mean):
    return unpaired(lambda rng, side, shift: rng.poisson(mean + shift, n[side]).astype(float))


def blank_pairs(n, share):
    """Pairs of which values are missing at random."""
    def rows(rng, shift):
        base = rng.normal(0, 1, n)
        return [row(e, None if rng.random() < share else base[i] + shift * side + rng.normal(), case=f"c{i}")
                for side, e in enumerate("AB") for i in range(n)]
    return rows


def runs_of_dialogues(runs, dialogues, length, run_sd):
    """Every run has dialogues of its own."""
    def rows(rng, shift):
        out = []
        for side, e in enumerate("AB"):
            for r in range(runs):
                own = rng.normal(0, run_sd)
                for d in range(dialogues):
                    base = own + rng.normal(0, 0.7)
                    out += [row(e, base + shift * side + rng.normal(), run=f"r{r}", dialogue=f"{e}r{r}d{d}", turn=t) for t in range(length)]
        return out
    return rows


def grid(n, steps=5):
    return unpaired(lambda rng, side, shift: np.clip(np.round(rng.normal(3.8 + shift, 1.0, n[side])), 1, steps))


# ---- reference tests: p-value on the rows of one replicate ---------------------------------------------------------------------

def values(rows, experiment):
    return np.array([r[5] for r in rows if r[0] == experiment and r[5] is not None])


def by(rows, experiment, key):
    seen = {}
    for r in rows:
        if r[0] == experiment and r[5] is not None:
            seen.setdefault(key(r), []).append(r[5])
    return {k: np.mean(v) for k, v in sorted(seen.items())}


def welch(rows):
    return stats.ttest_ind(values(rows, "B"), values(rows, "A"), equal_var=False).pvalue


def fisher(rows):
    a, b = values(rows, "A"), values(rows, "B")
    return stats.fisher_exact([[a.sum(), len(a) - a.sum()], [b.sum(), len(b) - b.sum()]]).pvalue


def mcnemar(rows):
    d = values(rows, "B") - values(rows, "A")
    plus, minus = int((d > 0).sum()), int((d < 0).sum())
    return stats.binomtest(plus, plus + minus).pvalue if plus + minus else 1.0


def means(key):
    """Student's t on the means of what is sampled, paired where both sides share it."""
    def test(rows):
        a, b = by(rows, "A", key), by(rows, "B", key)
        both = [k for k in a if k in b]
        if len(both) >= 2:
            return stats.ttest_rel([b[k] for k in both], [a[k] for k in both]).pvalue
        return stats.ttest_ind(list(b.values()), list(a.values())).pvalue
    return test


by_case, by_dialogue, by_family = means(lambda r: r[2]), means(lambda r: r[3]), means(lambda r: r[6])


def by_run(rows):
    key = lambda r: r[1]
    return stats.ttest_ind(list(by(rows, "B", key).values()), list(by(rows, "A", key).values())).pvalue


def by_model(rows):
    named = [((r[0].split("/")[1],) + r[1:2] + (r[0].split("/")[0],) + r[3:]) for r in rows]
    return by_case(named)


def studentised(rows, resamples=499):
    """Permutation of Welch's t (Janssen 1997): holds its level for samples of unequal shape, as n grows."""
    a, b = values(rows, "A"), values(rows, "B")
    pool, n = np.concatenate([a, b]), len(a)
    rng = np.random.default_rng(1)
    t = lambda z: (z[..., n:].mean(-1) - z[..., :n].mean(-1)) / np.sqrt(z[..., n:].var(-1, ddof=1) / len(b) + z[..., :n].var(-1, ddof=1) / n + 1e-300)
    drawn = t(rng.permuted(np.tile(pool, (resamples, 1)), axis=1))
    return (1 + (np.abs(drawn) >= abs(t(pool)) - 1e-12).sum()) / (1 + resamples)


def mann_whitney(rows):
    return stats.mannwhitneyu(values(rows, "B"), values(rows, "A")).pvalue


def wilcoxon(rows):
    return stats.wilcoxon(values(rows, "B") - values(rows, "A")).pvalue


def none(rows):
    return float("nan")
