"""The room that Sandglass takes before anything is done with it: its programs, the sandboxes' Python, their image."""

import os
import shutil
import subprocess

from bench_tools import ROOT, figure, program, unmeasured

PROGRAMS = ("sandglass", "sandglass-workbench", "sandglass-jq")
IMAGE = "sandglass/python"


def runtime():
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.environ.get("SANDGLASS_PYTHON") or os.path.join(data, "sandglass", "python")


def allocated(folder):
    """What lies below it, each file once."""
    seen = {}
    for where, _, files in os.walk(folder):
        for name in files:
            status = os.lstat(os.path.join(where, name))
            seen[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(seen.values())


def main():
    built = [program(name) for name in PROGRAMS]
    if all(os.path.exists(each) for each in built):
        figure("disk.programs", sum(os.path.getsize(each) for each in built) / 1e6, "MB")
    else:
        unmeasured("disk.programs", "the programs are not built, or without the window")
    if os.path.isdir(runtime()):
        figure("disk.runtime", allocated(runtime()) / 1e6, "MB")
    else:
        unmeasured("disk.runtime", "no runtime is here (packaging/runtime/make-venv.sh makes one)")
    told = shutil.which("docker") and subprocess.run(["docker", "image", "inspect", "-f", "{{.Size}}", IMAGE], capture_output=True,
                                                     text=True, check=False)
    if told and told.returncode == 0:
        figure("disk.image", int(told.stdout) / 1e6, "MB")
    else:
        unmeasured("disk.image", f"no Docker Engine answers that has the image {IMAGE}")
    figure("disk.sandbox_code", allocated(os.path.join(ROOT, "resources/sandbox")) / 1e6, "MB")


if __name__ == "__main__":
    main()
