"""Fits a line to noisy points, one batch a step. What the steps share lives in the sandbox: the weights, a generator of
batches in the middle of its work, the state of the random numbers, and a log file that stays open."""

import random


def batches():
    while True:
        points = [random.uniform(-1, 1) for _ in range(32)]
        yield [(x, 3 * x + 1 + random.gauss(0, 0.1)) for x in points]


def train(state):
    global stream, log, slope, offset
    if "stream" not in globals():
        random.seed(42)
        stream, slope, offset = batches(), 0.0, 0.0
        log = open("/session/training.log", "w")
    step = (state.get("step") or 0) + 1
    change = state.get("change")  # {"after": step, "rate": number}: what a fork does, in one unbroken run
    rate = change["rate"] if change and step > change["after"] else state.get("rate", 0.05)
    batch = next(stream)
    errors = [slope * x + offset - y for x, y in batch]
    slope -= rate * sum(2 * e * x for e, (x, _) in zip(errors, batch)) / len(batch)
    offset -= rate * sum(2 * e for e in errors) / len(batch)
    loss = sum(e * e for e in errors) / len(batch)
    log.write("%d %r %r %r\n" % (step, loss, slope, offset))
    log.flush()
    return {"step": step, "losses": [loss]}
