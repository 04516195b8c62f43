"""Prints the runner's figures: start, cell round trip, throughput of printed bytes. Not run by ctest.

python3 tests/sandbox_runner/bench.py"""

import sys
import time

from host import Host, pack


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


def round_trip(code, count=4000):
    """The frames are made beforehand: what is measured is the runner, not this host's own packing."""
    with Host() as host:
        frames = []
        for i in range(1, count + 1):
            body = pack({"op": "cell", "id": i, "code": code})
            frames.append(len(body).to_bytes(4, "big") + body)
        samples = []
        stream = host.stream
        for frame in frames:
            begin = time.perf_counter()
            stream.send(frame)
            data = stream.recv(65536)
            while b"duration_ms" not in data:
                data = stream.recv(65536)
            samples.append(time.perf_counter() - begin)
        return median(samples), sorted(samples)[int(len(samples) * 0.95)]


def throughput(megabytes=200):
    with Host(options={"output_limit": 1 << 40, "chunk_limit": 1048576}) as host:
        code = "import os\nb = b'x' * 1048576\nfor _ in range(%d): os.write(1, b)" % megabytes
        begin = time.perf_counter()
        host.start_cell(code)
        received = 0
        while True:
            data = host.stream.recv(1 << 20)
            received += len(data)
            if data.endswith(b"duration_ms", 0, -9) or (len(data) < 400 and b"duration_ms" in data):
                break
        return received / (time.perf_counter() - begin) / 1e6


def main():
    print("start to first cell      %7.1f ms" % (start_to_first_cell() * 1e3))
    for name, code in (("expression", "1 + 1"), ("statement", "x = 1"), ("print", "print('x')")):
        middle, slow = round_trip(code)
        print("cell, %-18s %7.1f us median, %.1f us p95" % (name, middle * 1e6, slow * 1e6))
    print("printed bytes            %7.1f MB/s" % throughput())
    return 0


if __name__ == "__main__":
    sys.exit(main())
