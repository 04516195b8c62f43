"""Access to the run from anywhere inside a node."""

from sandglass_runner import context as _context

__all__ = ["get_config", "get_store", "get_stream_writer"]


def get_config():
    return _context.require("get_config").config


def get_stream_writer():
    return _context.require("get_stream_writer").write


def get_store():
    return _context.require("get_store").store
