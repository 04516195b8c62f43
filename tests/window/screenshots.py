#!/usr/bin/python3
"""screenshots.py BIN [FOLDER]: makes the pictures of the README, in a display of its own: start page, the penguins sample
done (light) and a failed run (dark). FOLDER: resources/screenshots."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import window_driver  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))


def crop(path):
    """Cuts the window manager's frame off and keeps few colours: a README picture is small."""
    subprocess.run(["convert", path, "-crop", "1600x990+1+22", "+repage", "-colors", "200", "PNG8:" + path], check=True)


def copied(example):
    target = os.path.join(tempfile.mkdtemp(), example)
    shutil.copytree(os.path.join(ROOT, "resources", "examples", example), target,
                    ignore=shutil.ignore_patterns(".sandglass"))
    return target


def failing_project():
    """The penguins with a node that does not find its column."""
    project = copied("penguins")
    path = os.path.join(project, "nodes", "analyze.py")
    with open(path, encoding="utf-8") as file:
        source = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(source.replace("def node(", "def measure(table):\n    return table['wing_length_mm'].mean()\n\n\ndef node(", 1)
                   .replace("\"\"\"\n", "\"\"\"\n", 1))
    lines = open(path, encoding="utf-8").read().splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith("def node("):
            lines.insert(number + 1, "    raise KeyError('wing_length_mm')\n")
            break
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return project


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "sandglass-workbench")
    folder = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(ROOT, "resources", "screenshots")
    os.makedirs(folder, exist_ok=True)

    def shot(name):
        path = os.path.join(folder, name)
        time.sleep(1.5)
        window.picture(path)
        crop(path)
        print(path)

    with window_driver.Window(program, "--theme", "light") as window:
        window.need("Open sample", "button")
        shot("start-light.png")
    with window_driver.Window(program, "--theme", "light", copied("penguins")) as window:
        window.need("visualize", contains=True)
        time.sleep(1)
        window.press("Run", "button")
        window.need("visualize, python node, done", contains=True, wait=90)
        time.sleep(2)
        shot("penguins-light.png")
    with window_driver.Window(program, "--theme", "dark", failing_project()) as window:
        window.need("visualize", contains=True)
        time.sleep(1)
        window.press("Run", "button")
        window.need("analyze, python node, failed", contains=True, wait=90)
        time.sleep(2)
        shot("failed-dark.png")


if __name__ == "__main__":
    window_driver.enter_display(1602, 1041)
    main()
