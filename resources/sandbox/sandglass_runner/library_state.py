"""What the session's code has changed in libraries: plain values and objects that it set there, containers that it filled, and what
was set by functions that register, enable or set something. It is written out beside the names, and put back where a fresh
interpreter has something else.

To compare all attributes of all modules takes longer than a step. So only modules that the code names are looked at: attributes
that it names or sets, and globals that such functions name. What compiled functions of libraries have set cannot be asked: they
are told as lost."""

import re
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from . import noted_calls

SCOPE = "<libraries>"
_GONE = "<gone>"  # ends the path of an attribute that was removed
_MODULES = "modules[]"
_ATOMS = (type(None), bool, int, float, complex, str, bytes)
_CONTAINERS = (list, dict, set, bytearray)
_SETS = re.compile(r"_?(un|de)?(set|add|register|install|enable|disable|capture|bind|remove|use|text)", re.ASCII)
_COMPILED_SETS = re.compile(r"(set|register|enable|disable)_")
_OF_FUNCTIONS = ("__code__", "__defaults__", "__kwdefaults__", "__doc__")
_DEPTH = 2  # functions of the same module that such a function calls
_MOST_OF_ONE = 400  # attributes of a module that are looked at where code may set any
_NOT = {  # kept by other means, or of the interpreter's own
    "sys": frozenset(
        "argv path path_hooks path_importer_cache meta_path modules stdin stdout stderr displayhook excepthook unraisablehook"
        " dont_write_bytecode last_type last_value last_traceback last_exc breakpointhook orig_argv warnoptions".split()
    ),
    "os": frozenset(("environ", "environb")),
    "warnings": frozenset(("filters", "onceregistry", "showwarning", "formatwarning")),
    "random": frozenset(("_inst",)),
    "threading": frozenset(("excepthook",)),
    "copyreg": frozenset(("dispatch_table",)),
    "linecache": frozenset(("cache",)),
    "mimetypes": frozenset(("_db", "inited", "types_map", "common_types", "encodings_map", "suffix_map")),
}
_NOTHING = frozenset()
_NOT_LOOKED_AT = ("__main__", "builtins", "__future__", "typing", "types")

_looked = {}
_setters = {}  # {type: its methods that may set something}
_plain_keys = {}  # {module: (how many attributes it has, those that are plain)}
_touched = {}  # {function: [(module, global)] that it sets, or may}


def told(users, traces, lost):
    """{module: {path: value}}. `users`: {name: module} of the session's own; what cannot be kept is added to `lost`."""
    found, failed = noted_calls.told(users)
    lost.extend(failed)
    for name, module in _named(users, traces):
        if not isinstance(module, ModuleType):
            found[name] = {("sys", _MODULES, name): module}
            continue
        try:
            looked = _Look(name, module.__dict__, traces, users, lost).found
        except Exception as error:  # whatever objects of the user's own do when they are looked at
            lost.append((name, error))
            continue
        for path, value in looked.items():
            found.setdefault(path[0], {})[path] = value
    return found


def _named(users, traces):
    """[(name, module)] of those that the code names, or put into sys.modules."""
    newest = next(reversed(sys.modules))
    seen = len(sys.modules), newest, len(traces.named), tuple(users)
    if _looked.get("seen") != seen:
        _looked.update(seen=seen, found=[each for each in list(sys.modules.items()) if _is_named(*each, users, traces)])
    return _looked["found"]


def _is_named(name, module, users, traces):
    if name in users or name in _NOT_LOOKED_AT or module is sys.modules["__main__"] or name.startswith("sandglass_runner"):
        return False
    if not isinstance(module, ModuleType):
        return type(module).__module__ in ("types", *users)
    return name in traces.named or name.rpartition(".")[2] in traces.named


class _Look:
    """At one module that the code names."""

    def __init__(self, name, names, traces, users, lost):
        self.found = {}
        self._name, self._names, self._users = name, names, users
        self._but = _NOT.get(name, _NOTHING)
        self._traces = traces
        self._last = name.rpartition(".")[2]
        self._look_at_set()
        named = traces.named.intersection(names) if len(traces.named) > len(names) else [k for k in traces.named if k in names]
        for key in named:
            self._look_at_named(key, names[key], lost)
        if traces.is_dynamic and name != "sys" and len(names) < _MOST_OF_ONE:
            self._look_at_all()

    def _keep(self, key, value):
        if key not in self._but and key[:2] != "__":
            self.found[(self._name, key)] = value

    def _look_at_set(self):
        for key in self._traces.set:
            if key in self._names:
                value = self._names[key]
                if type(value) in _ATOMS or (self._is_meant(key) and not self._is_own(key, value)):
                    self._keep(key, value)
            elif key in self._traces.deleted and key not in self._but:
                self.found[(self._name, key, _GONE)] = None

    def _is_meant(self, key):
        """It is set on a name of the module's."""
        holders = self._traces.holders.get(key, _NOTHING)
        if self._last in holders or self._name in holders:
            return True
        return any(not holders.isdisjoint(self._traces.aliases.get(known, ())) for known in (self._last, self._name))

    def _is_own(self, key, value):
        """It is defined there, or comes back with what the user's code defines."""
        if isinstance(value, ModuleType):
            return True
        if type(value) is not FunctionType and not isinstance(value, type):
            return False
        return value.__module__ in self._users or (value.__module__ == self._name and value.__qualname__ == key)

    def _look_at_named(self, key, value, lost):
        kind = type(value)
        if kind.__module__ in self._users:
            return  # to look into it would call its own methods
        if key in self._traces.attributes and not isinstance(value, (type, ModuleType)):
            self._look_at_object(key, value)
        if kind in _CONTAINERS:
            if self._name != "sys":
                self._keep(key, value)
        elif isinstance(value, type):
            self._look_at_class(value)
        elif kind is BuiltinFunctionType:
            if _COMPILED_SETS.match(key) and _is_of_library(value):
                lost.append((self._name + "." + key, RuntimeError("what this compiled function has set cannot be asked")))
        elif kind is FunctionType or kind is MethodType:
            if _SETS.match(key):
                self._look_behind(value)
            for attribute in self._traces.named.intersection(_OF_FUNCTIONS) if kind is FunctionType else ():
                self.found[(self._name, key, attribute)] = getattr(value, attribute)
        elif kind not in _ATOMS and not _setters_of(kind).isdisjoint(self._traces.named):
            self._keep_parts(self._name, key, value)

    def _look_at_object(self, key, value):
        if getattr(value, "__module__", self._name) in self._users:
            return  # it comes back with what the user's code defines
        for attribute in self._traces.attributes[key]:
            if attribute in getattr(value, "__dict__", ()) or (attribute in _OF_FUNCTIONS and type(value) is FunctionType):
                self.found[(self._name, key, attribute)] = getattr(value, attribute)

    def _look_at_class(self, value):
        """Whichever of its library's modules it was reached by, it is named by the one that defines it."""
        home, key, members = value.__module__, value.__qualname__, value.__dict__
        if home in self._users or getattr(sys.modules.get(home), key, None) is not value:
            return
        for inner in self._traces.set.intersection(members):
            if type(members[inner]) in _ATOMS or type(members[inner]) in _CONTAINERS or self._holds_users(members[inner]):
                self.found[(home, key, inner)] = members[inner]
        for inner in self._traces.deleted.difference(members):
            if value.__name__ in self._traces.holders.get(inner, _NOTHING):
                self.found[(home, key, inner, _GONE)] = None

    def _holds_users(self, value):
        """An object of a library's that stands for a function or class of the user's."""
        inner = getattr(value, "__dict__", None)
        if type(inner) is not dict or isinstance(value, (FunctionType, type)):
            return False
        return any(getattr(part, "__module__", None) in self._users for part in inner.values() if isinstance(part, (FunctionType, type)))

    def _look_behind(self, function):
        if type(function) is MethodType:
            home = sys.modules.get(type(function.__self__).__module__)
            for key, value in list(home.__dict__.items()) if home else ():
                if value is function.__self__ and not isinstance(value, type):
                    self._keep_parts(home.__name__, key, value)
            return
        if function not in _touched:
            _touched[function] = _globals_of(function, _DEPTH)
        home, names = function.__module__, function.__globals__
        if names.get("__name__") != home:
            return
        for key in _touched[function][0]:
            if key in names and key not in _NOT.get(home, _NOTHING) and not isinstance(names[key], ModuleType):
                self.found[(home, key)] = names[key]
        for key, attributes in _touched[function][1].items():
            holder = names.get(key)
            if isinstance(holder, ModuleType):
                set_there = attributes.intersection(holder.__dict__)
                self.found.update(((holder.__name__, inner), holder.__dict__[inner]) for inner in set_there)
            else:
                self._keep_parts(home, key, holder)

    def _keep_parts(self, module, key, value):
        for inner, part in list(getattr(value, "__dict__", {}).items()):
            if type(part) in _ATOMS or type(part) in _CONTAINERS:
                self.found[(module, key, inner)] = part

    def _look_at_all(self):
        known = _plain_keys.get(self._name)
        if known is None or known[0] != len(self._names):
            known = len(self._names), [k for k, v in self._names.items() if type(v) in _ATOMS and type(k) is str and k[:2] != "__"]
            _plain_keys[self._name] = known
        for key in known[1]:
            if key in self._names and type(self._names[key]) in _ATOMS:
                self._keep(key, self._names[key])


def _setters_of(kind):
    if kind not in _setters:
        _setters[kind] = frozenset(filter(_SETS.match, dir(kind)))
    return _setters[kind]


def _is_of_library(function):
    module = (function.__module__ or "").partition(".")[0]
    return module not in sys.builtin_module_names and module not in getattr(sys, "stdlib_module_names", (module,))


def _globals_of(function, depth):
    """Names of its module's globals that it sets or may fill, and of those whose attributes it sets."""
    from .code_traces import Traces, globals_set

    code, names, traces = function.__code__, function.__globals__, Traces()
    traces.add(code)
    found = {key for key in code.co_names if type(names.get(key)) in _CONTAINERS and key[:2] != "__"}
    found.update(globals_set(code))
    holders = {key: set(attributes) for key, attributes in traces.attributes.items() if key in code.co_names and key in names}
    for key in code.co_names if depth else ():
        inner = names.get(key)
        if type(inner) is FunctionType and inner.__globals__ is names:
            inner_found, inner_holders = _globals_of(inner, depth - 1)
            found |= inner_found
            for holder, attributes in inner_holders.items():
                holders.setdefault(holder, set()).update(attributes)
    return found, holders


# --- back ---


class Restored(dict):
    """{module: {path: value}}, or {module.path: value} of a single one. All are there before the first is put back: to read others
    may import what has them."""

    def finish(self):
        """[(name, error)] of what could not be put back."""
        failed = []
        for state in self.values():
            for path, value in state.items():
                try:
                    _put_back(path, value)
                except BaseException as error:  # another version of the library, or code of the user's own in its place
                    failed.append((".".join(path), error))
        return failed


def _put_back(path, value):
    module, *inner = path
    __import__(module)
    if inner[0] == _MODULES:
        sys.modules[inner[1]] = value
        return
    if inner[0].endswith(noted_calls.CALL):
        noted_calls.call_again(module, inner[0], value)
        return
    is_gone = inner[-1] == _GONE
    *way, last = inner[:-1] if is_gone else inner
    holder = sys.modules[module]
    for part in way:
        holder = getattr(holder, part)
    now = holder.__dict__.get(last, _GONE)
    if is_gone:
        if now is not _GONE:
            delattr(holder, last)
    elif type(now) is type(value) and type(value) in _CONTAINERS:
        _fill(now, value)
    elif now is _GONE or (now is not value and (type(now) is not type(value) or now != value)):
        setattr(holder, last, value)


def _fill(now, value):
    """The library itself may hold that very container."""
    if type(now) is dict:
        for key in [key for key in now if key not in value]:
            del now[key]
        for key, each in value.items():
            if key not in now or (now[key] is not each and now[key] != each):
                now[key] = each
    elif type(now) is set:
        now.intersection_update(value)
        now.update(value)
    elif now != value:
        now[:] = value
