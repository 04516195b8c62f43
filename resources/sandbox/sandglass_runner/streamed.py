"""Jobs with a stream of names, out of the interpreter or into it. The supervisor passes its descriptor with the request."""

import os
from _signal import SIGINT, default_int_handler, signal

from . import copies, only_reads, stored_names, surroundings
from .patience import Patience


def answer(message, names, nodes, handed, channel):
    channel.sending = True  # an interrupt waits until the message has the descriptor
    try:
        _take(message, handed)
        channel.sending = False
        if channel.postponed:
            channel.postponed = False
            raise KeyboardInterrupt
        if message["op"] == "load":
            return {"ev": "loaded", "missing": stored_names.read(message["stream"], names, nodes)}
        _write(message["stream"], names, nodes.files(), channel, message.get("careful"))
        return {"ev": "stored_names"}
    finally:
        channel.sending = channel.postponed = False
        _close(message)


def _write(stream, names, files, channel, careful):
    """By a child: what objects do as they are pickled, the memory that it takes and what goes wrong are that one's."""
    timers = surroundings.timers()
    try:
        pid = copies.forked_for_a_moment()
    except OSError:  # a child cannot be made
        stored_names.write(stream, names, files)
        return
    if pid:
        copies.wait_for(pid)
        return
    try:
        signal(SIGINT, default_int_handler)
        channel.forget()
        surroundings.sleeps_with(timers)
        write_limited(stream, names, files, None, careful)
    finally:
        os._exit(0)


def write_limited(stream, names, files, room, careful):
    """Runs in a child. `careful`: an earlier attempt ended before its end, so the names that kill their process are left out."""
    left_out = None
    if careful:
        from . import deadly

        found = deadly.Deadly()
        found.find(names, files)
        left_out = found.left_out
    patience = Patience()
    only_reads.begin()
    stored_names.write(stream, names, files, room, patience, left_out)


def give_up(message, handed):
    """Discards the stream of a job that was stopped before it began, as the next request would get its descriptor."""
    if "stream" not in message:
        handed.give_up()
    else:
        _close(message)  # an interrupt came before its end


def _take(message, handed):
    try:
        message["stream"] = handed.received()
    except OSError:
        message["stream"] = None  # it came, but could not be received
        raise


def _close(message):
    stream = message.get("stream")
    if stream is not None:
        try:
            os.close(stream)
        except OSError:  # the code closed it
            pass
        message["stream"] = None
