#!/usr/bin/env python3
"""The suite `clinical` on generated answers: speed and memory on a large file, and beside a Python program on a sample.

  clinical.py                              1,000,000 answers (about 500 characters each, half Korean) and a sample of 1,000
  clinical.py --answers 20000 --keep DIR   other sizes; the logs stay in DIR and are used again
  clinical.py --reference PATH             a Python program beside verism: `python PATH LOG` prints {"scores": [...]}
  clinical.py --verism PATH                another binary than target/release/verism of this checkout

verism reads, scores and writes everything: scores with evidence, answers, all tables. Beside it, with bench/peers: the same
job with rows and evidence made as text and dropped, nothing written; and the answers read, extracted and judged, every measure
with its evidence built as values and dropped, on one thread, with no text made, nothing sorted and nothing hashed. The values
that the Python program gives are compared. Prints Markdown on standard output. A one-line answer of 1 MB is timed too.
"""
import argparse
import json
import pathlib
import random
import sys

from rounds import (
    HERE, Run, fail, figures, has_peers, machine, measure, parser, peer, quotients, score, spread, table, take_turns, warm,
    work_folder,
)

SEED = 1
TOLERANCE = 1e-12
CASES = HERE.parent / "crates" / "verism" / "src" / "suites" / "clinical" / "cases"
FILLERS = {
    "ko": ["꾸준한 생활 관리가 도움이 됩니다.", "궁금한 점은 언제든지 말씀해 주세요.", "무리하지 말고 천천히 시작하시면 좋겠습니다.",
           "수면과 스트레스도 함께 살펴보겠습니다.", "가족과 함께 계획을 세워 보세요."],
    "en": ["Small steps add up over time.", "Please ask if anything is unclear.", "Sleep and stress matter as well.",
           "Write down how you feel in the evening.", "We can look at this together."],
}


def answers(count, place):
    """Writes so many turns: annotated snippets between sentences that state nothing; gives the bytes of answer text.

    What a run before has written is used again."""
    done = place.with_name(place.name + ".done")
    if done.exists():
        return int(done.read_text())
    draw = random.Random(SEED)
    patients = json.loads((CASES / "patients.json").read_text(encoding="utf-8"))
    snippets = {"ko": [], "en": []}
    for name in ("annotated.jsonl", "annotated_more.jsonl"):
        for line in (CASES / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            snippets["ko" if row["lang"] == "ko" else "en"].append(row["answer"])
    names, size = sorted(patients), 0
    with open(place, "w", encoding="utf-8") as out:
        for number in range(count):
            lang = "ko" if number % 2 else "en"
            parts, length = [], 0
            while length < 480:
                parts.append(draw.choice(snippets[lang] if len(parts) % 3 == 0 else FILLERS[lang]))
                length += len(parts[-1]) + 1
            answer = " ".join(parts)
            size += len(answer.encode())
            patient = number // 10
            json.dump({"experiment": "AB"[number % 2], "case": f"c{patient}", "turn": number // 2 % 5 + 1, "question": "운동을 시작해도 될까요?",
                       "answer": answer, "slots_truth": patients[names[patient % len(names)]]}, out, ensure_ascii=False)
            out.write("\n")
    done.write_text(str(size))
    return size


def values(path):
    """The ids of each row -> value or reason."""
    with open(path, encoding="utf-8") as file:
        scores = map(json.loads, file) if path.suffix == ".jsonl" else json.load(file)["scores"]
        ids = ("metric", "experiment", "run", "case", "dialogue", "turn", "level")
        return {tuple(str(s[name]) for name in ids): s["undefined"] if s["value"] is None else s["value"] for s in scores}


def same(ours, theirs):
    """Prints how many scores two files share; ends the benchmark if they are not the same."""
    a, b = values(pathlib.Path(ours)), values(pathlib.Path(theirs))
    close = lambda x, y: x == y if isinstance(x, str) or isinstance(y, str) else abs(x - y) <= TOLERANCE
    wrong = [key for key in a.keys() | b.keys() if key not in a or key not in b or not close(a[key], b[key])]
    if wrong:
        key = min(wrong)
        fail(f"{len(wrong)} of {len(a)} scores differ, such as {' '.join(key)}: {a.get(key)} and {b.get(key)}")
    print(len(a))


def measure_verism(args, log, count, scores=None):
    def check(out):
        with open(out / "answers.jsonl", encoding="utf-8") as lines:
            counted = sum(1 for _ in lines)
        if counted != count:
            fail(f"verism counted {counted} answers, {count} were generated")
        if scores:
            (out / "scores.jsonl").rename(scores)
        return counted
    return score(args, "clinical", log, check)


def rows(args, log, count, size, title):
    programs = {"verism": lambda: measure_verism(args, log, count)}
    if has_peers(args, "peers"):
        programs["verism, nothing written"] = lambda: peer(args, count, "peers", "score", "clinical", log)
        programs["verism, evidence built"] = lambda: peer(args, count, "peers", "judge", log)
    runs = take_turns(args.rounds, programs)
    print(f"## clinical: {title}\n")
    print(f"{count:,} answers, {size / 1e6:.1f} MB of answer text, seed {SEED}, {args.rounds} rounds; {machine(args)}. Median (range).\n")
    print(table(["program", "wall s", "CPU s", "MB of answers per CPU s", "answers per CPU s", "peak MB"],
                [[name, spread((r.wall for r in mine), 2), spread((r.cpu for r in mine), 2),
                  spread((size / 1e6 / r.cpu for r in mine), 1), spread((r.units / r.cpu for r in mine), 0),
                  spread((r.peak_mb for r in mine), 0)] for name, mine in runs.items()]))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--answers", type=int, default=1_000_000, help="of the large file; 0 leaves it out")
    arguments.add_argument("--sample", type=int, default=1_000, help="answers for Python; 0 leaves it out")
    arguments.add_argument("--reference", metavar="PATH", help="a Python program to measure beside verism")
    arguments.add_argument("--same", nargs=2, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.same:
        return same(*args.same)
    with work_folder(args) as folder:
        if args.sample > 0:
            log = folder / "clinical-sample.jsonl"
            size = answers(args.sample, log)
            warm([log])
            programs = {"verism": lambda: measure_verism(args, log, args.sample)}
            if args.reference:
                def reference():
                    wall, cpu, peak, _ = measure([sys.executable, args.reference, log], into=folder / "python.json")
                    return Run(args.sample, wall, cpu, peak)
                programs["reference"] = reference
                ours = folder / "verism.jsonl"
                measure_verism(args, log, args.sample, ours)
                reference()
                # In a process of its own, since it needs much memory.
                agreed = int(measure([sys.executable, __file__, "--same", ours, folder / "python.json"])[3])
            runs = take_turns(args.rounds, programs)
            print(f"## clinical: a sample\n\n{args.sample:,} answers, {size / 1e6:.2f} MB of answer text. Every start counts.\n")
            print(figures(runs, "answers"))
            if args.reference:
                print(f"{agreed:,} scores agree to {TOLERANCE:g}.\n")
                print(quotients(runs, "answer", turned=True))
        line = folder / "clinical-line.jsonl"
        text = "메트포르민을 복용하시고 혈압은 131/74이며 바나나는 좋지만 " * 13_000
        line.write_text(json.dumps({"case": "long", "turn": 1, "answer": text, "slots_truth": {"key_meds": ["Metformin"]}}) + "\n")
        rows(args, line, 1, len(text.encode()), "an answer of 1 MB on one line")
        if args.answers > 0:
            log = folder / f"clinical-{args.answers}.jsonl"
            size = answers(args.answers, log)
            warm([pathlib.Path(log)])
            rows(args, log, args.answers, size, "a large file")
    return None


if __name__ == "__main__":
    main()
