"""Artifacts of 10 KB over HTTP, asked for by wrk: 16 connections for five seconds."""

import re
import subprocess
import sys

from bench_tools import figure, output, program

MILLISECONDS = {"us": 1e-3, "ms": 1, "s": 1e3}


def main():
    server = subprocess.Popen([program("bench-isolation"), "artifacts"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        told = output("wrk", "-t1", "-c16", "-d5s", "--latency", server.stdout.readline().strip())
    finally:
        server.stdin.close()
        server.wait()
    rate = re.search(r"Requests/sec:\s+([0-9.]+)", told)
    slow = re.search(r"99%\s+([0-9.]+)(us|ms|s)", told)
    if not rate or not slow or "Non-2xx" in told:
        sys.exit(f"wrk was not answered as it should: {told.strip()[-200:]}")
    figure("isolation.artifacts.rate", float(rate[1]), "1/s")
    figure("isolation.artifacts.p99", float(slow[1]) * MILLISECONDS[slow[2]])


if __name__ == "__main__":
    main()
