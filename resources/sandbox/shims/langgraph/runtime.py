"""The one object that holds what a node may need of its run."""

from dataclasses import dataclass
from typing import Any

from sandglass_runner import context as _context

__all__ = ["Runtime", "get_runtime"]


@dataclass(frozen=True)
class Runtime:
    context: Any = None
    store: Any = None
    stream_writer: Any = None
    previous: Any = None

    def __class_getitem__(cls, _context_type):
        return cls


def get_runtime(context_schema=None):
    call = _context.require("get_runtime")
    return Runtime(context=call.config.get("context"), store=call.store, stream_writer=call.write)
