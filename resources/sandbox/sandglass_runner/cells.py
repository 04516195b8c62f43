"""Cells: code executed in the session's own namespace, as at a Python prompt."""

import sys

from . import display, figures, late, own_changes

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST and ast.PyCF_ALLOW_TOP_LEVEL_AWAIT; importing ast would take 7 ms at each start
_TOP_LEVEL_AWAIT = 0x2000
_COROUTINE = 0x80
_SOURCES = 1000


class Cells:
    def __init__(self, namespace, loop):
        self._namespace = namespace
        self._loop = loop
        self._count = 0
        self._sources = []

    def run(self, message):
        self._count += 1
        code = message["code"]
        filename = message.get("filename") or "<cell %d>" % self._count
        remember(filename, code, self._sources)
        try:
            value = self._execute(code, filename)
        except Exception:
            figures.flush(display.emit)
            raise
        shown = None if value is None or code.rstrip().endswith(";") else display.bundle(value)
        figures.flush(display.emit, value if shown else None)
        return {"result": shown} if shown else {}

    def _execute(self, code, filename):
        """Executes all statements; returns the value of the last one if it is an expression."""
        expression = _one_expression(code, filename)
        if expression is not None:
            return self._run_code(expression)
        from _ast import Expr, Expression  # 1 ms: not of a session's start

        tree = _tree(code, filename)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, Expr):
            self._run_code(compile(tree, filename, "exec", _TOP_LEVEL_AWAIT, True))
            return None
        if len(tree.body) > 1:
            del tree.body[-1]
            self._run_code(compile(tree, filename, "exec", _TOP_LEVEL_AWAIT, True))
        return self._run_code(compile(Expression(last.value), filename, "eval", _TOP_LEVEL_AWAIT, True))

    def _run_code(self, code):
        _imported.update(name for name in code.co_names if "." in name)
        own_changes.note(code)
        value = eval(code, self._namespace)
        if code.co_flags & _COROUTINE:
            return self._loop.run(value)
        return value


def _tree(code, filename):
    def compiled(text):
        return compile(text, filename, "exec", _ONLY_AST | _TOP_LEVEL_AWAIT, True)

    try:
        return compiled(code)
    except SyntaxError:
        if not display.serves_e2b:
            raise
    from . import magics

    return magics.plain(code, compiled)


def _one_expression(code, filename):
    """Compiles a cell that is likely to be one expression in one pass instead of two; None where it is none."""
    if "\n" in code or "=" in code or code[:1].isspace():
        return None
    try:
        return compile(code, filename, "eval", _TOP_LEVEL_AWAIT, True)
    except (SyntaxError, ValueError):
        return None  # statements, or an error that the full compilation reports


def imported_parts(package):
    """Modules of a package that cells imported by name: importing the package alone may not load them."""
    return sorted(name for name in _imported if name.startswith(package + ".") and name in sys.modules)


def import_part(name):
    __import__(name)
    _imported.add(name)


_imported = set()


def remember(filename, source, order):
    """Lets tracebacks show the lines of code that is in no file. The oldest sources are forgotten."""
    linecache = sys.modules.get("linecache")
    kept = _waiting if linecache is None else linecache.cache
    if filename not in kept:
        order.append(filename)
        if len(order) > _SOURCES:
            kept.pop(order.pop(0), None)
    kept[filename] = (len(source), None, source.splitlines(True), filename)


def _hand_over(_name, linecache):
    linecache.cache.update(_waiting)
    _waiting.clear()


_waiting = {}  # until something imports linecache, which takes as long as importing all of this folder
late.install(("linecache",), _hand_over)


class Loop:
    """An event loop for `await` in cells and for async nodes, made on first use and kept."""

    def __init__(self):
        self._loop = None

    def run(self, awaitable):
        import asyncio

        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(awaitable)

    def fds(self):
        """The loop's own pair of sockets."""
        if self._loop is None or self._loop.is_closed():
            return set()
        return {end.fileno() for end in (getattr(self._loop, "_ssock", None), getattr(self._loop, "_csock", None)) if end}

    def renew(self, renewed):
        """Called in a woken copy: renews what the loop waits with, which was shared with the interpreter that was copied."""
        if self._loop is None or self._loop.is_closed():
            return
        try:
            renewed(self._loop)
        except Exception:  # another kind of event loop: the next `await` makes a new one
            self._loop = None
