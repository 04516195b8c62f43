"""The type of a node's `config` parameter."""

from typing import Any, Dict, List, Optional, TypedDict

from sandglass_runner.absent import says_what_to_do

__all__ = ["RunnableConfig"]


class RunnableConfig(TypedDict, total=False):
    tags: List[str]
    metadata: Dict[str, Any]
    callbacks: Any
    run_name: str
    max_concurrency: Optional[int]
    recursion_limit: int
    configurable: Dict[str, Any]
    run_id: Any


__getattr__ = says_what_to_do(__name__, "langchain-core")
