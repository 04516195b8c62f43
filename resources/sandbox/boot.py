"""Starts the runner where nothing can be mounted: its files come over standard input, or in a file, see PROTOCOL.md.

This text is given to `python3 -c` as it is."""

import json
import os
import sys
from importlib.machinery import ModuleSpec


def received(source):
    def exactly(size):
        parts = []
        while size:
            part = os.read(source, min(size, 1 << 20))
            if not part:
                sys.exit("the stream ended before the runner had arrived")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    size = int.from_bytes(exactly(4), "big")
    if size > 1 << 26:
        sys.exit("not a runner: %d bytes" % size)
    return json.loads(exactly(size))


def bundled(path):
    """The runner in a file, which is removed. Its entries with absolute paths are files to be written, in base64."""
    source = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    files = received(source)
    os.close(source)
    os.unlink(path)
    for target in [name for name in files if name.startswith("/")]:
        import binascii

        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(binascii.a2b_base64(files.pop(target)))
    return files


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


if sys.argv[1:2] == ["--bundle"]:
    sys.meta_path.append(Files(bundled(sys.argv[2])))
    del sys.argv[1:3]
else:
    sys.meta_path.append(Files(received(0)))

from sandglass_runner.main import run  # noqa: E402

run()
