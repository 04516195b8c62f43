"""Jobs with a stream of names: out of the interpreter, or into it. The supervisor gives its descriptor with the request."""

import os

from . import stored_names


def answer(message, names, nodes, copies, channel):
    channel.sending = True  # an interrupt waits until the descriptor is in its place
    try:
        message["stream"] = copies.received()
        channel.sending = False
        if channel.postponed:
            channel.postponed = False
            raise KeyboardInterrupt
        if message["op"] == "load":
            return {"ev": "loaded", "missing": stored_names.read(message["stream"], names, nodes)}
        stored_names.write(message["stream"], names, nodes.files())
        return {"ev": "stored_names"}
    finally:
        channel.sending = False
        if "stream" in message:
            os.close(message["stream"])


def give_up(message, copies):
    """One that was stopped before it began: the next request would get its descriptor."""
    if "stream" not in message:
        os.close(copies.received())
