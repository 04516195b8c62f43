"""Adds to modules once the user's code imports them, without importing them itself."""

import sys


class Late:
    """A finder that lets other finders find the named modules and then calls `add(name, module)`."""

    def __init__(self, names, add, wants=lambda spec: True):
        self._names = names
        self._add = add
        self._wants = wants
        self._busy = False

    def find_spec(self, name, path=None, target=None):
        if self._busy or name not in self._names:
            return None
        import importlib.util

        self._busy = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy = False
        # The loader of a module that is built in is a class, which loads all of those.
        if spec is not None and spec.loader is not None and not isinstance(spec.loader, type) and self._wants(spec):
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self._add(name, module)

            spec.loader.exec_module = exec_module
        return spec


def install(names, add, wants=lambda spec: True):
    sys.meta_path.insert(0, Late(names, add, wants))
