"""What code names and sets, read from its instructions: nothing of it runs, and no module is imported for it."""

import sys
from opcode import EXTENDED_ARG, opmap

_DELETE = opmap["DELETE_ATTR"]
_SET = frozenset((opmap["STORE_ATTR"], _DELETE))
_GLOBAL = frozenset((opmap["STORE_GLOBAL"], opmap["DELETE_GLOBAL"]))
_IMPORTS = frozenset((opmap["IMPORT_NAME"], opmap["IMPORT_FROM"]))
_BINDS = {opmap["STORE_NAME"]: "co_names", opmap["STORE_GLOBAL"]: "co_names", opmap["STORE_FAST"]: "co_varnames"}
_LOADS = {  # table of names, and how far the number of the name is shifted for a flag
    opmap["LOAD_NAME"]: ("co_names", 0),
    opmap["LOAD_FAST"]: ("co_varnames", 0),
    opmap["LOAD_GLOBAL"]: ("co_names", int(sys.version_info >= (3, 11))),
    opmap["LOAD_ATTR"]: ("co_names", int(sys.version_info >= (3, 12))),
}
_ANYTHING = frozenset(("__setattr__", "__dict__", "vars", "exec", "eval", "compile", "monkeypatch"))
_BY_NAME = frozenset(("setattr", "delattr"))
_NO_STEP = frozenset((EXTENDED_ARG, opmap.get("CACHE", EXTENDED_ARG)))


class Traces:
    def __init__(self):
        self.named = set()  # globals, attributes and imported modules
        self.set = set()  # attributes that are set or deleted
        self.deleted = set()
        self.holders = {}  # {attribute that is set: names of what it is set on}
        self.attributes = {}  # the same the other way
        self.aliases = {}  # {what is imported: names that it is imported by}
        self.is_dynamic = False  # it may set attributes whose names stand nowhere

    def add(self, code):
        """Its own instructions, not those of functions in it."""
        self.named.update(code.co_names)
        self.is_dynamic = self.is_dynamic or _is_dynamic(code)
        operations = code.co_code
        if not any(operation in operations for operation in (*_SET, *_IMPORTS)):
            return
        before, argument_before = None, 0
        for operation, argument in _steps(operations):
            if operation in _SET:
                self._add_set(code, operation, argument, before, argument_before)
            elif operation in _BINDS and before in _IMPORTS:
                alias = _named(code, _BINDS[operation], argument)
                self.aliases.setdefault(_named(code, "co_names", argument_before), set()).add(alias)
            before, argument_before = operation, argument

    def _add_set(self, code, operation, argument, before, argument_before):
        name = _named(code, "co_names", argument)
        self.set.add(name)
        if operation == _DELETE:
            self.deleted.add(name)
        if before in _LOADS:
            table, shift = _LOADS[before]
            holder = _named(code, table, argument_before >> shift)
            self.holders.setdefault(name, set()).add(holder)
            self.attributes.setdefault(holder, set()).add(name)


def _is_dynamic(code):
    """setattr() of a method on its own object is not."""
    if not _ANYTHING.isdisjoint(code.co_names):
        return True
    return not _BY_NAME.isdisjoint(code.co_names) and code.co_varnames[:1] not in (("self",), ("cls",))


def globals_set(code):
    """Names of the globals that it sets itself."""
    operations = code.co_code
    if not any(operation in operations for operation in _GLOBAL):
        return set()
    return {_named(code, "co_names", argument) for operation, argument in _steps(operations) if operation in _GLOBAL}


def _steps(operations):
    high = 0
    for at in range(0, len(operations), 2):
        operation, argument = operations[at], high | operations[at + 1]
        high = argument << 8 if operation == EXTENDED_ARG else 0
        if operation not in _NO_STEP:
            yield operation, argument


def _named(code, table, place):
    names = getattr(code, table)
    return names[place] if place < len(names) else ""
