"""The long-term store in a node: LangGraph's BaseStore, whose items the host keeps."""

from datetime import date, datetime, time
from enum import Enum
from uuid import UUID

_NOTHING = object()


def for_call(call):
    from langgraph.store import base

    return _store_class(base)(call)


_classes = {}


def _store_class(base):
    """A subclass of the session's own BaseStore: the shim's, or LangGraph's where that is installed."""
    made = _classes.get(base.BaseStore)
    if made is None:
        made = _classes[base.BaseStore] = type("SessionStore", (_Requests, base.BaseStore), {"_base": base})
    return made


class _Requests:
    supports_ttl = True

    def __init__(self, call):
        self._call = call

    def get(self, namespace, key, *, refresh_ttl=None):
        request = {"op": "get", "namespace": _labels(namespace), "key": str(key)}
        return self._item(self._base.Item, self._ask(request, refresh=refresh_ttl))

    def put(self, namespace, key, value, index=None, *, ttl=_NOTHING):
        _labels_of_item(self._base, namespace)
        request = {"op": "put", "namespace": _labels(namespace), "key": str(key), "value": plain(dict(value))}
        if ttl is not _NOTHING and ttl is not self._base.NOT_PROVIDED:
            request["ttl"] = ttl
        self._ask(request)

    def delete(self, namespace, key):
        self._ask({"op": "put", "namespace": _labels(namespace), "key": str(key), "value": None})

    def search(self, namespace_prefix, /, *, query=None, filter=None, limit=10, offset=0, refresh_ttl=None):
        request = {"op": "search", "prefix": _labels(namespace_prefix), "limit": limit, "offset": offset}
        if filter:
            request["filter"] = plain(dict(filter))
        found = self._ask(request, refresh=refresh_ttl)
        return [self._item(self._base.SearchItem, item) for item in found]

    def list_namespaces(self, *, prefix=None, suffix=None, max_depth=None, limit=100, offset=0):
        request = {"op": "list", "limit": limit, "offset": offset, "max_depth": max_depth}
        request.update(prefix=_labels(prefix or ()), suffix=_labels(suffix or ()))
        return [tuple(labels) for labels in self._ask(request)]

    def batch(self, ops):
        """Reads and searches see the store as it was before the batch; of several puts of one key the last counts."""
        ops = list(ops)
        results = [None if _is(op, "PutOp") else self._one(op) for op in ops]
        last = {(tuple(op.namespace), op.key): op for op in ops if _is(op, "PutOp")}
        for op in last.values():
            if op.value is None:
                self.delete(op.namespace, op.key)
            elif getattr(op, "ttl", None) is None:
                self.put(op.namespace, op.key, op.value)
            else:
                self.put(op.namespace, op.key, op.value, ttl=op.ttl)
        return results

    def _one(self, op):
        refresh = getattr(op, "refresh_ttl", None)
        if _is(op, "GetOp"):
            return self.get(op.namespace, op.key, refresh_ttl=refresh)
        if _is(op, "SearchOp"):
            keywords = {"filter": op.filter, "limit": op.limit, "offset": op.offset, "refresh_ttl": refresh}
            return self.search(op.namespace_prefix, **keywords)
        if _is(op, "ListNamespacesOp"):
            paths = {c.match_type: c.path for c in op.match_conditions or ()}
            keywords = {"max_depth": op.max_depth, "limit": op.limit, "offset": op.offset}
            return self.list_namespaces(prefix=paths.get("prefix"), suffix=paths.get("suffix"), **keywords)
        raise ValueError("Unknown operation: %r" % (op,))

    async def aget(self, *arguments, **keywords):
        return self.get(*arguments, **keywords)

    async def aput(self, *arguments, **keywords):
        self.put(*arguments, **keywords)

    async def adelete(self, *arguments, **keywords):
        self.delete(*arguments, **keywords)

    async def asearch(self, *arguments, **keywords):
        return self.search(*arguments, **keywords)

    async def alist_namespaces(self, **keywords):
        return self.list_namespaces(**keywords)

    async def abatch(self, ops):
        return self.batch(ops)

    def _ask(self, request, refresh=None):
        if refresh is not None:
            request["refresh"] = bool(refresh)
        return self._call.ask("store", request)

    def _item(self, cls, told):
        if told is None:
            return None
        return cls(
            namespace=tuple(told["namespace"]),
            key=told["key"],
            value=told["value"],
            created_at=_time(told["created_at"]),
            updated_at=_time(told["updated_at"]),
        )


def _is(op, name):
    return type(op).__name__ == name


def _labels(namespace):
    if isinstance(namespace, str):
        raise TypeError("a namespace is a tuple of labels, such as ('memories', 'alice'), not text")
    return [label for label in namespace]


def _labels_of_item(base, namespace):
    check = getattr(base, "_validate_namespace", None)
    if check is not None:
        check(tuple(namespace))


def _time(text):
    return datetime.fromisoformat(text) if text else None


def plain(value):
    """The value as JSON holds it; dates and the like in the forms of LangGraph's own store."""
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, Enum):
        return value
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError("Dict key must be str")
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return plain(value.value)
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in type(value).__dataclass_fields__}
    raise TypeError("Type is not JSON serializable: %s" % type(value).__name__)
