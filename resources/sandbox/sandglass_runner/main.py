"""Reads the command line and starts the supervisor."""

import os
import sys

from . import host, huge_pages, limits, outside, places, time_slices
from .call_filter import install_filter
from .guard import protect
from .supervisor import Supervisor

_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR")


def main(arguments):
    connection = listener = orphan_s = None
    while len(arguments) > 2 and arguments[-2] in ("--filter", "--orphan", "--limits", "--moved", "--outside"):
        if arguments[-2] == "--filter":
            install_filter(*arguments[-1].split(":", 1))
        elif arguments[-2] == "--limits":
            limits.apply(arguments[-1])
        elif arguments[-2] == "--moved":
            places.move(*arguments[-1].split("=", 1))
        elif arguments[-2] == "--outside":
            outside.watch(arguments[-1])
        elif arguments[-1].isdigit():
            orphan_s = int(arguments[-1])
        arguments = arguments[:-2]
    if len(arguments) == 2 and arguments[0] == "--socket":
        listener = host.Listener(arguments[1])
    elif len(arguments) == 2 and arguments[0] == "--fd" and arguments[1].isdigit():
        connection = host.inherited(int(arguments[1]))
    elif arguments == ["--stdio"]:
        connection = host.standard_streams()
    elif len(arguments) == 3 and arguments[:2] == ["--stdio", "--listen"]:
        listener = host.Listener(arguments[2])
        connection = host.standard_streams()
    else:
        os.write(
            2,
            b"usage: start.py --socket PATH | --fd N | --stdio [--listen PATH]"
            b" [--orphan SECONDS] [--filter MACHINE:BASE64] [--limits NAME=NUMBER,...] [--moved FROM=TO] [--outside FOLDER:...]\n",
        )
        return 2
    protect()
    huge_pages.use()
    time_slices.use()
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept)
    os.environ.setdefault("PATH", "/usr/local/bin:/usr/bin:/bin")
    Supervisor(connection, listener, orphan_s).run()
    return 0


def run():
    os._exit(main(sys.argv[1:]))  # skips Python's shutdown, see huge_pages
