#!/usr/bin/env python3
"""The main measures of the suite `guest` in plain Python, as one would write them for an analysis: the peer of guest.py.

  guest_peer.py LOG.jsonl > scores.json

Reads native records (chat roles too), scores ms, pas, bvs, ora, dei, crrs and som with evidence, default options only, and
prints one JSON document. States and orders are the recorded ones, else those of tool results that are JSON. No audits, no
tables, no checks of the input. Standard library only. Rules: crates/verism/src/suites/guest/README.md.
"""
import functools
import json
import re
import sys
import unicodedata

FIELDS = ("exploration", "mood", "ordering", "complete")
ALIASES = {
    "exploration": ("exploration", "menu_exploration_style", "next_message_menu_exploration_style"),
    "mood": ("mood", "mood_tone", "next_message_mood_tone"),
    "ordering": ("ordering", "ordering_style", "next_message_ordering_style"),
    "complete": ("complete", "is_ordering_complete"),
}
MOODS = ("moods", "next_message_mood_tones", "mood", "mood_tone")
FILLERS = {"the", "a", "an", "with", "and", "or", "of", "in", "on", "at"}
ORDER_TOOL, STYLE_TOOL = "update_order_tracking", "get_message_generation_attributes_for_next_message"
BASIC_TOOLS = {"get_name_of_self", "get_persona_of_self", "get_target_order", "get_past_messages_history"}
KINDS = {2: (BASIC_TOOLS,), 3: ({ORDER_TOOL},), 4: ({STYLE_TOOL},), 5: ({ORDER_TOOL}, {STYLE_TOOL})}
CAPS = {2: 0.2, 3: 0.5, 4: 0.5, 5: 1.0}
WEIGHTS = {"pas": 0.25, "bvs": 0.2, "ora": 0.35, "dei": 0.2}
ARCHETYPES = (
    ("busy_professional", r"busy professionals?|efficient(?:ly)?|efficiency",
     {"ordering": (33, ("all_at_once",)), "exploration": (33, ("does_not_explore_menu",)),
      "mood": (34, ("casual", "frustrated"))}),
    ("curious_explorer", r"curious|curiosity|explorers?|adventurous",
     {"exploration": (50, ("explores_menu",)), "mood": (50, ("enthusiastic", "casual"))}),
    ("indecisive", r"indecisive|indecision|uncertain",
     {"ordering": (50, ("one_by_one",)), "mood": (50, ("confused", "casual"))}),
    ("family_group", r"family|families|groups?",
     {"ordering": (50, ("one_by_one",)), "exploration": (50, ("explores_menu",))}),
)


# ---------------------------------------------------------------- texts, states, orders

def fold(text):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@functools.lru_cache(maxsize=10_000)
def normalise(name):
    text = re.sub(r"['\u2018\u2019\u02bc\uff07]", "", fold(name))
    kept = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return " ".join(word for word in kept.split() if word not in FILLERS)


def is_exit(text):
    text = fold(text).strip()
    while text and (text[-1].isspace() or unicodedata.category(text[-1])[0] == "P"):
        text = text[:-1]
    return text == "exit"


def value_of(found):
    if isinstance(found, bool):
        return "yes" if found else "no"
    value = re.sub(r"[\s-]+", "_", fold(found).strip())
    return {"true": "yes", "false": "no"}.get(value, value)


def state_of(found):
    state = {}
    for field in FIELDS:
        raw = next((found[key] for key in ALIASES[field] if found.get(key) not in (None, "")), None)
        if raw is not None:
            state[field] = value_of(raw)
    return state or None


def options_of(modifier):
    if isinstance(modifier, str):
        return [modifier]
    if isinstance(modifier, list):
        return [option for inner in modifier for option in options_of(inner)]
    for key in ("option", "modifier_option_name", "value", "name", "modifier"):
        if modifier.get(key):
            return [modifier[key]]
    return []


def lines_of(order):
    """Lines (name, set of options, quantity), normalised, or None."""
    while isinstance(order, dict):
        keys = ("items", "order_items", "current_items_in_order", "target_order")
        order = next((order[key] for key in keys if key in order), None)
    if order is None:
        return None
    lines = []
    for item in order:
        item = {"name": item} if isinstance(item, str) else item
        name = item.get("name") or item.get("item_name") or item.get("item")
        options = options_of(item.get("modifiers") or []) + options_of(item.get("modifier") or [])
        quantity = 1 if item.get("quantity") is None else int(item["quantity"])
        if quantity:
            lines.append((normalise(name), frozenset(filter(None, map(normalise, options))), quantity))
    return lines


def names_in(lines):
    return {text for name, options, _ in lines for text in (name, *options) if text}


def from_tools(message, tool, read):
    for call in reversed(message.get("tool_calls") or []):
        if call.get("name") == tool and call.get("agent") in (None, "guest"):
            result = call.get("result")
            try:
                result = json.loads(result) if isinstance(result, str) else result
            except ValueError:
                continue
            if isinstance(result, dict) and read(result) is not None:
                return read(result)
    return None


def prepare(record):
    """The guest's messages with state, order, calls and whether they are exits."""
    guests = []
    for index, message in enumerate(record["messages"]):
        if message["role"] not in ("guest", "user"):
            continue
        text = message.get("text") if message.get("text") is not None else message.get("content") or ""
        calls = message.get("tool_calls")
        own = None if calls is None else {c["name"] for c in calls if c.get("agent") in (None, "guest")}
        state = message.get("state")
        guests.append({"index": index, "exit": is_exit(text), "calls": own, "raw": message,
                       "state": state_of(state) if state else None, "order": lines_of(message.get("order"))})
    for field, tool, read in (("state", STYLE_TOOL, state_of), ("order", ORDER_TOOL, lines_of)):
        if all(guest[field] is None for guest in guests):
            for guest in guests:
                guest[field] = from_tools(guest["raw"], tool, read)
    return guests


# ---------------------------------------------------------------- measures: (value, reason, n, evidence)

def rules_of(record):
    """The mode and, per field, points and accepted values; or the reason why there are none."""
    persona = record.get("persona") or {}
    persona = {"bio": persona} if isinstance(persona, str) else persona
    expected = persona.get("expected") or {}
    rules = {}
    for field in FIELDS:
        keys = MOODS if field == "mood" else ALIASES[field]
        found = next((expected[key] for key in keys if expected.get(key) not in (None, "", [])), None)
        if found is not None:
            found = found if isinstance(found, list) else [found]
            rules[field] = (25, sorted({value_of(value) for value in found}))
    if rules:
        return "expected", rules
    words = " ".join(str(persona[key]) for key in ("bio", "description", "traits") if persona.get(key))
    if not words.strip():
        return "missing_field:persona", None
    for name, keywords, points in ARCHETYPES:
        if re.search(rf"(?<!\w)(?:{keywords})(?!\w)", re.sub(r"\s+", " ", fold(words))):
            return "fallback:" + name, points
    return "no_archetype", None


def ms(state, mode, rules):
    if state is None:
        return None, "no_state", 0, {}
    if rules is None:
        return None, mode, 0, {}
    components, points = {}, 0
    for field, (worth, accepted) in rules.items():
        actual = state.get(field)
        match = None if actual is None else int(actual in accepted)
        points += worth * (match or 0)
        components[field] = {"expected": accepted, "actual": actual, "match": match}
    n = sum(c["match"] is not None for c in components.values())
    if n == 0:
        return None, "no_comparable_component", 0, {"mode": mode, "components": components}
    return points / 100, None, n, {"mode": mode, "components": components}


def pas(talk, scores, mode):
    values = [score[0] for score in scores if score[0] is not None]
    lost = [{"turn": guest["index"], "component": field, **component}
            for guest, score in zip(talk, scores) for field, component in score[3].get("components", {}).items()
            if component["match"] == 0]
    evidence = {"mode": mode, "n_scored": len(values), "n_no_state": sum(s[1] == "no_state" for s in scores), "lost": lost}
    if not talk:
        return None, "empty_denominator", 0, evidence
    if not values:
        reasons = [score[1] for score in scores if score[1] != "no_state"]
        return None, reasons[0] if reasons else "no_state", 0, evidence
    return sum(values) / len(values), None, len(values), evidence


def bvs(talk):
    dimensions = ("ordering", "exploration", "mood")
    states = [(g["index"], g["state"]) for g in talk if g["state"] and any(d in g["state"] for d in dimensions)]
    if not talk:
        return None, "empty_denominator", 0, {}
    if len(states) < 2:
        return None, "too_few_states" if states else "no_state", len(states), {}
    rates, changes = [], []
    for dimension in dimensions:
        seen = [(index, state[dimension]) for index, state in states if dimension in state]
        if len(seen) < 2:
            return None, "missing_field:state." + dimension, len(states), {}
        moved = [{"turn": index, "dimension": dimension, "from": a, "to": b}
                 for (_, a), (index, b) in zip(seen, seen[1:]) if a != b]
        changes += moved
        rates.append(len(moved) / (len(seen) - 1))
    rate, peak = sum(rates) / 3, 0.2
    value = rate / peak if round(rate, 12) <= peak else 1 - (rate - peak) / (1 - peak)
    return min(1.0, max(0.0, value)), None, len(states), {"M": len(states), "tr_avg": rate, "changes": changes}


def final_order(record, guests):
    if record.get("final_order") is not None:
        return lines_of(record["final_order"]), None
    snapshots = [(guest["order"], guest["index"]) for guest in guests if guest["order"] is not None]
    filled = [(lines, turn) for lines, turn in snapshots if names_in(lines)]
    if filled:
        return filled[-1]
    return ([], None) if snapshots else (None, None)


def ora(current, turn, target):
    C, T = names_in(current), names_in(target)
    both = C & T
    evidence = {"order_turn": turn, "C": sorted(C), "T": sorted(T), "matched": sorted(both), "missing": sorted(T - C),
                "extra": sorted(C - T), "precision": len(both) / len(C) if C else 0.0,
                "recall": len(both) / len(T) if T else 0.0}
    total = len(C) + len(T)
    return (2 * len(both) / total if total else 0.0), None, total, evidence


def split(name, options, target):
    """A merged name gets its target name and options back."""
    if any(name == wanted for wanted, _, _ in target):
        return name, options
    words = name.split()
    inside = [wanted for wanted, _, _ in target if set(wanted.split()) <= set(words)]
    if not inside:
        return name, options
    best = max(inside, key=lambda wanted: len(set(wanted.split())))
    rest = [word for word in dict.fromkeys(words) if word not in best.split()]
    options = set(options)
    for wanted, theirs, _ in target:
        for option in sorted(theirs) if wanted == best else ():
            if set(option.split()) <= set(rest):
                options.add(option)
                rest = [word for word in rest if word not in option.split()]
    return best, frozenset(options | ({" ".join(rest)} if rest else set()))


def best_pairing(ours, theirs):
    """The largest sum of 1 + common options over one-to-one pairs; exhaustive, with memory of what is left."""
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours

    @functools.lru_cache(maxsize=None)
    def best(at, left):
        if at == len(ours):
            return 0
        return max(1 + len(ours[at] & theirs[k]) + best(at + 1, left & ~(1 << k))
                   for k in range(len(theirs)) if left >> k & 1)

    return best(0, (1 << len(theirs)) - 1)


def som(current, target):
    current = [(*split(name, options, target), quantity) for name, options, quantity in current]
    weight = lambda lines: sum(quantity * (1 + len(options)) for _, options, quantity in lines)
    units = lambda lines, name: [o for n, o, quantity in lines if n == name for _ in range(quantity)]
    ours, theirs = weight(current), weight(target)
    common = sum(best_pairing(units(current, name), units(target, name)) for name in {n for n, _, _ in target})
    if ours + theirs == 0:
        return None, "empty_denominator", 0, {}
    return 2 * common / (ours + theirs), None, ours + theirs, {"U": common, "U_C": ours, "U_T": theirs}


def dei(talk, level):
    if level is None:
        return None, "missing_field:level", 0, {}
    if level == 1:
        return 0.0, None, len(talk), {"level": 1, "ED": 0}
    if not talk:
        return None, "empty_denominator", 0, {}
    if all(guest["calls"] is None for guest in talk):
        return None, "missing_field:tool_calls", len(talk), {}
    hits = [[g["index"] for g in talk if (g["calls"] or set()) & kind] for kind in KINDS[level]]
    decided = sum(map(len, hits))
    value = decided / (len(talk) * len(hits)) * CAPS[level]
    return min(CAPS[level], value), None, len(talk), {"level": level, "ED": decided, "hits": hits}


def crrs(parts):
    missing = [part for part in WEIGHTS if parts[part][0] is None]
    if missing:
        return None, "missing_component:" + "+".join(missing), len(WEIGHTS) - len(missing), {"missing": missing}
    terms = {part: weight * parts[part][0] for part, weight in WEIGHTS.items()}
    return sum(terms.values()), None, len(terms), {"terms": terms}


def score(record):
    guests = prepare(record)
    talk = [guest for guest in guests if not guest["exit"]]
    mode, rules = rules_of(record)
    messages = [ms(guest["state"], mode, rules) for guest in talk]
    target = lines_of(record.get("target_order"))
    current, turn = final_order(record, guests)
    reason = "missing_field:target_order" if target is None else "no_state" if current is None else None
    parts = {"pas": pas(talk, messages, mode), "bvs": bvs(talk),
             "ora": (None, reason, 0, {}) if reason else ora(current, turn, target), "dei": dei(talk, record.get("level"))}
    parts["crrs"] = crrs(parts)
    parts["som"] = (None, reason, 0, {}) if reason else som(current, target)
    ids = {"suite": "guest", "experiment": record["experiment"], "run": record.get("run", "1"), "case": str(record["case"])}
    dialogue = record.get("dialogue") or "/".join((ids["experiment"], ids["run"], ids["case"]))
    found = [("ms", "turn", f"{dialogue}#{guest['index']}", score) for guest, score in zip(talk, messages)]
    found += [(metric, "dialogue", dialogue, score) for metric, score in parts.items()]
    return [{**ids, "metric": metric, "level": level, "unit": unit, "value": value, "undefined": why, "n": n,
             "evidence": evidence}
            for metric, level, unit, (value, why, n, evidence) in found]


def main():
    scores = []
    with open(sys.argv[1], encoding="utf-8-sig") as lines:
        for line in lines:
            if line.strip():
                scores += score(json.loads(line))
    json.dump({"scores": scores}, sys.stdout, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
