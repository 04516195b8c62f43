import array
import ctypes
import os
import resource
import socket
import subprocess
import sys
import threading
import time


def descriptors():
    global kept_open
    kept_open = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (600, 600))
    try:
        while True:
            kept_open.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass


def processes():
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def in_flight():
    """More descriptors than one user may have on their way, never received."""
    global ends
    ends = []
    for _ in range(2000):
        one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.setblocking(False)
        ends.append((one, other))
        try:
            while True:
                one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 250))])
        except BlockingIOError:
            pass
        except OSError:
            return


def beats(beat):
    def go_on():
        while True:
            beat()
            time.sleep(0.002)

    threading.Thread(target=go_on, daemon=True).start()


def prints():
    beats(lambda: (print("beat"), print("beat", file=sys.stderr)))


def shows():
    beats(lambda: display("beat"))


def child():
    subprocess.Popen(["sh", "-c", "while :; do echo beat; sleep 0.002; done"])


def imports():
    """A module that prints whenever it is imported."""
    global this
    import this


def retried():
    """What a thread forbids to copy and a generator to write out is gone for the next attempt."""
    global series
    series = (n for n in range(9))
    beats(lambda: None)


class Hindrance:
    """Does something as it is pickled."""

    def __init__(self, act):
        self.act = act

    def __reduce__(self):
        return self.act()


def fills_memory():
    held = []
    while True:
        held.append(b"x" * (16 << 20))


def exits():
    global hindrance
    hindrance = Hindrance(lambda: os._exit(1))


def crashes():
    global hindrance
    hindrance = Hindrance(lambda: ctypes.string_at(1))


def crashes_later():
    global hindrance
    hindrance = Hindrance(lambda: (ctypes.string_at, (1,)))


def takes_memory():
    global hindrance
    hindrance = Hindrance(fills_memory)


def node(state):
    global steps
    steps = globals().get("steps", []) + [len(globals().get("steps", [])) + 1]
    if len(steps) == 1:
        globals()[state["how"]]()
    if state["how"] == "retried" and len(steps) == 3 and not os.path.exists("/tmp/failed-once"):
        open("/tmp/failed-once", "w").close()
        raise ValueError("the first attempt")
    return {"step": len(steps), "seen": ["%d of %d" % (steps[-1], len(steps))]}
