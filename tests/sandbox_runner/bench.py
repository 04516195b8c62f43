"""Prints the runner's figures: start, cell round trip, throughput of printed bytes. Not run by ctest.

python3 tests/sandbox_runner/bench.py [FOLDER…]     other checkouts' resources/sandbox, measured in turns with this one
python3 tests/sandbox_runner/bench.py --figures     this one alone, as tests/bench/figures.py reads it"""

import sys
import time

import host as hosts
from host import Host, pack

ROUNDS = 3
CELLS = (("expression", "1 + 1"), ("statement", "x = 1"), ("print", "print('x')"))


def median(samples):
    return sorted(samples)[len(samples) // 2]


def start_to_first_cell(count=15):
    samples = []
    for _ in range(count):
        begin = time.perf_counter()
        with Host() as host:
            host.cell("1 + 1")
            samples.append(time.perf_counter() - begin)
    return median(samples)


def cpu_us(pid):
    with open("/proc/%d/schedstat" % pid) as file:
        return int(file.read().split()[0]) / 1000


def round_trip(code, count=1500):
    """Median and p95 in seconds, CPU of supervisor and interpreter per cell in microseconds.

    The frames are made beforehand: what is measured is the runner, not this host's own packing."""
    with Host() as host:
        frames = []
        for i in range(1, count + 1):
            body = pack({"op": "cell", "id": i, "code": code})
            frames.append(len(body).to_bytes(4, "big") + body)
        samples = []
        stream = host.stream
        pids = (host.ready["pid"], host.ready["interpreter"])
        before = [cpu_us(pid) for pid in pids]
        for frame in frames:
            begin = time.perf_counter()
            stream.send(frame)
            data = stream.recv(65536)
            while b"duration_ms" not in data:
                data = stream.recv(65536)
            samples.append(time.perf_counter() - begin)
        spent = [(cpu_us(pid) - b) / count for pid, b in zip(pids, before)]
        return median(samples), sorted(samples)[int(len(samples) * 0.95)], spent[0], spent[1]


def throughput(megabytes=200):
    with Host(options={"output_limit": 1 << 40, "chunk_limit": 1048576}) as host:
        code = "import os\nb = b'x' * 1048576\nfor _ in range(%d): os.write(1, b)" % megabytes
        begin = time.perf_counter()
        host.start_cell(code)
        received = 0
        while True:
            data = host.stream.recv(1 << 20)
            received += len(data)
            if b"duration_ms" in data[-100:]:
                break
        return received / (time.perf_counter() - begin) / 1e6


def print_figures():
    print("figure sessions.runner.start %.6g ms" % (start_to_first_cell() * 1e3))
    for name, code in CELLS:
        middle, slow, supervisor, interpreter = round_trip(code)
        for what, value in (("", middle * 1e6), ("_p95", slow * 1e6), ("_processor", supervisor + interpreter)):
            print("figure sessions.runner.%s%s %.6g us" % (name, what, value))
    print("figure sessions.runner.output %.6g MB/s" % throughput())
    return 0


def main():
    if sys.argv[1:] == ["--figures"]:
        return print_figures()
    folders = [hosts.SANDBOX] + sys.argv[1:]
    figures = {}
    for _ in range(ROUNDS):  # in turns: the machine's load falls on all alike
        for folder in folders:
            hosts.SANDBOX = folder
            for name, code in CELLS:
                figures.setdefault((folder, name), []).append(round_trip(code))
            figures.setdefault((folder, "bytes"), []).append(throughput())
    for folder in folders:
        hosts.SANDBOX = folder
        print(folder)
        print("  start to first cell      %7.1f ms" % (start_to_first_cell() * 1e3))
        for name, _ in CELLS:
            middle, slow, supervisor, interpreter = map(median, zip(*figures[folder, name]))
            print(
                "  cell, %-18s %7.1f us median, %.1f us p95; CPU: supervisor %.1f us, interpreter %.1f us"
                % (name, middle * 1e6, slow * 1e6, supervisor, interpreter)
            )
        print("  printed bytes            %7.1f MB/s" % median(figures[folder, "bytes"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
