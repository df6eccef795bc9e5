"""Two to eight processes on one place at the same time."""
import os
import random
import subprocess
import time

import folder
from kills import World


def crowd(verism, home, until, seed, counts):
    world, rng = World(verism, home), random.Random(seed)
    while time.monotonic() < until:
        size = rng.randint(2, 8)
        started = []
        for i in range(size):
            started.append(subprocess.Popen(world.command(world.logs[i % 2]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
            time.sleep(rng.random() * 0.01)
        for child in started:
            _, said = child.communicate()
            counts["processes"] += 1
            if child.returncode != 0:
                counts["lost"] += 1
                counts["said"].append(f"exit {child.returncode} among {size}: {said.decode(errors='replace')[:200]}")
        counts["rounds"] += 1
        try:
            if folder.state(world.place) not in world.results or folder.beside(world.place):
                raise AssertionError(f"left behind: {folder.beside(world.place)}")
        except Exception as error:
            counts["lost"] += 1
            counts["said"].append(f"{size} processes: {error}")
            os.system(f"rm -rf '{world.place}'")
            world.run(world.logs[0])
