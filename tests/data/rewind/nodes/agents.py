import itertools
import os


def step(name):
    global series
    if "series" not in globals():
        series = (n for n in itertools.count(1))  # nothing that can be pickled
    with open("mine.txt", "a") as file:
        file.write("x")
    return {"told": ["%s %d %d" % (name, next(series), os.path.getsize("mine.txt"))]}


def left(state):
    return step("left")


def right(state):
    return step("right")


def count(state):
    global steps
    steps = globals().get("steps", 0) + 1
    with open("mine.txt", "a") as file:
        file.write("x")
    return {"steps": steps, "told": ["%d %d" % (steps, os.path.getsize("mine.txt"))]}
