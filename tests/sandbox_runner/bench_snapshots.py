"""Prints the figures of snapshots, and beside them what a user would do instead. Not run by ctest.

python3 tests/sandbox_runner/bench_snapshots.py [PYTHON]   (one with numpy, pandas and cloudpickle: the sandbox's own)"""

import os
import sys
import time

from host import Host, pack
from test_stored_names import Stream

PYTHON = sys.argv[1] if len(sys.argv) > 1 else os.path.expanduser("~/.local/share/sandglass/python/bin/python3")
ARRAYS = "import numpy as np\nheld = [np.random.rand(1 << 20) for _ in range(25)]"
OBJECTS = "held = [{'a': i, 'b': str(i)} for i in range(700000)]"
FRAME = "import numpy as np, pandas as pd\nframe = pd.DataFrame({'c%d' % i: np.random.rand(1 << 20) for i in range(25)})"


def median(samples):
    return sorted(samples)[len(samples) // 2]


def timed(action, count):
    samples = []
    for i in range(count):
        begin = time.perf_counter()
        action(i)
        samples.append(time.perf_counter() - begin)
    return median(samples)


def say(what, seconds, figure=""):
    print("%-64s %9.2f ms  %s" % (what, seconds * 1e3, figure), flush=True)


def copies(name, code):
    with Host(python=PYTHON) as host:
        host.cell(code)
        say("live snapshot, 200 MB of " + name, timed(lambda i: host.ask("snapshot", snapshot="s%d" % i), 15), "<= 3")
        say("a step that reads one in a hundred, then one", timed(lambda i: step(host, i), 15))

        def wake(i):
            host.ask("wake", snapshot="s%d" % (i % 15))
            host.cell("len(held)")

        say("waking it, first cell answered", timed(wake, 15), "<= 5")
        own = [s["own"] for s in host.ask("snapshots")["snapshots"] if "own" in s]
        print("%-64s %9.1f MB" % ("memory of a copy's own, median", median(own) / 1e6))


def step(host, i):
    host.cell("sum(1 for x in held[::100])")
    host.ask("snapshot", snapshot="t%d" % i)


def scan(host, base):
    host.send({"op": "scan", "id": host.next_id(), "base": base})
    entries = []
    while True:
        page = host.wait("scanned")
        entries += page["entries"]
        if not page["more"]:
            return page["token"], entries


def files():
    with Host(python=PYTHON) as host:
        os.mkdir(os.path.join(host.folder, "many"))
        for i in range(10000):
            with open(os.path.join(host.folder, "many", "%d" % i), "w") as file:
                file.write("x")
        token, _ = scan(host, 0)
        time.sleep(0.1)
        token, _ = scan(host, token)
        samples = []
        for _ in range(9):
            begin = time.perf_counter()
            token, changed = scan(host, token)
            samples.append(time.perf_counter() - begin)
            assert not changed
        say("unchanged files: manifest of 10,000", median(samples), "<= 30")
        for i in range(10):
            with open(os.path.join(host.folder, "big%d" % i), "wb") as file:
                file.write(os.urandom(10 << 20))
        token, entries = scan(host, token)
        big = {e[0]: e[5] for e in entries if e[0].startswith("big")}
        begin = time.perf_counter()
        pieces = [[p, inode, at << 22, 1 << 22] for p, inode in big.items() for at in range(3)]
        ids = []
        for piece in pieces:  # the answers are read as they come, two ahead
            ids.append(host.next_id())
            host.send({"op": "read_files", "id": ids[-1], "files": [piece]})
            if len(ids) > 2:
                host.wait("contents", ids.pop(0))
        for left in ids:
            host.wait("contents", left)
        seconds = time.perf_counter() - begin
        print("%-64s %9.0f MB/s %s" % ("100 MB changed in 10 files, read out", 105 / seconds, ">= 500 (with hash and disk)"))


def stored():
    with Host(python=PYTHON) as host:
        host.cell(FRAME)
        host.ask("snapshot", snapshot="s")
        begin = time.perf_counter()
        identifier = host.next_id()
        host.send({"op": "store", "id": identifier, "snapshot": "s"})
        pieces = []
        while True:
            message = host.receive()
            if message["ev"] == "end":
                break
            pieces.append(message["data"])
        say("stored snapshot of a 200 MB frame, written out", time.perf_counter() - begin, "<= 400")
        data = Stream(b"".join(pieces)).back()
        host.ask("restart")
        begin = time.perf_counter()
        identifier = host.next_id()
        host.send({"op": "load", "id": identifier})
        for start in range(0, len(data), 1 << 20):
            last = start + (1 << 20) >= len(data)
            message = {"op": "load_piece", "id": host.next_id(), "to": identifier, "data": data[start : start + (1 << 20)]}
            body = pack(dict(message, last=last))
            host.stream.sendall(len(body).to_bytes(4, "big") + body)
        host.wait("loaded", identifier, 60)
        say("read back (with importing pandas)", time.perf_counter() - begin, "<= 400")
    for name, code in (("frame", FRAME), ("objects", OBJECTS)):
        with Host(python=PYTHON) as host:
            host.cell(code)
            host.cell("import cloudpickle, time")
            names = "{k: v for k, v in globals().items() if k in ('held', 'frame')}"
            host.cell("b = time.perf_counter(); d = cloudpickle.dumps(%s, 5); e = time.perf_counter() - b" % names)
            say("instead: cloudpickle of all names, 200 MB as a " + name, float(host.value("e")))


def main():
    print("load %.1f %.1f %.1f on %d processors" % (os.getloadavg() + (os.cpu_count(),)))
    copies("arrays", ARRAYS)
    copies("small objects", OBJECTS)
    files()
    stored()
    return 0


if __name__ == "__main__":
    sys.exit(main())
