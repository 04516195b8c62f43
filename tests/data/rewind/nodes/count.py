import time

HOLD = False


def node(state):
    global rows, steps
    if "steps" not in globals():
        rows, steps = [], 0
    if HOLD and steps == 2:
        time.sleep(120)
    steps += 1
    rows.append({"step": steps})
    with open("step-%d.txt" % steps, "w") as file:
        file.write(str(steps))
    return {"step": steps, "seen": ["%d %d" % (steps, len(rows))]}
