"""Joins standard streams to the socket of a runner that is there already, see PROTOCOL.md.

This text is given to `python3 -c` as it is, with the socket's path."""

import os
import select
import socket
import sys

try:
    runner = socket.socket(socket.AF_UNIX)
    runner.connect(sys.argv[1])
except OSError as error:
    sys.exit("the runner is gone, and the session's memory with it: %s" % error.strerror)
ways = {0: runner.fileno(), runner.fileno(): 1}
watched = select.poll()
for source in ways:
    watched.register(source, select.POLLIN)
while True:
    for source, _events in watched.poll():
        data = os.read(source, 1 << 18)
        if not data:
            sys.exit(0)
        target = ways[source]
        while data:
            data = data[os.write(target, data) :]
