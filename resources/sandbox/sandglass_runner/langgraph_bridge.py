"""Where the session has LangGraph installed, its own modules are used. Outside of a graph that the code runs itself,
`interrupt`, `get_config`, `get_stream_writer`, `get_store` and `get_runtime` answer for the host's run."""

import sys

from . import arguments, context, late

_PATCHED = ("langgraph.types", "langgraph.config", "langgraph.runtime")


def install():
    late.install(_PATCHED, _add_to, lambda spec: not _is_shim(spec))


def _is_shim(spec):
    return "/shims/" in (spec.origin or "")


def _inside_graph():
    """Whether the call comes from within a graph that the user's code runs itself."""
    config = sys.modules.get("langchain_core.runnables.config")
    return config is not None and bool(config.var_child_runnable_config.get())


def _add_to(name, module):
    if name == "langgraph.types":
        _choose(module, "interrupt", _interrupt)
    elif name == "langgraph.config":
        _choose(module, "get_config", lambda: context.current.config)
        _choose(module, "get_stream_writer", lambda: context.current.write)
        _choose(module, "get_store", lambda: context.current.store)
    elif name == "langgraph.runtime":
        _choose(module, "get_runtime", lambda context_schema=None: arguments.runtime(context.current, context_schema))


def _choose(module, name, ours):
    theirs = getattr(module, name, None)
    if theirs is None:
        return

    def chosen(*arguments, **keywords):
        if context.current is None or not context.current.live or _inside_graph():
            return theirs(*arguments, **keywords)
        return ours(*arguments, **keywords)

    chosen.__name__ = chosen.__qualname__ = name
    chosen.__doc__ = theirs.__doc__
    setattr(module, name, chosen)


def _interrupt(value, *, response_schema=None):
    from langgraph.errors import GraphInterrupt
    from langgraph.types import Interrupt

    def interrupted(asked, schema):
        return GraphInterrupt((Interrupt(value=asked, response_schema=schema),))

    return context.current.answer(value, response_schema, interrupted)
