"""What the benches in Python share."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARIES = os.environ.get("SG_BENCH_BIN", os.path.join(ROOT, "build/release/bin"))


def figure(name, value, unit="ms"):
    print(f"figure {name} {value:.6g} {unit}", flush=True)


def unmeasured(ids, reason):
    print(f"unmeasured {ids} {reason}", flush=True)


def program(name):
    return os.path.join(BINARIES, name)


def output(*command):
    """What a program printed; where it failed this one ends with its words."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{os.path.basename(command[0])} {' '.join(command[1:4])}: {done.stderr.strip()}")
    return done.stdout
