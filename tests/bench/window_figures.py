"""Starts the window on an example: time until it is usable (cold: nothing of it is in memory; with what was open last), memory and
CPU while nothing happens."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import time

from figures import ROOT, row

STARTS = 5
SETTLE_SECONDS = 3
IDLE_SECONDS = 10


def environment(folder, display):
    chosen = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=f"{folder}/config", XDG_DATA_HOME=f"{folder}/data")
    runtime = f"{folder}/runtime"
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    chosen["XDG_RUNTIME_DIR"] = runtime
    chosen["QT_QPA_PLATFORM"] = "xcb" if display else "offscreen"
    if display:
        chosen["DISPLAY"] = display
    return chosen


def start_display():
    """An X server of our own, on a number it picks itself; None where there is no Xvfb."""
    if not shutil.which("Xvfb"):
        return None, None
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[writer], stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as answers:
        number = answers.readline().strip()
    return server, f":{number}" if number else None


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


def main(program, scratch):
    folder = os.path.join(scratch, "window")
    project = os.path.join(folder, "penguins")
    shutil.copytree(os.path.join(ROOT, "resources/examples/penguins"), project, ignore=shutil.ignore_patterns(".sandglass"))
    server, display = start_display()
    try:
        chosen = environment(folder, display)
        where = "" if display else ", offscreen"
        times = []
        for _ in range(STARTS):
            process, seconds = start(program, project, chosen)
            times.append(seconds)
            stop(process)
        row(f"window: start to usable, warm{where}", f"{statistics.median(times) * 1000:.0f} ms", "<= 400 ms")
        times = []
        for _ in range(STARTS):
            process, seconds = start(program, None, chosen)
            times.append(seconds)
            files = mapped_files(process.pid)
            stop(process)
        row(f"window: the same, with what was open last{where}", f"{statistics.median(times) * 1000:.0f} ms", "<= 400 ms")
        times = []
        for _ in range(STARTS):
            forget(files)
            process, seconds = start(program, project, chosen)
            times.append(seconds)
            stop(process)
        row(f"window: start to usable, cold{where}", f"{statistics.median(times) * 1000:.0f} ms", "<= 1000 ms")
        process, _ = start(program, project, chosen)
        time.sleep(SETTLE_SECONDS)
        used = cpu_seconds(process.pid)
        time.sleep(IDLE_SECONDS)
        share = (cpu_seconds(process.pid) - used) / IDLE_SECONDS * 100
        row("window: idle memory (resident)", f"{memory_mb(process.pid, 'Rss'):.0f} MB", "<= 150 MB")
        row("window: idle memory (its own share)", f"{memory_mb(process.pid, 'Pss'):.0f} MB", "-")
        row("window: idle CPU", f"{share:.2f} %", "<= 0.5 %")
        stop(process)
    finally:
        if server:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
