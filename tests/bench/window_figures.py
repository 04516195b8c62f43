"""Starts the window on an example, under an Xvfb of its own: time until it is usable (cold: nothing of it is in memory; with what was
open last), memory and processor while nothing happens."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bench_tools import ROOT, figure, program as built

STARTS = 5
SETTLE_SECONDS = 3
IDLE_SECONDS = 10


def environment(folder, display):
    chosen = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=f"{folder}/config", XDG_DATA_HOME=f"{folder}/data")
    runtime = f"{folder}/runtime"
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    chosen["XDG_RUNTIME_DIR"] = runtime
    chosen["QT_QPA_PLATFORM"] = "xcb"
    chosen["DISPLAY"] = display
    return chosen


def start_display():
    """An X server of our own, on a number it picks itself."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[writer], stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as answers:
        number = answers.readline().strip()
    if not number:
        sys.exit("Xvfb does not start")
    return server, f":{number}"


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid, name):
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return int(re.search(rf"^{name}:\s+(\d+) kB", file.read(), re.M)[1]) / 1024


def mapped_files(pid):
    with open(f"/proc/{pid}/maps") as maps:
        return {line.split(None, 5)[5].strip() for line in maps if len(line.split(None, 5)) == 6 and "/" in line.split(None, 5)[5]}


def forget(files):
    """Puts them out of the page cache, as far as nobody else has them mapped."""
    for path in files:
        try:
            with open(path, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        except OSError:
            pass


def start(program, project, chosen):
    process = subprocess.Popen(
        [program, "--print-startup", *([project] if project else [])], env=chosen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    began = time.perf_counter()
    line = process.stdout.readline()
    seconds = time.perf_counter() - began
    if not line.startswith("usable"):
        process.kill()
        process.wait()
        sys.exit("the window did not say that it is usable")
    return process, seconds


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def starts(program, project, chosen, before=lambda: None):
    """Milliseconds until it is usable, the median; and which files it had mapped."""
    times = []
    for _ in range(STARTS):
        before()
        process, seconds = start(program, project, chosen)
        times.append(seconds)
        files = mapped_files(process.pid)
        stop(process)
    return statistics.median(times) * 1000, files


def main(program, scratch):
    folder = os.path.join(scratch, "window")
    project = os.path.join(folder, "penguins")
    shutil.copytree(os.path.join(ROOT, "resources/examples/penguins"), project, ignore=shutil.ignore_patterns(".sandglass"))
    server, display = start_display()
    try:
        chosen = environment(folder, display)
        figure("window.start.warm", starts(program, project, chosen)[0])
        last, files = starts(program, None, chosen)
        figure("window.start.last", last)
        figure("window.start.cold", starts(program, project, chosen, lambda: forget(files))[0])
        process, _ = start(program, project, chosen)
        time.sleep(SETTLE_SECONDS)
        used = cpu_seconds(process.pid)
        time.sleep(IDLE_SECONDS)
        share = (cpu_seconds(process.pid) - used) / IDLE_SECONDS * 100
        figure("window.start.memory", memory_mb(process.pid, "Rss"), "MB")
        figure("window.start.own_memory", memory_mb(process.pid, "Pss"), "MB")
        figure("window.start.idle", share, "%")
        stop(process)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(built("sandglass-workbench"), place)
