import os


def good(state):
    global good_ran
    good_ran = globals().get("good_ran", 0) + 1
    return {"told": ["good %d" % good_ran]}


def bad(state):
    global bad_ran
    bad_ran = globals().get("bad_ran", 0) + 1
    with open("bad.txt", "a") as file:
        file.write("x")
    if not os.path.exists("/session/allowed"):
        raise ValueError("not yet")
    return {"told": ["bad %d %d" % (bad_ran, os.path.getsize("bad.txt"))]}


def look(state):
    return {"told": ["look %d %d" % (good_ran, bad_ran)]}
