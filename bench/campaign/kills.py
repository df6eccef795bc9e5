"""Kills a job at random moments and at every writing system call, and makes system calls fail."""
import os
import random
import shutil
import signal
import subprocess
import time

import folder
import logs

WRITING = ["write", "openat", "mkdir", "rename", "renameat2", "unlink", "unlinkat", "rmdir", "fsync", "flock", "close", "ftruncate"]
FAILING = [("write", "ENOSPC"), ("mkdir", "ENOSPC"), ("openat", "ENOSPC"), ("fsync", "EIO"), ("renameat2", "EIO"), ("rename", "EIO"), ("read", "EIO")]


class World:
    """Two sets of logs, and a place where the result of either may stand."""

    def __init__(self, verism, home):
        self.verism, self.home, self.place = verism, home, os.path.join(home, "out")
        self.logs = [os.path.join(home, name) for name in ("one", "two")]
        self.results = []
        for seed, path in enumerate(self.logs):
            logs.adaptation(path, seed + 1)
            self.run(path)
            self.results.append(folder.state(self.place))

    def command(self, path):
        return [self.verism, "score", "adaptation", path, "-o", self.place, "--threads", "2", "-q"]

    def run(self, path):
        subprocess.run(self.command(path), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def check(self, counts, what, half_is_kept=False):
        """After whatever happened: one whole result stands there, and the next run leaves nothing beside it."""
        try:
            if folder.state(self.place) not in self.results:
                raise AssertionError("neither the one nor the other result")
            self.run(self.logs[0])
            if folder.state(self.place) != self.results[0]:
                raise AssertionError("the next run gave another result")
            if folder.beside(self.place):
                raise AssertionError(f"left behind: {folder.beside(self.place)}")
        except Exception as error:  # every way of losing something counts
            counts["lost"] += 1
            counts["said"].append(f"{what}: {error}")
            shutil.rmtree(self.place, ignore_errors=True)
            for name in folder.beside(self.place):
                path = os.path.join(self.home, name)
                shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)
            self.run(self.logs[0])


def random_kills(verism, home, until, seed, counts):
    """SIGKILL or SIGTERM after a random time."""
    world, rng = World(verism, home), random.Random(seed)
    start = time.monotonic()
    world.run(world.logs[1])
    usual = time.monotonic() - start
    while time.monotonic() < until:
        child = subprocess.Popen(world.command(world.logs[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() * usual)
        child.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
        child.wait()
        counts["random"] += 1
        world.check(counts, "random kill")


def injected(verism, home, until, counts):
    """Kills at, and failures of, the first, second, … call of each kind, until a job gets through."""
    world = World(verism, home)
    plans = [(call, f"inject={call}:signal=KILL:when=", "kills") for call in WRITING]
    plans += [(call, f"inject={call}:error={error}:when=", "failures") for call, error in FAILING]
    when = {plan: 1 for plan in plans}
    while when and time.monotonic() < until:
        for plan in list(when):
            call, inject, kind = plan
            command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"{inject}{when[plan]}"]
            ran = subprocess.run(command + world.command(world.logs[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            when[plan] += 1
            counts[kind] += 1
            if ran.returncode == 0 and kind == "kills":
                del when[plan]
            elif ran.returncode == 0 and when[plan] > counts["calls"].setdefault(call, number_of(world, call)):
                del when[plan]
            if kind == "failures" and ran.returncode == 0 and folder.state(world.place) != world.results[1]:
                counts["lost"] += 1
                counts["said"].append(f"{call} failed, the program said nothing")
            world.check(counts, f"{inject}{when[plan] - 1 if plan in when else '?'}")
            if time.monotonic() >= until:
                break


def number_of(world, call):
    """How many calls of a kind a job makes."""
    command = ["strace", "-f", "-c", "-e", f"trace={call}"]
    ran = subprocess.run(command + world.command(world.logs[1]), capture_output=True, text=True)
    lines = [line.split() for line in ran.stderr.splitlines() if line.rstrip().endswith(call)]
    return int(lines[0][3]) if lines else 0
