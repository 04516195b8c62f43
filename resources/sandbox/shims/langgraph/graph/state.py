"""Classes that build graphs are missing here: the graph file does that."""

from sandglass_runner.absent import says_what_to_do

__getattr__ = says_what_to_do(
    "langgraph.graph", "langgraph", "the graph file holds the graph, a node's file only its function"
)
