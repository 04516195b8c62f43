"""A superstep with PostgreSQL, beside libpq alone with the same rows and beside LangGraph with its PostgresSaver, in one round.

The server is the bench's own, on a unix socket: once as it comes, with an fsync for each commit, and once without, where what
the programs themselves cost is not hidden. SG_LANGGRAPH_PYTHON: a Python that has LangGraph.
"""

import json
import os
import sys

from bench_tools import figure, output, program, unmeasured

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
from postgres_server import PostgresServer  # noqa: E402

WORKLOADS = ("W1", "W4")  # values in the checkpoint's JSON alone; a list that grows, which is a row of its own


def step_us(told):
    return told["wall_s"] / told["supersteps"] * 1e6


def measure(server, workload, ids):
    ours, raw = server.address(f"ours_{workload}"), server.address(f"raw_{workload}")
    options = ("--workload", workload, "--saver", "postgres", "--durability", "sync")
    output(program("bench-engine"), *options, "--db", raw, "--n", "1")  # makes the tables
    server.sql(f"raw_{workload}", "truncate checkpoints, checkpoint_blobs, checkpoint_writes")
    told = json.loads(output(program("bench-engine"), *options, "--db", ours))
    alone = json.loads(output(program("bench-raw-postgres"), "--src", ours, "--target", raw, "--supersteps", str(told["supersteps"])))
    figure(f"{ids}.step", step_us(told), "us")
    figure(f"{ids}.over_raw", step_us(told) / step_us(alone), "x")
    python = os.environ.get("SG_LANGGRAPH_PYTHON")
    if not python:
        unmeasured(f"{ids}.beside_langgraph", "no Python with LangGraph is here (packaging/setup/langgraph.sh makes one)")
        return
    theirs = json.loads(output(python, "-B", os.path.join(HERE, "engine", "langgraph_peer.py"), workload, server.address(f"theirs_{workload}")))
    figure(f"{ids}.beside_langgraph", step_us(theirs) / step_us(told), "x")


def main():
    for name, options in (("durable", ["fsync=on", "full_page_writes=on"]), ("unsynced", [])):
        server = PostgresServer(options)
        try:
            for workload in WORKLOADS:
                measure(server, workload, f"engine.postgres.{workload}.{name}")
        finally:
            server.close()


if __name__ == "__main__":
    main()
