ALLOWED = False


def ran(name):
    global counts
    if "counts" not in globals():
        counts = {}
    counts[name] = counts.get(name, 0) + 1
    return counts[name]


def one(state):
    return {"inner": ["one %d" % ran("one")]}


def two(state):
    times = ran("two")
    if not ALLOWED:
        raise ValueError("not yet")
    return {"inner": ["two %d" % times]}


def side(state):
    return {"told": ["side %d" % ran("side")]}


def look(state):
    return {"told": ["look %s" % sorted(counts.items())]}
