#!/usr/bin/env python3
"""Random cases that nobody has seen: LangGraph's trace against the engine's, made on the spot.

usage: fresh_cases.py RUNNER [COUNT [FIRST_SEED]]

fuzz.py makes COUNT cases (SG_CONFORMANCE_COUNT or 200), wide_fuzz.py a quarter more; FIRST_SEED is SG_CONFORMANCE_SEED or
random. Cases that differ stay in a folder that the output names. Exit code 1: some differ; 77: there is no LangGraph to
compare with.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

try:
    import fuzz
    import oracle
    import wide_fuzz
except ImportError as problem:
    print(f"skipped: {sys.executable} has no LangGraph ({problem}); packaging/setup/langgraph.sh installs one")
    sys.exit(77)

SEEDS = 10**9


def record(folder, generator, seed):
    case = generator.gen(seed)
    place = folder / f"{generator.__name__}_{seed}"
    place.mkdir()
    (place / "case.json").write_text(json.dumps(case, indent=1) + "\n")
    (place / "expected.json").write_text(oracle.dumps(oracle.run_case(case)))


def main(runner, *numbers):
    count = int(numbers[0] if numbers else os.environ.get("SG_CONFORMANCE_COUNT") or 200)
    first = int(numbers[1] if len(numbers) > 1 else os.environ.get("SG_CONFORMANCE_SEED") or random.randrange(SEEDS))
    print(f"seeds {first} to {first + count - 1}; to repeat: fresh_cases.py {runner} {count} {first}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sandglass-cases-"))
    for seed in range(first, first + count):
        record(folder, fuzz, seed)
    for seed in range(first, first + (count + 3) // 4):
        record(folder, wide_fuzz, seed)
    check = subprocess.run([runner, "--check", folder], stdout=subprocess.PIPE, text=True)
    print(check.stdout, end="")
    if check.returncode == 0:
        shutil.rmtree(folder)
        return 0
    differing = [pathlib.Path(line.partition(": ")[2]) for line in check.stdout.splitlines() if line.startswith("differs: ")]
    for place in set(folder.iterdir()) - set(differing):
        shutil.rmtree(place)
    print(f"the cases that differ are kept in {folder}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
