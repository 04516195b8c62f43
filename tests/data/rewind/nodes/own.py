import hashlib
import os
import random
import time


def numbers():
    count = 0
    while True:
        count += 1
        yield random.random()


def digest(data):
    return hashlib.sha256(data).hexdigest()


def files():
    found = {}
    for folder in (".", "steps"):
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found[os.path.normpath(path)] = digest(file.read())
    return dict(sorted(found.items()))


def world():
    """What the session holds now. What can only be woken, never read back, is None where it is not there."""
    names = globals()
    if "steps" not in names:
        return {"steps": 0, "files": files()}
    return {
        "steps": steps,
        "rows": digest(repr(rows).encode()),
        "chance": digest(repr(chance.getstate()).encode()),
        "shared": digest(repr(random.getstate()).encode()),
        "series": series.gi_frame.f_locals["count"] if "series" in names else None,
        "log": log.tell() if "log" in names else None,
        "files": files(),
    }


def look(state):
    return {"world": world()}


def node(state):
    global steps, rows, chance, series, log
    met = {"wanted": state.get("world"), "found": world()}
    pause = 0.02 if state.get("slow") else 0
    if "steps" not in globals():
        steps, rows, chance = 0, [], random.Random(7)
        random.seed(11)
    if "series" not in globals():
        series = numbers()
    if "log" not in globals():
        log = open("log.txt", "a")
    # Whoever stops it anywhere from here on stops it in the middle of a change.
    steps += 1
    print("begun %d" % os.getpid(), flush=True)
    time.sleep(15 * pause if steps == 1 else pause)
    rows += [chance.random(), next(series)]
    os.makedirs("steps", exist_ok=True)
    with open("steps/%d.txt" % steps, "w") as file:
        file.write(repr(rows))
    time.sleep(pause)
    log.write("%d %r\n" % (steps, rows[-1]))
    log.flush()
    with open("whole.bin", "wb") as file:
        file.write(bytes(chance.getrandbits(8) for _ in range(20_000)))
    return {"step": (state.get("step") or 0) + 1, "world": world(), "met": met}
