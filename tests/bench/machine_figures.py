"""The machine itself: one fsync of its disk, which a superstep with durability sync contains."""

import os
import statistics
import tempfile
import time

from bench_tools import BINARIES, figure


def main(folder):
    times = []
    with open(os.path.join(folder, "fsync"), "wb") as file:
        for _ in range(100):
            begin = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begin)
    figure("machine.fsync", statistics.median(times) * 1e6, "us")
    begin = time.process_time()
    sum(i * i for i in range(3_000_000))
    figure("machine.python", (time.process_time() - begin) * 1e3)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=os.path.dirname(BINARIES)) as place:
        main(place)
