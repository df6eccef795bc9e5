#!/usr/bin/env python3
"""The suite `recommender` on generated dialogues: many short turns, a large catalog, and against the reference program.

  recommender.py                        30,000 turns against 2,000 items; 40 MB of text against 100,000 items; 3 rounds
  recommender.py --turns 3000 --keep DIR       other sizes; the logs stay in DIR and are used again
  recommender.py --reference PATH       a Python program beside it: `python PATH LOG --option catalog=FILE` prints a report
  recommender.py --verism PATH          another binary than target/release/verism of this checkout

verism reads, scores and writes everything: hashes of the inputs, scores with the place of every concept, results with all
detail, all tables. The time to load a catalog is measured apart, on a log of one dialogue, and taken off where the figure is
about text. Prints Markdown on standard output, progress on standard error.
"""
import json
import pathlib
import random
import shutil
import statistics
import sys
import tempfile

from rounds import HERE, Run, fail, machine, measure, parser, say, spread, table, take_turns, warm, work_folder

SEED = 1
LEXICON = HERE.parent / "crates" / "verism" / "src" / "suites" / "recommender" / "lexicon.json"
GENRES = ("drama comedy western thriller horror fantasy adventure animation documentary musical mystery romance crime "
          "biography noir heist satire melodrama").split()
LANGUAGES = "english french spanish korean german italian japanese polish".split()
ONSETS, NUCLEI, CODAS = "b br d dr f g gr h k kl l m n p pr r s st t tr v w z".split(), "a e i o u ai ei ou".split(), " l n r s t nd rk".split(" ")


def name(draw, syllables=2):
    return "".join(draw.choice(ONSETS) + draw.choice(NUCLEI) + draw.choice(CODAS) for _ in range(syllables)).capitalize()


def catalog(items):
    """So many movies; people appear in four movies on average."""
    draw = random.Random(SEED)
    people = [f"{name(draw)} {name(draw)}" for _ in range(items)]
    nouns = [name(draw) for _ in range(max(50, items // 4))]
    out = {}
    for number in range(items):
        title = f"{draw.choice(['The ', '', 'A ', ''])}{draw.choice(nouns)} {draw.choice(['of', 'and', 'in the'])} {draw.choice(nouns)}"
        out[f"m{number}"] = {
            "name": title, "genre": draw.sample(GENRES, 2), "actor": draw.sample(people, 4), "director": [draw.choice(people)],
            "writer": draw.sample(people, 2), "language": [draw.choice(LANGUAGES)], "year": str(draw.randrange(1950, 2025)),
        }
    return out


def turn(draw, movies, fillers, words):
    """What the user says, the reply, and the focus: a value of a movie."""
    movie = draw.choice(movies)
    field = draw.choice(["genre", "actor", "director"])
    value = draw.choice(movie[field])
    prose = lambda count: " ".join(draw.choice(fillers) for _ in range(count))
    other = draw.choice(movies)
    user = f"{prose(words // 4).capitalize()} {value}, {prose(words // 4)}?"
    reply = f"{prose(words // 3).capitalize()} {value}: “{movie['name']}” ({movie['year']}). {prose(words // 3).capitalize()} {other['actor'][0]} {prose(words // 3)}."
    return field, value, user, reply


def dialogues(path, items, turns, words, per_dialogue=20):
    """Writes a log; gives the bytes of its texts."""
    draw = random.Random(SEED + 1)
    movies = list(items.values())
    fillers = json.loads(LEXICON.read_text(encoding="utf-8"))["common_en"][:3000]
    size = 0
    with open(path, "w", encoding="utf-8") as out:
        for number in range(max(1, turns // per_dialogue)):
            conversation = []
            for place in range(1, min(per_dialogue, turns) + 1):
                field, value, user, reply = turn(draw, movies, fillers, words)
                size += len(user.encode()) + len(reply.encode())
                conversation.append({"speaker": "USER", "text": user, "user_meta": {
                    "focus_field": field, "focus_value": value, "constraints": {field: value}, "shift_event": place % 5 == 0}})
                conversation.append({"speaker": "SYSTEM", "text": reply})
            record = {"experiment": f"e{number % 3}", "case": str(number // 3), "conversation": conversation}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return size


def data(folder, label, items, turns, words):
    """The catalog and the log of a measurement, made unless they are there; and the bytes of the texts."""
    place = folder / f"recommender-{label}-{items}-{turns}-{words}"
    if not (place / "size").exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        say(f"generating {place.name}")
        movies = catalog(items)
        (place / "items.json").write_text(json.dumps(movies), encoding="utf-8")
        size = dialogues(place / "log.jsonl", movies, turns, words)
        dialogues(place / "one.jsonl", movies, 1, words, 1)
        (place / "size").write_text(str(size))
    return place, int((place / "size").read_text())


def score(args, place, log, turns):
    """Scores a log and checks that every turn was counted."""
    with tempfile.TemporaryDirectory(prefix="verism-bench-", dir=args.work) as work:
        out = pathlib.Path(work) / "scores"
        command = [args.verism, "score", "recommender", place / log, "-o", out, "--option", f"catalog={place / 'items.json'}",
                   "--threads", str(args.threads), "-q"]
        wall, cpu, peak_mb, _ = measure(command)
        counted = json.loads((out / "manifest.json").read_text())["counts"]["turns"]
        if counted != turns:
            fail(f"verism counted {counted} turns, {turns} were generated")
        return Run(counted, wall, cpu, peak_mb)


def measured(args, folder, label, items, turns, words):
    """Rows of a report: the catalog alone, and the log."""
    place, size = data(folder, label, items, turns, words)
    warm([place / "items.json", place / "log.jsonl"])
    runs = take_turns(args.rounds, {"load": lambda: score(args, place, "one.jsonl", 1),
                                    "score": lambda: score(args, place, "log.jsonl", turns)})
    load = statistics.median(run.cpu for run in runs["load"])
    rest = [max(1e-9, run.cpu - load) for run in runs["score"]]
    print(f"{turns:,} turns, {size / 1e6:.1f} MB of text, {items:,} items:\n")
    print(table(["", "wall s", "CPU s", "without the catalog", "turns per CPU s", "MB of text per CPU s", "peak MB"], [
        ["catalog and one turn", spread((r.wall for r in runs["load"]), 2), spread((r.cpu for r in runs["load"]), 2), "", "", "",
         spread((r.peak_mb for r in runs["load"]), 0)],
        ["catalog and log", spread((r.wall for r in runs["score"]), 2), spread((r.cpu for r in runs["score"]), 2), spread(rest, 2),
         spread((turns / cpu for cpu in rest), 0), spread((size / 1e6 / cpu for cpu in rest), 1),
         spread((r.peak_mb for r in runs["score"]), 0)]]))


def against_reference(args, folder):
    """verism and the reference on a sample; every start counts.

    A run of verism takes a twentieth of a second, which says little by itself: a round has one run of the reference and
    several of verism, of which the one with the median CPU time stands for the round.
    """
    place, size = data(folder, "sample", 2_000, args.sample, 24)

    def verism():
        runs = sorted((score(args, place, "log.jsonl", args.sample) for _ in range(args.repeats)), key=lambda run: run.cpu)
        return runs[len(runs) // 2]

    def reference():
        command = [sys.executable, args.reference, place / "log.jsonl", "--option", f"catalog={place / 'items.json'}"]
        wall, cpu, peak_mb, _ = measure(command, into=folder / "reference.json")
        return Run(args.sample, wall, cpu, peak_mb)

    runs = take_turns(args.rounds, {"verism": verism, "reference": reference})
    ratio = [b.cpu / a.cpu for a, b in zip(runs["verism"], runs["reference"])]
    print(f"{args.sample:,} turns, {size / 1e6:.1f} MB of text, 2,000 items, against the reference: {spread(ratio, 0)} times its CPU time",
          f"({spread((r.cpu for r in runs['verism']), 3)} and {spread((r.cpu for r in runs['reference']), 1)} CPU s).",
          f"Of each round: one run of the reference, the median of {args.repeats} runs of verism.\n")


def main():
    arguments = parser(__doc__)
    arguments.set_defaults(rounds=3)
    arguments.add_argument("--turns", type=int, default=30_000, help="short turns against 2,000 items; 0 leaves them out")
    arguments.add_argument("--long-turns", type=int, default=8_000, help="turns of about 5 KB against 100,000 items; 0 leaves them out")
    arguments.add_argument("--items", type=int, default=100_000, help="items of the large catalog")
    arguments.add_argument("--sample", type=int, default=2_000, help="turns for the reference")
    arguments.add_argument("--repeats", type=int, default=11, help="runs of verism beside each of the reference")
    arguments.add_argument("--reference", metavar="PATH", help="a Python program to measure beside verism")
    args = arguments.parse_args()
    with work_folder(args) as folder:
        print(f"## recommender\n\nseed {SEED}, {args.rounds} rounds, {args.threads} threads; {machine(args)}. Median (range).\n")
        if args.turns:
            measured(args, folder, "short", 2_000, args.turns, 24)
        if args.long_turns:
            measured(args, folder, "long", args.items, args.long_turns, 600)
        if args.reference:
            against_reference(args, folder)


if __name__ == "__main__":
    main()
