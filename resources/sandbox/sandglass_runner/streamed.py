"""Jobs with a stream of names: out of the interpreter, or into it. The supervisor gives its descriptor with the request."""

import os

from . import stored_names


def answer(message, names, nodes, copies, channel):
    channel.sending = True  # an interrupt waits until the descriptor is in its place
    try:
        _take(message, copies)
        channel.sending = False
        if channel.postponed:
            channel.postponed = False
            raise KeyboardInterrupt
        if message["op"] == "load":
            return {"ev": "loaded", "missing": stored_names.read(message["stream"], names, nodes)}
        stored_names.write(message["stream"], names, nodes.files())
        return {"ev": "stored_names"}
    finally:
        channel.sending = channel.postponed = False
        _close(message)


def give_up(message, copies):
    """One that was stopped before it began: the next request would get its descriptor."""
    if "stream" not in message:
        copies.give_up()
    else:
        _close(message)  # where an interrupt came before it was


def _take(message, copies):
    try:
        message["stream"] = copies.received()
    except OSError:
        message["stream"] = None  # it came, and there was no room for it
        raise


def _close(message):
    stream = message.get("stream")
    if stream is not None:
        try:
            os.close(stream)
        except OSError:  # the code did
            pass
        message["stream"] = None
