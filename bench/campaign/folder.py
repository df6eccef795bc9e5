"""The state of a result folder and of what stands beside it."""
import hashlib
import json
import os

try:
    import xxhash
except ImportError:
    raise SystemExit("xxhash is needed: pip install -r bench/requirements.txt") from None


def content(path):
    with open(path, "rb") as file:
        return file.read()


def digest(path):
    return hashlib.sha256(content(path)).hexdigest()


def state(place):
    """None if there is nothing, else the signature of a whole result; an exception tells what is half there."""
    if not os.path.lexists(place):
        return None
    with open(os.path.join(place, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    named = {entry["path"]: entry for entry in manifest["files"]}
    there = set()
    for folder, _, names in os.walk(place):
        there |= {os.path.relpath(os.path.join(folder, name), place) for name in names}
    there -= {"manifest.json", "timing.json"}
    if there != set(named):
        raise AssertionError(f"files that the manifest does not name, or that are missing: {there ^ set(named)}")
    for path, entry in named.items():
        if xxhash.xxh3_128_hexdigest(content(os.path.join(place, path))) != entry["xxh3_128"]:
            raise AssertionError(f"{path} is not what the manifest says")
    return digest(os.path.join(place, "manifest.json"))


def beside(place):
    """What stands in the folder of a place besides itself."""
    name = os.path.basename(place)
    return sorted(entry for entry in os.listdir(os.path.dirname(place)) if entry.startswith(f".{name}.verism"))
