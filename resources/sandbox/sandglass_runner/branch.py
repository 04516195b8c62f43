"""What is different in the process of a task that runs beside others: its folder, and its random numbers."""

import sys


def begin(message):
    from . import redirect

    if message.get("seed"):
        _diverge(message["seed"])
    redirect.begin(message["home"], message["folder"], message.get("apart") or ())


def _diverge(seed):
    """All tasks begin with the same generators, and must not draw the same numbers. What they draw follows from the state
    before and their place in the superstep, so that it is the same when the superstep runs again."""
    generator = sys.modules.get("random")
    if hasattr(generator, "getrandbits"):
        generator.seed("%s %d" % (seed, generator.getrandbits(64)))
    generator = sys.modules.get("numpy.random")
    if hasattr(generator, "randint"):
        from binascii import crc32

        generator.seed([crc32(seed.encode()), *(int(n) for n in generator.randint(0, 1 << 31, 4))])
