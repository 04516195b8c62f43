#!/usr/bin/env python3
"""Random cases that nobody has seen: LangGraph's trace against the engine's, made on the spot.

usage: fresh_cases.py RUNNER [COUNT [FIRST_SEED]]

fuzz.py makes COUNT cases (SG_CONFORMANCE_COUNT or 200), wide_fuzz.py a quarter more; FIRST_SEED is SG_CONFORMANCE_SEED or
random. LangGraph orders some of what it does by ids that are random, and so gives one case several traces: a case that
differs is recorded anew, and counts as equal once the engine's trace is one of LangGraph's. Cases that differ stay in a
folder that the output names. Exit code 1: some differ; 77: there is no LangGraph to compare with.
"""
import json
import os
import pathlib
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import require

try:
    import fuzz
    import oracle
    import wide_fuzz
except ImportError as problem:
    require.leave("langgraph", f"{sys.executable} has no LangGraph ({problem}); packaging/setup/langgraph.sh installs one")

SEEDS = 10**9
TRACES = 40  # how often LangGraph is asked for another trace of a case that differs
PATIENCE = 30  # seconds that LangGraph may take for a case: loops within loops of subgraphs can take it an hour
MOST_LEFT_OUT = 0.02  # of all cases


def record(folder, generator, seed):
    """Whether LangGraph has given a trace of the case in time. In a process of its own, which can be ended."""
    case = generator.gen(seed)
    place = folder / f"{generator.__name__}_{seed}"
    place.mkdir()
    (place / "case.json").write_text(json.dumps(case, indent=1) + "\n")
    child = os.fork()
    if child == 0:
        try:
            expect(place, case)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    ended = os.pidfd_open(child)
    is_over = select.select([ended], [], [], PATIENCE)[0]
    os.close(ended)
    if not is_over:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        shutil.rmtree(place)
        print(f"left out: {place.name}: LangGraph takes longer than {PATIENCE} s for it", flush=True)
        return False
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"error: {place.name} cannot be recorded, see above")
    return True


def expect(place, case):
    trace = oracle.dumps(oracle.run_case(case))
    (place / "expected.json").write_text(trace)
    return trace


def is_one_of_several(runner, place):
    """Whether LangGraph gives this case several traces, the engine's among them."""
    case = json.loads((place / "case.json").read_text())
    traces = {(place / "expected.json").read_text()}
    begin = time.monotonic()
    for _ in range(TRACES):
        if time.monotonic() - begin > 2 * PATIENCE:
            break
        traces.add(expect(place, case))
        if len(traces) > 1 and subprocess.run([runner, "--check", place], stdout=subprocess.DEVNULL).returncode == 0:
            return True
    return False


def main(runner, *numbers):
    count = int(numbers[0] if numbers else os.environ.get("SG_CONFORMANCE_COUNT") or 200)
    first = int(numbers[1] if len(numbers) > 1 else os.environ.get("SG_CONFORMANCE_SEED") or random.randrange(SEEDS))
    print(f"seeds {first} to {first + count - 1}; to repeat: fresh_cases.py {runner} {count} {first}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sandglass-cases-"))
    cases = [(fuzz, seed) for seed in range(first, first + count)]
    cases += [(wide_fuzz, seed) for seed in range(first, first + (count + 3) // 4)]
    left_out = sum(not record(folder, generator, seed) for generator, seed in cases)
    if left_out > max(1, MOST_LEFT_OUT * len(cases)):
        print(f"error: {left_out} of {len(cases)} cases were left out, which compares too little")
        return 1
    check = subprocess.run([runner, "--check", folder], stdout=subprocess.PIPE, text=True)
    print(check.stdout, end="")
    if check.returncode == 0:
        shutil.rmtree(folder)
        return 0
    differing = [pathlib.Path(line.partition(": ")[2]) for line in check.stdout.splitlines() if line.startswith("differs: ")]
    several = {place for place in differing if is_one_of_several(runner, place)}
    for place in sorted(several):
        print(f"equal after all: {place.name}: LangGraph gives several traces, the engine's is one of them")
    if check.returncode == 1 and differing and len(several) == len(differing):
        shutil.rmtree(folder)
        return 0
    for place in set(folder.iterdir()) - (set(differing) - several):
        shutil.rmtree(place)
    print(f"the cases that differ are kept in {folder}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
