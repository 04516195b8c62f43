"""The object with all that a node may need of its run."""

from dataclasses import dataclass, replace
from typing import Any, Callable, Generic, Optional, TypeVar

from sandglass_runner import arguments as _arguments
from sandglass_runner import context as _context

__all__ = ["ExecutionInfo", "RunControl", "Runtime", "ServerInfo", "get_runtime"]

ContextT = TypeVar("ContextT")


@dataclass(frozen=True)
class ExecutionInfo:
    checkpoint_id: str
    checkpoint_ns: str
    task_id: str
    thread_id: Optional[str] = None
    run_id: Optional[str] = None
    node_attempt: int = 1
    node_first_attempt_time: Optional[float] = None

    def patch(self, **overrides):
        return replace(self, **overrides)


@dataclass(frozen=True)
class ServerInfo:
    assistant_id: str
    graph_id: str
    user: Any = None


class RunControl:
    """Serves annotations only: a graph is stopped in Sandglass."""

    drain_requested = False
    drain_reason = None


def _nothing(*_arguments):
    pass


@dataclass(frozen=True)
class Runtime(Generic[ContextT]):
    context: Any = None
    store: Any = None
    stream_writer: Callable[[Any], None] = _nothing
    heartbeat: Callable[[], None] = _nothing
    previous: Any = None
    execution_info: Optional[ExecutionInfo] = None
    server_info: Optional[ServerInfo] = None
    control: Optional[RunControl] = None

    def override(self, **overrides):
        return replace(self, **overrides)

    def patch_execution_info(self, **overrides):
        if self.execution_info is None:
            raise RuntimeError("Cannot patch execution_info before it has been set")
        return replace(self, execution_info=self.execution_info.patch(**overrides))

    @property
    def drain_requested(self):
        return self.control is not None and self.control.drain_requested

    @property
    def drain_reason(self):
        return self.control.drain_reason if self.control is not None else None


def get_runtime(context_schema=None):
    return _arguments.runtime(_context.require("get_runtime"), context_schema)
