import os
import random


def numbers():
    total = 0.0
    while True:
        total += random.random()
        yield total


def own_files():
    """Without what the program itself keeps in the folder of a BIND session."""
    return sorted(name for name in os.listdir(".") if "session" not in name and not name.endswith((".json", ".tmp")))


def node(state):
    global series, log, steps
    if "steps" not in globals():
        random.seed(11)
        series, log, steps = numbers(), open("log.txt", "w"), 0
    steps += 1
    value = next(series) * state["rate"]
    log.write("%d %.6f\n" % (steps, value))
    log.flush()
    with open("step-%d.txt" % steps, "w") as file:
        file.write(str(value))
    with open("log.txt") as file:
        lines = file.read().splitlines()
    return {"step": steps, "seen": ["%.6f %d %s" % (value, len(lines), ",".join(own_files()))]}
