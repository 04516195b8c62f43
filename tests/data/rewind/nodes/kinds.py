import codecs
import decimal
import json
import logging
import mimetypes
import os
import sys


class Counter:
    made = []
    count = 0

    def up(self):
        self.count += 1
        return self.count


def begins():
    global rows, table, counter, up, own
    rows = []
    table = {"rows": rows}
    counter = Counter()
    up = counter.up
    with open("own_module.py", "w") as file:
        file.write("COUNT = 0\nROWS = []\n")
    sys.path.insert(0, os.getcwd())
    import own_module as own

    own.ROWS = rows
    os.environ["OWN_PLACE"] = "here"
    os.environ.pop("MPLBACKEND", None)
    os.environ["OWN_KEY"] = os.environ.get("OWN_KEY", "none")
    logging.getLogger("own").setLevel(logging.DEBUG)
    decimal.getcontext().prec = 4
    json.OWN = rows
    codecs.register_error("own", replaced)
    mimetypes.add_type("x/own", ".own")
    os.nice(2)


def replaced(error):
    return "?", error.end


def node(state):
    step = (state.get("step") or 0) + 1
    if step == 1:
        begins()
    rows.append(step)
    own.COUNT += 1
    Counter.made.append(step)
    up()
    found = [
        len(table["rows"]),
        len(own.ROWS),
        own.COUNT,
        counter.count,
        len(Counter.made),
        os.environ.get("OWN_PLACE"),
        "MPLBACKEND" in os.environ,
        logging.getLogger("own").level,
        str(decimal.Decimal(1) / 3),
        len(json.OWN),
        "\u00e9".encode("ascii", "own").decode(),
        mimetypes.guess_type("a.own")[0],
        os.nice(0),
    ]
    return {"step": step, "seen": [" ".join(str(each) for each in found)]}
