"""Calls a node's function as LangGraph does: with the state, then with what its parameters ask for by name."""


def invoke(function, state, call):
    if not hasattr(function, "__code__") and hasattr(function, "invoke"):
        return function.invoke(state, call.config)
    positional, keywords = _parameters(function)
    given = {name: _ASKED[name](call, function) for name in keywords if name in _ASKED}
    lacking = []
    for name, required in positional[1:]:
        if name in _ASKED:
            given[name] = _ASKED[name](call, function)
        elif required:
            lacking.append(name)
    if "error" in lacking or "error" in keywords or ("error", False) in positional[1:]:
        if _is_annotated_as_error(function):
            given["error"] = _node_error(call)
            lacking = [name for name in lacking if name != "error"]
    if lacking and call.failed is None:
        given[lacking.pop(0)] = call.config
    elif lacking:
        raise TypeError(
            "%s() has a parameter '%s' that an error handler is given nothing for: LangGraph calls it with the state, and "
            "with the failure where it has one 'error: NodeError' (from langgraph.errors)" % (_name(function), lacking[0])
        )
    return function(state, **given)


def _name(function):
    return getattr(function, "__name__", type(function).__name__)


def _is_annotated_as_error(function):
    import inspect

    annotation = inspect.signature(function).parameters["error"].annotation
    place = (getattr(annotation, "__module__", ""), getattr(annotation, "__name__", ""))
    return annotation == "NodeError" or place == ("langgraph.errors", "NodeError")


def _node_error(call):
    """None in a node that handles no error, as in LangGraph."""
    if call.failed is None:
        return None
    from langgraph.errors import NodeError

    return NodeError(node=call.failed[0], error=call.failed[1])


def runtime(call, context_class=None):
    """LangGraph's Runtime: that of the session's installed LangGraph, if any, which may have fewer fields than ours."""
    from langgraph import runtime as module

    fields = {"context": _context(call, context_class), "store": call.store, "stream_writer": call.write}
    if "execution_info" in module.Runtime.__dataclass_fields__ and hasattr(module, "ExecutionInfo"):
        fields["execution_info"] = _execution_info(call, module.ExecutionInfo)
    return module.Runtime(**fields)


def _execution_info(call, cls):
    place = call.config.get("configurable", {})
    told = {
        "checkpoint_id": call.run.get("checkpoint_id"),
        "checkpoint_ns": place.get("checkpoint_ns", ""),
        "task_id": place.get("checkpoint_ns", "").rpartition(":")[2],
        "thread_id": place.get("thread_id"),
        "run_id": call.config.get("run_id"),
        "node_attempt": call.run.get("attempt", 1),
    }
    return cls(**{name: value for name, value in told.items() if name in cls.__dataclass_fields__})


def _context(call, cls):
    """Converts the context as LangGraph does for a context_schema: a dict becomes the dataclass or model that is asked for."""
    given = call.run.get("context")
    if isinstance(given, dict) and isinstance(cls, type):
        if hasattr(cls, "__dataclass_fields__") or hasattr(cls, "model_construct"):
            return cls(**given)
    return given


def _context_class(function):
    """`Context` from a parameter `runtime: Runtime[Context]`."""
    import typing

    try:
        annotation = typing.get_type_hints(getattr(function, "__wrapped__", function)).get("runtime")
    except Exception:  # names that only a type checker knows
        return None
    return (getattr(annotation, "__args__", ()) or (None,))[0]


_ASKED = {
    "config": lambda call, _function: call.config,
    "writer": lambda call, _function: call.write,
    "store": lambda call, _function: call.store,
    "previous": lambda call, _function: None,
    "runtime": lambda call, function: runtime(call, _context_class(function) if call.run.get("context") else None),
}


def _parameters(function):
    """([(positional name, required)], [keyword-only names])."""
    code = getattr(function, "__code__", None)
    if code is not None and type(function).__name__ == "function" and not hasattr(function, "__wrapped__"):
        names = code.co_varnames[: code.co_argcount]
        optional = len(function.__defaults__ or ())
        positional = [(n, i < len(names) - optional) for i, n in enumerate(names)]
        keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        return positional, keywords
    import inspect

    kinds = inspect.Parameter
    parameters = inspect.signature(function).parameters.values()
    positional = [
        (p.name, p.default is kinds.empty)
        for p in parameters
        if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    keywords = [p.name for p in parameters if p.kind is kinds.KEYWORD_ONLY]
    return positional, keywords
