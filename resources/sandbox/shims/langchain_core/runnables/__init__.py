"""RunnableConfig, for annotations."""

from langchain_core.runnables.config import RunnableConfig
from sandglass_runner.absent import says_what_to_do

__all__ = ["RunnableConfig"]

__getattr__ = says_what_to_do(__name__, "langchain-core")
