import os
import random


def start(state):
    global base
    base = ["base"]
    random.seed(5)
    with open("base.txt", "w") as file:
        file.write("base")


def work(item):
    """Executes the item's code with its names as the session's, and tells what it leaves in `told`."""
    found = {"item": item, "told": None}
    exec(item["code"], globals(), found)
    for name, value in found.items():
        if name not in ("item", "told"):
            globals()[name] = value
    return {"told": [found["told"]]}


def look(state):
    names = sorted(name for name in ("base", "mine", "other", "found") if name in globals())
    files = sorted(name for name in os.listdir("/session") if name.endswith(".txt"))
    return {"told": ["look %s %s" % (",".join(names), ",".join(files))], "after": eval(state.get("after") or "None")}
