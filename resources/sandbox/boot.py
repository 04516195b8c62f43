"""Starts the runner where nothing can be mounted: the host sends the files over standard input, see PROTOCOL.md.

This text is given to `python3 -c` as it is."""

import json
import os
import sys
from importlib.machinery import ModuleSpec


def received():
    def exactly(size):
        parts = []
        while size:
            part = os.read(0, min(size, 1 << 20))
            if not part:
                sys.exit("the stream ended before the runner had arrived")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    size = int.from_bytes(exactly(4), "big")
    if size > 1 << 24:
        sys.exit("not a runner: %d bytes" % size)
    return json.loads(exactly(size))


class Files:
    """A finder and loader over {path: text}. It comes last on the meta path, so that installed packages win over the shims."""

    def __init__(self, files):
        self._files = files

    def find_spec(self, name, path=None, target=None):
        base = name.replace(".", "/")
        for folder in ("", "shims/"):
            for file, package in ((folder + base + "/__init__.py", True), (folder + base + ".py", False)):
                if file in self._files:
                    return self._spec(name, file, package)
            if any(f.startswith(folder + base + "/") for f in self._files):
                return self._spec(name, None, True)
        return None

    def _spec(self, name, file, package):
        spec = ModuleSpec(name, self, origin=file and "/run/sandglass/" + file, is_package=package)
        spec.loader_state = file
        spec.has_location = bool(file)
        if package:
            spec.submodule_search_locations = []
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.loader_state
        if file:
            exec(compile(self._files[file], module.__spec__.origin, "exec", 0, True), module.__dict__)


sys.meta_path.append(Files(received()))

from sandglass_runner.main import run  # noqa: E402

run()
