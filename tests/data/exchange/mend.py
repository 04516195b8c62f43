from langgraph.errors import NodeError


def mend(state, error: NodeError):
    return {"log": [str(error.error)]}
