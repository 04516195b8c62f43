"""A project that saves files of every kind, and how a test reaches it beside the window."""

import json
import os
import subprocess
import tempfile

from window_case import BIN

GRAPH = {
    "format": 1,
    "name": "files",
    "state": {"count": {"type": "last_value"}},
    "sandbox": {"idle_timeout_s": 1800},
    "nodes": [{"name": "write", "kind": "python", "file": "nodes/write.py"}],
    "edges": [["__start__", "write"], ["write", "__end__"]],
}
# Two files of one name, one that is too large to be copied at the press of a button, one with a name for nobody.
WRITE = """
import os

def node(state, config):
    root = '/session/artifacts'
    for folder in ('a', 'b'):
        os.makedirs(f'{root}/{folder}', exist_ok=True)
        with open(f'{root}/{folder}/plot.txt', 'w') as file:
            file.write(folder * 100)
    with open(f'{root}/large.bin', 'wb') as file:
        file.write(os.urandom(1 << 20) * 12)
    with open(f'{root}/COM1.txt', 'w') as file:
        file.write('named like a device')
    for i in range(state.get('count') or 0):
        with open(f'{root}/many-{i:03}.txt', 'w') as file:
            file.write(f'file {i}')
    print('\\x1b[31mred\\x1b[0m words')
    return {'count': 0}
"""


def project_with_files():
    folder = tempfile.mkdtemp(prefix="sandglass-files-")
    os.makedirs(os.path.join(folder, "nodes"))
    with open(os.path.join(folder, "files.graph.json"), "w", encoding="utf-8") as file:
        json.dump(GRAPH, file)
    with open(os.path.join(folder, "nodes", "write.py"), "w", encoding="utf-8") as file:
        file.write(WRITE)
    os.chmod(folder, 0o755)
    return folder


def sandglass(*arguments, check=True):
    return subprocess.run([os.path.join(BIN, "sandglass"), *arguments], capture_output=True, text=True, check=check)


def mouse(*words):
    subprocess.run(["xdotool", *words], check=True)
