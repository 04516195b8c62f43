"""Node files: each has a module of its own, executed once per text; all share the session's names.

Names bound by a file's own top level belong to that file, so that two files may both have a `clean` or a `COLUMNS`. All other
names are the session's: before a call they are made visible in the file's module, and after it the names that the code left (by
`global`) are copied to the session. Cells can read a file's own names."""

import os
import sys
from types import ModuleType

from . import arguments, context, own_changes, project_modules, raised, values
from .cells import remember

# Names that each module has for itself.
_HIDDEN = frozenset(
    ("__builtins__", "__name__", "__file__", "__doc__", "__loader__", "__spec__", "__package__", "__cached__", "__path__")
    + ("__annotations__", "__annotate__", "__annotate_func__", "__conditional_annotations__", "__warningregistry__")
)


class NodeFile:
    def __init__(self, module, source):
        self.module = module
        self.source = source
        self.own = _HIDDEN
        self.seen = {}


class Nodes:
    def __init__(self, namespace, loop, emit, ask):
        self._namespace = namespace
        self._loop = loop
        self._emit = emit
        self._ask = ask
        self._files = {}
        self._sources = []

    def run(self, message):
        node_file = self._loaded(message)
        state = values.loads(message["state"])
        config = (values.loads(message["config"]) if message.get("config") else None) or {}
        answers = values.loads(message["resume"]) if message.get("resume") else []
        asks = self._ask if "store" in (message.get("asks") or ()) else None
        call = context.Call(config, answers, self._emit, asks, config.pop("run", None))
        if message.get("failed"):
            call.failed = (message["failed"]["node"], raised.built(message["failed"]))
        context.current = call
        before = self._before(node_file) if message.get("keep") else None
        try:
            reply = {"update": self._called(node_file, message.get("function") or "node", state, call)}
            if before is not None:
                reply["kept"] = self._keep(message["keep"], before)
            return reply
        except Exception as error:
            asked = _interrupts_of(error)
            if asked is None:
                raise
            schemas = [getattr(i, "response_schema", None) for i in asked]
            reply = {"status": "interrupt", "interrupts": values.dumps([i.value for i in asked], "interrupt")}
            if any(s is not None for s in schemas):
                reply["schemas"] = values.dumps(schemas, "interrupt schema")
            return reply
        finally:
            call.live = False
            self._ask.settle()
            message["answered"] = call.asked

    def _before(self, node_file):
        from . import kept_names

        return kept_names.Before(self._namespace, self._files, node_file.source, node_file.module.__file__)

    def _keep(self, path, before):
        """Writes the names that the call has set, or whose objects it has changed, to a file, and returns them."""
        from . import kept_names

        names = before.changed(_HIDDEN)
        if names:
            kept_names.write(path, names, self._namespace, self._files)
        return names

    def adopt(self, message):
        """Sets the names that a task has kept which ran in a process of its own."""
        from . import kept_names

        node_file = self._loaded(message)
        names = kept_names.read(message["path"], self._namespace, self)
        for name in names:
            if name in node_file.own:
                node_file.module.__dict__[name] = self._namespace[name]
        self.show_session()

    def files(self):
        """{file: NodeFile} of all files that were executed."""
        return self._files

    def sources(self):
        return {name: node_file.source for name, node_file in self._files.items()}

    def forget(self):
        """Forgets all files, as a module that they may have imported has changed: each is executed again when it is called
        next."""
        self._files = {}

    def load(self, name, source, module_name):
        """Executes a file as its first call would, and returns its module's names."""
        self._files[name] = self._executed(name, source, module_name)
        return self._files[name].module.__dict__

    def show_session(self):
        """Shows names that were read back to all files, also to those that are not called first."""
        for node_file in self._files.values():
            self._show_session(node_file)

    def _loaded(self, message):
        name = message.get("file") or "<node>"
        source = message["source"]
        node_file = self._files.get(name)
        if node_file is None or node_file.source != source:
            node_file = self._executed(name, source, message.get("module") or _module_name(name))
            self._files[name] = node_file
        return node_file

    def _executed(self, name, source, module_name):
        remember(name, source, self._sources)
        code = compile(source, name, "exec", 0, True)
        own_changes.note(code)
        imported = _imported(name, source, module_name)
        if imported is not None:
            return imported
        module = ModuleType(module_name)
        module.__file__ = name
        node_file = NodeFile(module, source)
        self._show_session(node_file)
        before = dict(module.__dict__)
        previous = sys.modules.get(module_name)
        sys.modules[module_name] = module  # dataclasses and pickle look classes up by their module's name
        try:
            exec(code, module.__dict__)
        except BaseException:
            if previous is None:
                sys.modules.pop(module_name, None)
            else:
                sys.modules[module_name] = previous
            raise
        names = module.__dict__
        changed = [n for n in names if n not in before or names[n] is not before[n]]  # also finds `from x import *`
        node_file.own = _HIDDEN.union(bound_names(code), changed)
        self._publish(node_file)
        return node_file

    def _called(self, node_file, function_name, state, call):
        function = node_file.module.__dict__.get(function_name)
        if function_name not in node_file.own or not callable(function):
            raise AttributeError(
                "%s defines no function '%s'; write: def %s(state, config)"
                % (node_file.module.__file__, function_name, function_name)
            )
        self._show_session(node_file)
        try:
            update = arguments.invoke(function, state, call)
            if hasattr(update, "__await__"):
                update = self._loop.run(_awaited(update))
        finally:
            self._publish(node_file)
        return values.dumps_update(update)

    def _show_session(self, node_file):
        own = node_file.own
        names = node_file.module.__dict__
        for gone in [n for n in node_file.seen if n not in self._namespace]:
            names.pop(gone, None)
        seen = {n: v for n, v in self._namespace.items() if n not in own}
        names.update(seen)
        node_file.seen = seen

    def _publish(self, node_file):
        names = node_file.module.__dict__
        seen = node_file.seen
        shared = self._namespace
        for name, value in names.items():
            if name in node_file.own:
                if not _is_of_its_module(name):
                    shared[name] = value
            elif name not in seen or seen[name] is not value:
                shared[name] = value
        for name in seen:
            if name not in names:
                shared.pop(name, None)  # the code deleted it


def _is_of_its_module(name):
    """True for what a file says about itself, such as `__all__` at its top level."""
    return name in _HIDDEN or (isinstance(name, str) and name.startswith("__") and name.endswith("__"))


def _imported(file, source, module_name):
    """The module of a file that other code has imported already, so that its classes are the same for all."""
    path = project_modules.path_of(file)
    module = sys.modules.get(module_name)
    if path is None or getattr(module, "__file__", None) != path or not project_modules.is_imported(path, source):
        return None
    node_file = NodeFile(module, source)
    node_file.own = frozenset(module.__dict__).union(_HIDDEN)
    return node_file


def bound_names(code):
    """Names that a file's top level binds, also where the session has the same name with the same value."""
    import opcode

    store = (opcode.opmap["STORE_NAME"], opcode.opmap["STORE_GLOBAL"])
    names = set()
    high = 0
    for i in range(0, len(code.co_code), 2):
        operation, argument = code.co_code[i], high | code.co_code[i + 1]
        high = argument << 8 if operation == opcode.EXTENDED_ARG else 0
        if operation in store:
            names.add(code.co_names[argument])
    return names


async def _awaited(awaitable):
    return await awaitable


def _module_name(file):
    """The file's stem, unless it is the name of an importable module: `json.py` must not replace json."""
    from importlib.util import find_spec

    stem = os.path.splitext(os.path.basename(file))[0]
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in stem) or "node"
    path = project_modules.path_of(file)
    while True:
        loaded = sys.modules.get(name)
        if loaded is not None and getattr(loaded, "__file__", None) in (file, path or file):
            return name
        if loaded is None and getattr(find_spec(name), "origin", path or "") == (path or ""):
            return name
        name += "_"


def _interrupts_of(error):
    for cls in type(error).__mro__:
        if cls.__name__ == "GraphInterrupt" and cls.__module__ == "langgraph.errors":
            asked = error.args[0] if error.args else ()
            return list(asked) if isinstance(asked, (list, tuple)) else None
    return None
