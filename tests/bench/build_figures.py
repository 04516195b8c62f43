"""The figures of the build, which build_figures.sh has left in a file: they take an hour and a root of their own."""

import os
import subprocess

from bench_tools import ROOT, unmeasured

FILE = os.path.join(ROOT, "build", "figures.txt")
MAKE_IT = "tests/bench/build_figures.sh measures it, in about an hour"


def main(path=FILE):
    try:
        with open(path, encoding="utf-8") as file:
            first, *lines = file.read().splitlines()
    except (OSError, ValueError):
        unmeasured("build", f"{os.path.relpath(path, ROOT)} is not there: {MAKE_IT}")
        return
    told = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    if first != "commit " + told.stdout.strip():
        unmeasured("build", f"{os.path.relpath(path, ROOT)} is of another {first[:15]}: {MAKE_IT}")
        return
    print("\n".join(lines))


if __name__ == "__main__":
    main()
