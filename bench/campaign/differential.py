"""The program beside a reference program on the same logs."""
import json
import os
import random
import shutil
import subprocess
import sys
import time

import cards
import logs

TOLERANCE = 1e-9
# What a compressor makes of a text is its own affair.
COMPRESSED, COMPRESSED_TOLERANCE = "compression_ratio", 0.1
ROW = ("metric", "experiment", "run", "case", "batch", "level", "unit")


def differences(mine, theirs, at="", tolerance=TOLERANCE):
    """Places where two reports differ in what both have."""
    if isinstance(theirs, dict) and isinstance(mine, dict):
        for key in theirs:
            # What a message says beyond code, file, line and field is the program's own.
            if key in ("signature", "evidence", "hint", "expected", "value"):
                continue
            if key not in mine:
                yield f"{at}.{key} is missing"
            else:
                yield from differences(mine[key], theirs[key], f"{at}.{key}", tolerance)
    elif isinstance(theirs, list) and isinstance(mine, list):
        if len(mine) != len(theirs):
            yield f"{at}: {len(mine)} entries, not {len(theirs)}"
        for i, (a, b) in enumerate(zip(mine, theirs)):
            yield from differences(a, b, f"{at}[{i}]", tolerance)
    elif isinstance(theirs, float) or isinstance(mine, float):
        if not isinstance(mine, (int, float)) or abs(mine - theirs) > tolerance * max(1, abs(theirs)):
            yield f"{at}: {mine}, not {theirs}"
    elif mine != theirs:
        yield f"{at}: {mine!r}, not {theirs!r}"


def compare(mine, theirs):
    if "error" in theirs or "error" in mine:
        pick = lambda report: {key: report.get("error", {}).get(key) for key in ("code", "file", "line", "field")}
        return list(differences(pick(mine), pick(theirs), "error"))
    rows = lambda report: {tuple(str(row.get(key)) for key in ROW): (row["value"], row["undefined"]) for row in report["scores"]}
    a, b = rows(mine), rows(theirs)
    found = [f"row {key} is missing" for key in b if key not in a]
    for key in b:
        if key in a:
            tolerance = COMPRESSED_TOLERANCE if key[0] == COMPRESSED else TOLERANCE
            found += differences(list(a[key]), list(b[key]), f"row {key}", tolerance)
    return found + list(differences(mine.get("errors", []), theirs.get("errors", []), "errors"))


def trials(verism, home, oracle, until, seed, counts):
    rng = random.Random(seed)
    while time.monotonic() < until:
        number = rng.getrandbits(48)
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        suite, given = rng.choice(["adaptation", "guest", "humor"]), ["logs"]
        if suite == "adaptation":
            logs.adaptation(os.path.join(home, "logs"), number, 0.3)
        elif suite == "guest":
            logs.guest(os.path.join(home, "logs", "a.jsonl"), number, 0.2)
        else:
            given = cards.humor(home, number, rng.choice([0, 0.2]))
        lenient = ["--lenient"] if rng.random() < 0.7 else []
        mine = subprocess.run([verism, "score", suite, *given, "--json", *lenient], cwd=home, capture_output=True)
        theirs = subprocess.run([sys.executable, os.path.join(oracle, f"{suite}.py"), *given, *lenient], cwd=home, capture_output=True)
        counts["compared"] += 1
        try:
            found = compare(json.loads(mine.stdout), json.loads(theirs.stdout))
        except ValueError as error:
            found = [f"no JSON: {error}: {mine.stderr[:200]!r} {theirs.stderr[-200:]!r}"]
        if mine.returncode != theirs.returncode:
            found.append(f"exit {mine.returncode}, not {theirs.returncode}")
        if found:
            counts["differing"] += 1
            counts["said"].append(f"{suite} {number} {lenient}: {found[0]}")
