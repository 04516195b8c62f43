"""The long-term store's types. Inside a node, `langgraph.config.get_store()` returns a BaseStore."""

from typing import Any, NamedTuple, Optional, Tuple

__all__ = [
    "BaseStore",
    "GetOp",
    "InvalidNamespaceError",
    "Item",
    "ListNamespacesOp",
    "MatchCondition",
    "NOT_PROVIDED",
    "PutOp",
    "SearchItem",
    "SearchOp",
]


class _NotProvided:
    def __bool__(self):
        return False

    def __repr__(self):
        return "<NOT_PROVIDED>"


NOT_PROVIDED = _NotProvided()


class InvalidNamespaceError(ValueError):
    """A namespace that cannot hold an item."""


def _time(told):
    """Parses times, which stored items hold as text."""
    if isinstance(told, str):
        from datetime import datetime

        return datetime.fromisoformat(told)
    return told


class Item:
    __slots__ = ("value", "key", "namespace", "created_at", "updated_at")

    def __init__(self, *, value, key, namespace, created_at, updated_at):
        self.value = value
        self.key = key
        self.namespace = tuple(namespace)
        self.created_at = _time(created_at)
        self.updated_at = _time(updated_at)

    def __eq__(self, other):
        return isinstance(other, Item) and all(getattr(self, n) == getattr(other, n) for n in Item.__slots__)

    def __hash__(self):
        return hash((self.namespace, self.key))

    def dict(self):
        return {
            "namespace": list(self.namespace),
            "key": self.key,
            "value": self.value,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % pair for pair in self.dict().items()))


class SearchItem(Item):
    __slots__ = ("score",)

    def __init__(self, namespace, key, value, created_at, updated_at, score=None):
        super().__init__(value=value, key=key, namespace=namespace, created_at=created_at, updated_at=updated_at)
        self.score = score

    def dict(self):
        return dict(super().dict(), score=self.score)


class GetOp(NamedTuple):
    namespace: Tuple[str, ...]
    key: str
    refresh_ttl: bool = True


class SearchOp(NamedTuple):
    namespace_prefix: Tuple[str, ...]
    filter: Optional[dict] = None
    limit: int = 10
    offset: int = 0
    query: Optional[str] = None
    refresh_ttl: bool = True


class MatchCondition(NamedTuple):
    match_type: str
    path: Tuple[str, ...]


class ListNamespacesOp(NamedTuple):
    match_conditions: Optional[Tuple[MatchCondition, ...]] = None
    max_depth: Optional[int] = None
    limit: int = 100
    offset: int = 0


class PutOp(NamedTuple):
    namespace: Tuple[str, ...]
    key: str
    value: Optional[dict]
    index: Any = None
    ttl: Optional[float] = None


class BaseStore:
    """get, put, delete, search, list_namespaces and batch; each also as a coroutine with "a" before its name."""


def _validate_namespace(namespace):
    if not namespace:
        raise InvalidNamespaceError("Namespace cannot be empty.")
    for label in namespace:
        if not isinstance(label, str):
            raise InvalidNamespaceError(
                "Invalid namespace label '%s' found in %s. Namespace labels must be strings, but got %s."
                % (label, namespace, type(label).__name__)
            )
        if "." in label or "\x00" in label:
            raise InvalidNamespaceError(
                "Invalid namespace label '%s' found in %s. Namespace labels cannot contain periods ('.') or NUL."
                % (label, namespace)
            )
        if not label:
            raise InvalidNamespaceError("Namespace labels cannot be empty strings. Got %s" % (namespace,))
    if namespace[0] == "langgraph":
        raise InvalidNamespaceError('Root label for namespace cannot be "langgraph". Got: %s' % (namespace,))
