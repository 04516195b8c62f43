import os


def rolled(state):
    global tries
    tries = globals().get("tries", 0) + 1
    with open("tries.txt", "a") as file:
        file.write("x")
    count = len(os.listdir("/tmp/attempts")) if os.path.isdir("/tmp/attempts") else 0
    os.makedirs("/tmp/attempts", exist_ok=True)  # not beneath /session: it outlives the rollback
    open("/tmp/attempts/%d" % count, "w").close()
    if count < 2:
        raise ValueError("attempt %d" % count)
    return {"told": ["rolled %d %d" % (tries, os.path.getsize("tries.txt"))]}


def kept(state):
    global kept_tries
    kept_tries = globals().get("kept_tries", 0) + 1
    if kept_tries < 3:
        raise ValueError("attempt %d" % kept_tries)
    return {"told": ["kept %d" % kept_tries]}
