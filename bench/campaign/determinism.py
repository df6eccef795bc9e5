"""Threads, shares and the folder of the caller change no byte, with defects in the logs and options in force."""
import os
import random
import shutil
import subprocess
import time

import folder
import logs

# Options to draw from, at most two at a time. The logs of suites after the first two are made from their examples.
OPTIONS = {
    "adaptation": ["reading=v6-script", "rows=true", "score_cases=true", "bootstrap=20", "baseline=Group_B", "groups=Group_B", "seed=7"],
    "guest": ["sta=on", "bvs_peak=0.3", "crrs_missing=renormalise", "state_source=tools_first", "order_choice=last"],
    "clinical": ["assertion_default=asserted", "known_facts=slots_and_dialogue", "tolerance=absolute", "negation=off", "rule_set=core"],
    "humor": ["corpus=builtin", "reading=published", "batch_size=4", "score_text=filled", "tokens=true", "distinct_n=1,2,4"],
    "recommender": ["extractor=substring", "use_name=true", "baselines=true", "reading=published", "window=1", "title_years=true"],
}
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples")


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)


def result(place):
    """Every file of a result but its timings."""
    found = {}
    for at, _, names in os.walk(place):
        for name in names:
            path = os.path.join(at, name)
            if name != "timing.json":
                found[os.path.relpath(path, place)] = folder.digest(path)
    return found


def trials(verism, home, until, seed, counts):
    rng = random.Random(seed)
    while time.monotonic() < until:
        number = rng.getrandbits(48)
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home)
        suite = rng.choice(list(OPTIONS))
        inputs = os.path.join(home, "logs")
        if suite == "adaptation":
            logs.adaptation(inputs, number, 0.3)
        elif suite == "guest" and rng.random() < 0.5:
            for i in range(rng.randint(1, 3)):
                logs.guest(os.path.join(inputs, f"{i}.jsonl"), number + i, 0.2)
        else:
            logs.varied(os.path.join(EXAMPLES, suite, "logs"), inputs, number, 0.1)
        options = [word for option in rng.sample(OPTIONS[suite], rng.randint(0, 2)) for word in ("--option", option)]
        lenient = ["--lenient"] if rng.random() < 0.7 else []
        base = [verism, "score", suite]
        said = run(base + ["logs", "-o", "whole", "--threads", "1"] + options + lenient, cwd=home)
        counts["trials"] += 1
        problem = None
        again = run(base + ["../logs", "-o", "../again", "--threads", str(rng.randint(2, 8))] + options + lenient, cwd=inputs)
        # From inside the logs the path is another one: what is told about it may differ, the code may not.
        if said.returncode != again.returncode:
            problem = f"exit {said.returncode} and {again.returncode}: {said.stderr.decode()[:200]}"
        elif said.returncode == 0 and result(os.path.join(home, "whole")) != result(os.path.join(home, "again")):
            problem = "threads or folder"
        elif said.returncode == 0:
            count = rng.randint(1, 5)
            for i in range(1, count + 1):
                run(base + ["logs", "-o", f"share{i}", "--shard", f"{i}/{count}"] + options + lenient, cwd=home)
            shares = [f"share{i}" for i in range(1, count + 1)]
            rng.shuffle(shares)
            merged = run([verism, "merge", *shares, "-o", "joined"] + (options if suite == "humor" else []), cwd=home)
            if merged.returncode or result(os.path.join(home, "whole")) != result(os.path.join(home, "joined")):
                problem = f"{count} shares: {merged.stderr.decode()[:200]}"
        if problem:
            counts["differing"] += 1
            counts["said"].append(f"{suite} {number} {options} {lenient}: {problem}")
