"""Names of the graph's two ends, as in LangGraph."""

import sys

START = sys.intern("__start__")
END = sys.intern("__end__")
TAG_NOSTREAM = sys.intern("nostream")
TAG_HIDDEN = sys.intern("langsmith:hidden")
