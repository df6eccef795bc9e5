"""Small logs of the suites, made from a number: invented ones, and examples with changed lines and values."""
import json
import os
import random

ACTIONS = ["do_nothing", "buy_insurance", "elevate_house", "both", "relocate", "N/A", "dance", ""]
TEXTS = ["VL", "H", "M", "", "It is not safe, very dangerous", "low – minimal", "“High” risk", "a \"quoted\" word", "two\nlines"]
DEFECTS = ["one,two\n", '"open', "\n\n", "a1,mid,x,x,x,x,x,x,x\n", "\xff"]


def cell(text):
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\n') else text


def adaptation(folder, seed, defects=0.0):
    """A tree of a few cells; with defects some logs have a broken line."""
    rng = random.Random(seed)
    for model in range(rng.randint(1, 2)):
        for group in ["Group_A", "Group_B"]:
            for run in range(1, rng.randint(2, 3)):
                place = os.path.join(folder, f"m{model}", group, f"Run_{run}")
                os.makedirs(place, exist_ok=True)
                action = "decision" if group == "Group_A" else "yearly_decision"
                rows = [f"agent_id,year,{action},raw_llm_decision,threat_appraisal,coping_appraisal,elevated,relocated,retry_count\n"]
                for agent in range(rng.randint(1, 6)):
                    for year in range(1, rng.randint(2, 5)):
                        cells = [f"a{agent}", str(year), rng.choice(ACTIONS), rng.choice(ACTIONS), rng.choice(TEXTS),
                                 rng.choice(TEXTS), rng.choice(["True", "False", ""]), rng.choice(["False", "False", "True"]),
                                 str(rng.randint(0, 3))]
                        rows.append(",".join(map(cell, cells)) + "\n")
                if rng.random() < defects:
                    rows.insert(rng.randint(1, len(rows)), rng.choice(DEFECTS))
                with open(os.path.join(place, "simulation_log.csv"), "w", encoding="latin-1", errors="replace") as file:
                    file.write("".join(rows).encode("utf-8").decode("latin-1"))


def guest(path, seed, defects=0.0):
    """A file of conversations; with defects some lines are broken."""
    rng = random.Random(seed)
    dishes = ["Miso Ramen", "Barley Tea", "Tofu Wrap", "Tofu Wrap with Egg", "비빔밥"]
    lines = []
    for i in range(rng.randint(1, 12)):
        messages = []
        for _ in range(rng.randint(0, 5)):
            messages.append({
                "role": rng.choice(["guest", "waiter"]), "text": rng.choice(["Hello", "Exit.", "the tea", "…"]),
                "state": {"exploration": rng.choice([None, "explores_menu"]), "mood": rng.choice(["casual", "weird"])},
                "order": rng.sample(dishes, rng.randint(0, 3)),
            })
        record = {
            "experiment": f"e{rng.randint(0, 2)}", "case": rng.choice([1, "1", "two"]), "dialogue": f"d{i}", "level": rng.randint(1, 5),
            "persona": {"id": "p", "expected": {"exploration": "explores_menu", "moods": ["casual"]}},
            "target_order": [{"name": "Miso Ramen", "quantity": 2}, {"name": "Tofu Wrap", "modifiers": ["Egg"]}],
            "messages": messages,
        }
        line = json.dumps(record, ensure_ascii=rng.random() < 0.5)
        if rng.random() < defects:
            line = rng.choice([line[: len(line) // 2], "no JSON", "[]", '{"experiment": 1}', line])
        lines.append(line + "\n")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def varied(source, folder, seed, defects=0.0):
    """Some lines of each JSON-lines file in a folder, in another order; with defects some values are others and some lines broken."""
    rng = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    for name in sorted(os.listdir(source)):
        if not name.endswith(".jsonl"):
            continue
        with open(os.path.join(source, name), encoding="utf-8") as file:
            lines = rng.sample(list(file), k=rng.randint(1, 12))
        if rng.random() < defects:
            lines.append(rng.choice(lines))
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            for line in lines:
                record = json.loads(line)
                if rng.random() < defects:
                    change(rng, record)
                line = json.dumps(record, ensure_ascii=rng.random() < 0.5)
                broken = [line[: len(line) // 2], "[]", "{}", "\n"]
                file.write((rng.choice(broken) if rng.random() < defects / 3 else line) + "\n")


def change(rng, record):
    """Takes away or replaces one value, at any depth."""
    key = rng.choice(list(record) if isinstance(record, dict) else range(len(record)))
    inner = record[key]
    if isinstance(inner, (dict, list)) and inner and rng.random() < 0.8:
        change(rng, inner)
    elif rng.random() < 0.3:
        del record[key]
    else:
        record[key] = rng.choice([None, "", "other", 0, -1, 1e300, True, [], {}, "\u200b", "\ud55c\uad6d\uc5b4"])
