"""Names of the graph's two ends, as in LangGraph."""

import sys

START = sys.intern("__start__")
END = sys.intern("__end__")
TAG_NOSTREAM = sys.intern("nostream")
TAG_HIDDEN = sys.intern("langsmith:hidden")


def __getattr__(name):
    if name in ("Send", "Interrupt"):  # their place in older versions
        from langgraph import types

        return getattr(types, name)
    raise AttributeError("module 'langgraph.constants' has no attribute %r" % name)
