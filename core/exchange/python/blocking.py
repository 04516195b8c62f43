"""An async node for a graph that is run by invoke() or stream()."""

import asyncio
import functools


def blocking(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return asyncio.run(function(*args, **kwargs))

    return call
