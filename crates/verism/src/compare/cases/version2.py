#!/usr/bin/env python3
"""Derives from the score rows what the rules for skewness and for shifts of whole runs make of each case.

    python3 version2.py            says where expected.json differs from the derivation
    python3 version2.py --write    puts the derivation in its place

It knows the rules as docs/statistics.md states them and nothing of the program: units are averaged here, moments, F and t come from
NumPy and SciPy, Hall's transformation is inverted by root finding. Means, differences and plain standard errors,
which no rule of version 2 changes, are held against expected.json first: where they differ, the units were read wrongly here
and the case is named and left alone. Comparisons whose test, interval or weight was asked for, clusters, shares and constant values
are not its business.
"""
import csv, json, math, os, re, sys, unicodedata

import numpy as np
from scipy import optimize, stats

HERE = os.path.dirname(os.path.abspath(__file__))
PLAIN = {"paired_t", "welch", "skew_t", "paired_t_runs", "welch_runs", "skew_t_runs", "welch_student", "welch_student_runs"}


def rows_of(folder, case):
    out = []
    for name in case["files"]:
        prefix, path = name.split("=", 1) if "=" in name else (None, name)
        with open(os.path.join(folder, path), newline="") as lines:
            rows = [json.loads(line) for line in lines if line.strip()] if path.endswith("jsonl") else list(csv.DictReader(lines))
        if prefix:
            several = len({r["experiment"] for r in rows}) > 1
            rows = [{**r, "experiment": f"{prefix}/{r['experiment']}" if several else prefix} for r in rows]
        text = lambda v: unicodedata.normalize("NFC", str(v)) if v is not None else v
        out += [{k: v if k == "value" else text(v) for k, v in r.items()} for r in rows]
    for r in out:
        # A piece is named after its dialogue, up to its last mark: d3#2, d3@2, d3!2.
        r["dialogue"] = r.get("dialogue") or re.sub("[#@!][^#@!]*$", "", r.get("unit") or "")
    return out


def scored(row):
    return row.get("value") not in (None, "")


def nested(rows, keys):
    """Mean over the first key's values of the means over the next one's, and so on."""
    if not keys:
        return float(np.mean([float(r["value"]) for r in rows]))
    parts = {}
    for r in rows:
        parts.setdefault(r.get(keys[0]) or "", []).append(r)
    return float(np.mean([nested(parts[k], keys[1:]) for k in sorted(parts)]))


def units(rows, unit):
    own = {"case": ["case"], "run": ["run"], "case+run": ["case", "run"], "dialogue": ["case", "run", "dialogue"],
           "turn": ["case", "run", "dialogue", "unit"]}[unit]
    below = [k for k in ("run", "case", "dialogue", "turn") if k not in own]
    groups = {}
    named = any(r.get("case") for r in rows)
    for r in rows:
        # Beside rows with a case those without one belong to none.
        if scored(r) and not (unit == "case" and named and not r.get("case")):
            groups.setdefault(tuple(r.get(k) or "" for k in own), []).append(r)
    return {k: nested(v, below) for k, v in groups.items()}


def run_table(rows):
    """Mean squares of runs, adjusted for cases by least squares, and of residuals: (ν, ν_e, A, B, R); and Σ of the squares of the
    runs' shares in the mean over cases."""
    cells = units(rows, "case+run")
    runs = sorted({r for _, r in cells})
    by_case = {}
    for (case, run), value in cells.items():
        by_case.setdefault(case, []).append((runs.index(run), value))
    shares = np.zeros(max(len(runs), 1))
    for own in by_case.values():
        for run, _ in own:
            shares[run] += 1 / len(own) / len(by_case)
    inverse = float((shares ** 2).sum()) if len(runs) > 1 else 1.0
    several = [own for own in by_case.values() if len(own) > 1]
    if len(runs) < 2 or not several:
        return None, inverse
    cases = len(several)
    design, y = [], []
    for at, own in enumerate(several):
        for run, value in own:
            line = np.zeros(cases + len(runs))
            line[at] = line[cases + run] = 1
            design.append(line)
            y.append(value)
    design, y = np.array(design), np.array(y)
    rest = lambda x: float(((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum())
    spare = len(y) - cases
    nu = int(np.linalg.matrix_rank(design)) - cases
    nu_e = spare - nu
    if nu < 1 or nu_e < 1:
        return None, inverse
    without, residual = rest(design[:, :cases]), rest(design)
    k = spare / nu
    return (nu, nu_e, (without - residual) / nu / k, residual / nu_e / k, len(runs)), inverse


def widened(sides, se, df):
    """Standard error and degrees of freedom with shifts of whole runs, their weight, and whether there are tables of runs."""
    found = [run_table(rows) for rows in sides]
    tables = [t for t, _ in found if t]
    if not tables:
        return se, df, 0.0, False
    nu, nu_e = (sum(t[i] for t in tables) for i in (0, 1))
    a = sum(t[0] * t[2] for t in tables) / nu
    b = sum(t[1] * t[3] for t in tables) / nu_e
    if a <= b:
        return se, df, 0.0, True
    p = stats.f.sf(a / b, nu, nu_e) if b > 0 else 0.0
    cases = 1 + nu_e / nu
    level = 0.15 * min(1, cases / 15) if min(t[4] for t in tables) == 2 else 0.08 * min(1, cases / 25)
    w = 1.0 if p == 0 else min(max(math.log(0.5 / p) / math.log(0.5 / level), 0.0), 1.0)
    if w == 0:
        return se, df, 0.0, True
    v = w * (a - b) * sum(inverse for _, inverse in found)
    own_df = (a - b) ** 2 / (a * a / nu + b * b / nu_e)
    total = se * se + v
    return math.sqrt(total), total ** 2 / (se ** 4 / df + v * v / own_df), w, True


def hall(t, c):
    near = min(max(t, -5.0), 5.0)
    return near + c * (2 * near * near + 1) / 6 + c * c * near ** 3 / 27 + (t - near)


def skewed(values, mean, se, df, share=1.0):
    """(statistic, p, interval at a level) of the larger p of Student's and Hall's t; None without enough skewness."""
    n = len(values)
    g = stats.skew(values, bias=False) * np.std(values, ddof=1) ** 3 / n ** 2 / se ** 3 if n >= 3 else 0.0
    if n < 5 or not abs(g) > 0.2:
        return None
    c = g * min(n / 7, 1.25) * share
    t, moved = mean / se, hall(mean / se, c)
    p = max(2 * stats.t.sf(abs(t), df), 2 * stats.t.sf(abs(moved), df))
    def ends(alpha):
        q = stats.t.isf(alpha / 2, df)
        back = lambda w: optimize.brentq(lambda u: hall(u, c) - w, -1e4, 1e4, xtol=1e-13, rtol=1e-15)
        return min(mean - q * se, mean - se * back(q)), max(mean + q * se, mean - se * back(-q))
    return moved, p, ends


def noncentrality(df, alpha, power):
    """The noncentrality at which two-sided t has this power."""
    q = stats.t.isf(alpha / 2, df)
    found = lambda d: stats.nct.sf(q, df, d) + np.nan_to_num(stats.nct.cdf(-q, df, d)) - power
    high = 4.0
    while found(high) < 0:
        high *= 1.5
    return optimize.brentq(found, 1.0, high, xtol=1e-13)


def holm(p, how):
    m, order, out, worst = len(p), np.argsort(p), [0.0] * len(p), 0.0
    if how == "bonferroni":
        return [min(1.0, m * x) for x in p]
    if how == "none":
        return list(p)
    if how == "bh":
        worst = 1.0
        for place in reversed(range(m)):
            worst = min(worst, p[order[place]] * m / (place + 1))
            out[order[place]] = worst
        return out
    for place, i in enumerate(order):
        worst = max(worst, min(1.0, (m - place) * p[i]))
        out[i] = worst
    return out


class Case:
    def __init__(self, name):
        self.name, self.folder = name, os.path.join(HERE, name)
        self.case = json.load(open(os.path.join(self.folder, "case.json")))
        self.expected = json.load(open(os.path.join(self.folder, "expected.json")))
        self.options = dict(o.split("=", 1) for o in self.case["options"])
        self.rows = rows_of(self.folder, self.case)
        self.notes = []
        if "factor" in self.options:
            at = int(self.options["factor"]) - 1
            for r in self.rows:
                parts = r["experiment"].split("/")
                r["experiment"] = parts.pop(at)
                r["case"] = "/".join(parts) if not r.get("case") else r["case"]

    def of(self, row, experiment):
        same = lambda r: r["metric"] == row["metric"] and r["experiment"] == experiment and (r.get("suite") or None) == (row["suite"] or None)
        return [r for r in self.rows if same(r) and (r.get("level") or row["level"]) == row["level"]]

    def put(self, row, label, **values):
        for key, value in values.items():
            old = row.get(key)
            near = isinstance(value, float) and isinstance(old, (int, float)) and math.isclose(value, old, rel_tol=2e-9, abs_tol=1e-12)
            if not near and value != old:
                self.notes.append(f"{self.name}: {label}.{key}: {old} -> {value}")
                row[key] = value

    def derive(self):
        if any(k in self.options for k in ("ci", "weight", "cluster", "alpha", "ddof")):
            return
        for own in self.expected["summary"]:
            self.summary(own)
        # The intervals of pairs that no rule here is about stay as they are.
        for pair in self.expected["pairs"]:
            if "test" not in self.options and pair["test"] in PLAIN and pair["se"] is not None and pair["unit"] in ("case", "run", "case+run", "dialogue", "turn"):
                self.pair(pair)
        self.family()

    def summary(self, own):
        if own["ci_method"] not in ("t", "skew_t", "t_runs") or own["ci_lo"] is None or own["unit"] not in ("case", "run", "dialogue", "turn"):
            return
        rows = self.of(own, own["experiment"])
        values = np.array(list(units(rows, own["unit"]).values()))
        if len(values) != own["n"] or not math.isclose(values.mean(), own["mean"], rel_tol=1e-11):
            self.notes.append(f"{self.name}: units of {own['metric']} {own['experiment']} were read otherwise")
            return
        mean, se, df = values.mean(), values.std(ddof=1) / math.sqrt(len(values)), len(values) - 1.0
        wide = widened([rows], se, df) if own["unit"] == "case" and "factor" not in self.options else (se, df, 0.0, False)
        found = skewed(values, mean, se, df)
        if wide[2] > 0:
            half = stats.t.isf(0.025, wide[1]) * wide[0]
            (lo, hi), method = (mean - half, mean + half), "t_runs"
        elif found:
            (lo, hi), method = found[2](0.05), "skew_t"
        else:
            half = stats.t.isf(0.025, df) * se
            (lo, hi), method = (mean - half, mean + half), "t"
        self.put(own, f"{own['metric']} {own['experiment']}", ci_lo=float(lo), ci_hi=float(hi), ci_method=method)

    def pair(self, pair):
        label = f"{pair['metric']} {pair['baseline']}-{pair['experiment']}"
        rows = [self.of(pair, pair[side]) for side in ("baseline", "experiment")]
        b, x = (units(r, pair["unit"]) for r in rows)
        if pair["design"] == "paired":
            if pair["unit"] == "dialogue" and not any(k in x for k in b):
                # One dialogue for each case and run: its name does not matter.
                b, x = ({k[:2]: v for k, v in side.items()} for side in (b, x))
            keys = [k for k in b if k in x]
            d = np.array([x[k] - b[k] for k in keys])
            diff, se, df, name = d.mean(), d.std(ddof=1) / math.sqrt(len(d)), len(d) - 1.0, "paired_t"
        else:
            u, v = np.array(list(x.values())), np.array(list(b.values()))
            parts = [w.var(ddof=1) / len(w) for w in (u, v)]
            diff, se, d, name = u.mean() - v.mean(), math.sqrt(sum(parts)), None, "welch"
            df = sum(parts) ** 2 / sum(p * p / (len(w) - 1) for p, w in zip(parts, (u, v)))
            g = [stats.skew(w, bias=False) * w.std(ddof=1) ** 3 / len(w) ** 2 for w in (u, v)]
            if min(len(u), len(v)) >= 5 and abs(g[0] - g[1]) / se ** 3 > 0.2:
                self.notes.append(f"{self.name}: {label} is skewed and unpaired: permutations are not drawn here")
                return
        plain = pair["tests"][name]
        if not (math.isclose(diff, pair["diff"], rel_tol=1e-9, abs_tol=1e-13) and math.isclose(se, plain["se"], rel_tol=1e-9)):
            self.notes.append(f"{self.name}: units of {label} were read otherwise")
            return
        by_case = pair["unit"] == "case" and "factor" not in self.options
        fixed = self.options.get("runs") == "fixed"
        se, df, w, several = widened(rows, se, df) if by_case and not fixed else (se, df, 0.0, False)
        found = skewed(d, diff, se, df, 0.6 if several else 1.0) if d is not None else None
        statistic, p, ends = found or (diff / se, 2 * stats.t.sf(abs(diff / se), df), None)
        half = stats.t.isf(0.025, df) * se
        if d is None and min(len(u), len(v)) < 4 and len(u) != len(v):
            name, other = "welch_student", pair["tests"]["student"]
            pooled, pooled_df = widened(rows, other["se"], other["df"])[:2] if by_case else (other["se"], other["df"])
            p = max(p, 2 * stats.t.sf(abs(diff / pooled), pooled_df))
            half = max(half, stats.t.isf(0.025, pooled_df) * pooled)
        lo, hi = ends(0.05) if ends else (diff - half, diff + half)
        test = ("skew_t" if found else name) + ("_runs" if w > 0 else "")
        self.put(pair, label, test=test, statistic=float(statistic), p=float(p), log10_p=math.log10(p), se=float(se), df=float(df))
        self.put(pair["ci"], label, lo=float(lo), hi=float(hi), method="skew_t" if found else "t")
        flags = [f for f in pair["flags"] if f not in ("run_shifts", "skewed_few_units")]
        self.put(pair, label, flags=flags + ["run_shifts"] * (w == 1.0) + ["skewed_few_units"] * bool(found and len(d) < 10))
        pair["_plan"] = max(math.floor(df * 10) / 10, 1.0) if w > 0 else df
        if pair.get("tost") and found:
            self.put(pair["tost"], label, lo=float(ends(0.1)[0]), hi=float(ends(0.1)[1]))
            delta = float(self.options.get(f"sesoi.{pair['suite']}.{pair['metric']}", self.options.get("sesoi", 0)))
            inside = lambda alpha: -delta < ends(2 * alpha)[0] and ends(2 * alpha)[1] < delta
            low, high = math.log(1e-15), math.log(0.499999) if inside(0.499999) else 0.0
            for _ in range(80 if high < 0 else 0):
                middle = (low + high) / 2
                low, high = (low, middle) if inside(math.exp(middle)) else (middle, high)
            self.put(pair["tost"], label, p=math.exp(high), log10_p=high / math.log(10))

    def family(self):
        by = self.options.get("family", "all")
        key = {"all": lambda p: 0, "metric": lambda p: (p["suite"], p["metric"]), "pair": lambda p: (p["baseline"], p["experiment"])}[by]
        groups = {}
        for pair in self.expected["pairs"]:
            if pair["p"] is not None:
                groups.setdefault(key(pair), []).append(pair)
        for pairs in groups.values():
            for pair, p in zip(pairs, holm([q["p"] for q in pairs], self.options.get("adjust", "holm"))):
                label = f"{pair['metric']} {pair['baseline']}-{pair['experiment']}"
                self.put(pair, label, p_adj=float(p), log10_p_adj=math.log10(p))
                if "_plan" in pair:
                    df = pair.pop("_plan")
                    alpha = 0.05 / len(pairs) if self.options.get("adjust", "holm") != "none" else 0.05
                    if pair["test"].endswith("_runs"):
                        self.put(pair, label, mde=noncentrality(df, alpha, 0.8) * pair["se"])
                    lo, hi = pair["ci"]["lo"], pair["ci"]["hi"]
                    up = {"higher": "better", "lower": "worse", "none": "higher"}.get(pair["direction"], "higher")
                    down = {"better": "worse", "worse": "better", "higher": "lower"}[up]
                    verdict = (up if pair["diff"] > 0 else down) if p < 0.05 and (lo > 0 or hi < 0) else "inconclusive"
                    if "missing_could_overturn" not in pair["flags"]:
                        self.put(pair, label, verdict=verdict)
                    flags = [f for f in pair["flags"] if f != "lost_to_multiplicity"]
                    self.put(pair, label, flags=flags + ["lost_to_multiplicity"] * (verdict == "inconclusive" and pair["p"] < 0.05 <= p))


def main():
    for name in sorted(os.listdir(HERE)):
        if not os.path.exists(os.path.join(HERE, name, "expected.json")):
            continue
        case = Case(name)
        if case.case["mode"] != "compare" or case.case["exit"] or "pairs" not in case.expected:
            continue
        case.derive()
        print("\n".join(case.notes)) if case.notes else None
        if "--write" in sys.argv and any("->" in note for note in case.notes):
            with open(os.path.join(case.folder, "expected.json"), "w") as out:
                json.dump(case.expected, out, indent=1, ensure_ascii=False)
                out.write("\n")


if __name__ == "__main__":
    main()
