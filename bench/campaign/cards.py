"""Records, corpora and options of the suite `humor`, made from a number.

No text holds `<s>`, `</s>` or `<unk>`, which the reference program takes for its own marks; and references are not at fault
where records may be, since the two programs read them in another order and so name another defect first.
"""
import csv
import json
import os
import random

PLAIN = ["a", "the", "of", "cat", "Cat", "tiny", "hat", "moon", "sun", "star", "grandma", "wants", "my", "geese", "cheese", "being", "on", "fire"]
ODD = ["don't", "DON'T", "can't", "cannot", "gonna", "it's", "well-known", "…", "...", "--", "—", "“hi”", "\"quoted\"", "'tis", "$5.00", "5,000", "50%",
       "_", "____", "a_b", "?!", "&", "(x)", "[y]", "{z}", "<b>", "고양이", "\u1100\u1169\u110b\u1163\u11bc\u110b\u1175", "e\u0301t\u00e9", "ΟΔΟΣ", "İstanbul",
       "straße", "ǅ", "\u1e9e", "👍🏽", "日本語", "ก็", "½", "٣", "x\u200by", "\u00ad", "a\u001cb", "e.g.", "U.S.", "end.", "end.\"", "rock'n'roll", "I'm", "we'll"]
SPACES = [" "] * 12 + ["  ", "\t", "\u00a0", "\u3000", "\n", "\u2028", "\u0085"]
BROKEN = ["no JSON", "[]", "{}", '{"id": 1}', '{"id": true, "text": "a"}', '{"id": 1.5, "text": "a"}', '{"id": "z", "text": []}', '{"id": "z", "text": 5}',
          '{"id": "z", "text": "a", "context": 1}', '{"id": "z", "text": "a", "profile": "x"}', '{"id": "z", "text": "a", "label": 2}',
          '{"id": "z", "text": "a", "pun": {"meanings": ["x"]}}', '{"id": "z", "text": "a", "embedding": []}',
          '{"id": "z", "text": "a", "embedding": [true]}', '{"id": "z", "text": "a", "embedding": [1, 2, 3, 4, 5, 6, 7]}',
          '{"id": "z", "text": "a", "embedding": [1e400]}', '{"id": "z", "text": "a", "profile": ["x"], "profile_embeddings": []}']
CHOICES = {
    "reading": ["published"], "backoff_gate": ["context"], "train_tokens": ["whitespace"], "bleu_smoothing": ["method1"],
    "overall_self_bleu": ["1", "2", "3"], "creativity_scope": ["item"], "coherence": ["cooccurrence"], "score_text": ["filled"],
    "distinct_n": ["1,2", "1,2,4", "2,1,5,3"], "batch_size": ["1", "2", "3", "5"], "semantic_limit": ["2", "4"], "tokens": ["true"],
    "model_tables": ["true"],
}


def text(rng, longest=8, odd=0.2):
    """A few words between spaces; sometimes none."""
    pieces = []
    for _ in range(rng.randint(0, longest)):
        pieces += [rng.choice(ODD if rng.random() < odd else PLAIN), rng.choice(SPACES) if rng.random() < odd else " "]
    said = "".join(pieces[:-1])
    return said + rng.choice([".", "!", " .", "..", "?\""]) if rng.random() < 0.3 else said


def vector(rng, dimension):
    if rng.random() < 0.06:
        return [0] * dimension
    scale = rng.choice([1, 1, 1, 1e-200, 1e200])
    # A few directions that come again: equal cosines, clusters of the same point.
    return [rng.choice([0, 1, -1, 0.5, round(rng.gauss(0, 1), 3)]) * scale for _ in range(dimension)]


def write_corpus(rng, folder, number, defects):
    """A file of one of the forms; its name, a weight behind it at times."""
    odd = rng.choice([0, 0.1, 0.3])
    cards = [(rng.choice(["white", "black", None]), text(rng, 9, odd)) for _ in range(rng.randint(1, 40))]
    form = rng.choice(["txt", "jsonl", "csv", "json"])
    name = f"corpus{number}.{form}"
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        if form == "txt":
            file.writelines(said.replace("\n", " ") + "\n" for _, said in cards)
        elif form == "jsonl":
            for kind, said in cards:
                record = {"text": said} if kind is None else {"card_type": kind, "text": said}
                line = json.dumps(record, ensure_ascii=rng.random() < 0.5)
                file.write((rng.choice(BROKEN) if rng.random() < defects / 4 else line) + "\n")
        elif form == "csv":
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["card_type", "text"])
            writer.writerows([kind or "", said] for kind, said in cards)
        else:
            json.dump({"white": [said for kind, said in cards if kind != "black"],
                       "black": [{"text": said, "pick": 1} for kind, said in cards if kind == "black"]}, file)
    return name + rng.choice(["", "", "", "*3"])


def record(rng, number, dimension, odd):
    """One record; `dimension` 0: no vectors."""
    found = {"id": rng.choice([number, str(number), f"c{number}"]), "text": text(rng, odd=odd)}
    for field, values, share in [("experiment", ["e", "f", 3], 0.3), ("run", [1, 2], 0.2), ("case", ["x", 7], 0.2), ("batch", ["n", "m", 0], 0.4),
                                 ("user", ["u", "v"], 0.4), ("user_group", ["g", "h"], 0.3), ("label", [0, 1, True, False], 0.3)]:
        if rng.random() < share:
            found[field] = rng.choice(values)
    if rng.random() < 0.8:
        found["context"] = text(rng, 12, odd).replace("fire", "_")
    if rng.random() < 0.1:
        found["text"] = [text(rng, 4, odd) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.2:
        found["pun"] = {"meanings": rng.sample(PLAIN, 2)}
    if rng.random() < 0.4:
        found["profile"] = [rng.choice(["x", "", " ", "y z"]) for _ in range(rng.randint(0, 4))]
    if dimension:
        if rng.random() < 0.95:
            found["embedding"] = vector(rng, dimension)
        if rng.random() < 0.8:
            found["context_embedding"] = vector(rng, dimension)
        if rng.random() < 0.4:
            count = len(found["profile"]) if "profile" in found else rng.randint(0, 3)
            found["profile_embeddings"] = [vector(rng, dimension) for _ in range(count)]
    return found


def write_records(rng, folder, records, defects):
    """The records as JSON lines or CSV; the name of the file."""
    if rng.random() < 0.2:
        fields = sorted({field for found in records for field in found})
        with open(os.path.join(folder, "cards.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, fields, lineterminator="\n")
            writer.writeheader()
            for found in records:
                writer.writerow({field: json.dumps(x) if isinstance(x, (list, dict, bool)) else x for field, x in found.items()})
        return "cards.csv"
    with open(os.path.join(folder, "cards.jsonl"), "w", encoding="utf-8") as file:
        for found in records:
            line = json.dumps(found, ensure_ascii=rng.random() < 0.5)
            file.write((rng.choice([line[: len(line) // 2], "", *BROKEN]) if rng.random() < defects / 3 else line) + "\n")
    return "cards.jsonl"


def humor(folder, seed, defects=0.0):
    """Files in a folder; the arguments by which both programs read them."""
    rng = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    dimension = rng.choice([0, 0, 2, 3, 6])
    odd = rng.choice([0, 0.1, 0.3])
    records = [record(rng, number, dimension, odd) for number in range(rng.randint(1, rng.choice([3, 12, 30])))]
    if rng.random() < 0.3:
        records += [{**rng.choice(records), "id": f"again{number}"} for number in range(rng.randint(1, 4))]
    options, references = [], []
    if rng.random() < 0.85:
        options.append("corpus=" + ",".join(write_corpus(rng, folder, number, defects) for number in range(rng.randint(1, 2))))
    if dimension and rng.random() < 0.3:
        made = lambda: [1, *vector(rng, dimension - 1)] if defects else vector(rng, dimension)
        references = [{"id": f"r{i}", "text": "r", "embedding": made()} for i in range(rng.randint(1, 4))]
        options.append("reference=reference.jsonl")
    if rng.random() < 0.15:
        with open(os.path.join(folder, "labels.txt"), "w", encoding="utf-8") as file:
            file.writelines(f"{rng.randint(0, 1)}\n" for _ in records)
        options.append("labels=labels.txt")
    options += [f"{name}={rng.choice(values)}" for name, values in CHOICES.items() if rng.random() < 0.15]
    # Blanks that cannot be filled are faults of records.
    for found in references if "score_text=filled" in options else []:
        found["embedding"][0] = found["embedding"][0] or 1
    if references:
        with open(os.path.join(folder, "reference.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(found) + "\n" for found in references)
    inputs = [write_records(rng, folder, records, defects)]
    return inputs + [word for option in options for word in ("--option", option)]
