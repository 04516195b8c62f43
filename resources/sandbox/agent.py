"""Runs commands and looks after files for clients of the E2B protocol, with the rights of the session's code.

Started by the runner with a socket as descriptor 3. Frames on it: 4 bytes big-endian length, then a MessagePack map. The host sends
{"op", "id", …}, the agent answers {"ev", "id", …}; a stream may be `_AHEAD` bytes ahead of what the host says it has "taken"."""

import fcntl
import os
import pwd
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sandglass_runner import codec  # noqa: E402

_AHEAD = 1 << 20
_PIECE = 32768
_FILE_PIECE = 262144
_MOST_FRAME = 4 << 20
_MOST_ENTRIES = 20000
_WATCH_EVERY = 0.05
_E2B_HOME = "/home/user"
_PORT_TIME = 5


def _path_of(error, message):
    """The path that failed; an operation on an open file knows only its number, or nothing."""
    return error.filename if isinstance(error.filename, str) else message.get("path") or message.get("from") or ""


def _why(error, message):
    path = _path_of(error, message)
    return "%s: '%s'" % (error.strerror, path) if path else str(error.strerror)


class Problem(Exception):
    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class Stream:
    """What the host gets for one request, no faster than it takes it."""

    def __init__(self, agent, identifier):
        self.agent = agent
        self.id = identifier
        self.ahead = 0
        self.gone = False
        self.changed = threading.Condition()

    def send(self, ev, **more):
        self.agent.send(dict(more, ev=ev, id=self.id))

    def send_bytes(self, ev, data, **more):
        with self.changed:
            self.changed.wait_for(lambda: self.gone or self.ahead < _AHEAD)
            if self.gone:
                return False
            self.ahead += len(data)
        self.send(ev, data=data, **more)
        return True

    def taken(self, count):
        with self.changed:
            self.ahead -= count
            self.changed.notify_all()

    def let_go(self):
        with self.changed:
            self.gone = True
            self.changed.notify_all()


class Process:
    def __init__(self, agent, message):
        self.agent = agent
        self.config = {key: message.get(key) for key in ("cmd", "args", "envs", "cwd")}
        self.tag = message.get("tag")
        self.lock = threading.Lock()
        self.streams = []
        self.master = None
        cwd = agent.path(message.get("cwd") or "")
        if not os.path.isdir(cwd):
            raise Problem("invalid_argument", "cwd '%s' does not exist" % (message.get("cwd") or cwd))
        environment = dict(agent.environment)
        environment.update({str(key): str(value) for key, value in (message.get("envs") or {}).items()})
        command = [message["cmd"], *(message.get("args") or ())]
        given = {"cwd": cwd, "env": environment, "start_new_session": True, "close_fds": True}
        try:
            if message.get("pty"):
                self._start_on_terminal(command, given, message["pty"])
            else:
                takes = subprocess.PIPE if message.get("stdin", True) else subprocess.DEVNULL
                self.child = subprocess.Popen(command, stdin=takes, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **given)
        except OSError as error:
            raise Problem("invalid_argument", "%s: %s" % (message["cmd"], error.strerror)) from None
        self.pid = self.child.pid

    def _start_on_terminal(self, command, given, size):
        self.master, slave = os.openpty()
        try:
            self._resize(size)
            own = lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # noqa: E731
            self.child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, preexec_fn=own, **given)
        except OSError:
            os.close(self.master)
            raise
        finally:
            os.close(slave)

    def _resize(self, size):
        rows, columns = (min(max(int(size.get(key) or fallback), 1), 1000) for key, fallback in (("rows", 24), ("cols", 80)))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, size):
        if self.master is None:
            raise Problem("failed_precondition", "process %d has no terminal" % self.pid)
        self._resize(size)

    def join(self, stream):
        with self.lock:
            self.streams.append(stream)
        stream.send("start", pid=self.pid)

    def leave(self, identifier):
        with self.lock:
            self.streams = [each for each in self.streams if each.id != identifier]

    def run(self):
        sources = [(self.master, "pty")] if self.master is not None else [(self.child.stdout.fileno(), "stdout"), (self.child.stderr.fileno(), "stderr")]
        pumps = [threading.Thread(target=self._pump, args=source, daemon=True) for source in sources]
        for pump in pumps:
            pump.start()
        code = self.child.wait()
        for pump in pumps:
            pump.join(0.3)  # a process that it left behind may hold its output open
            while pump.is_alive() and self._waits():
                pump.join(0.1)
        self.agent.ended(self)
        with self.lock:
            streams, self.streams = self.streams, []
        for stream in streams:
            if code >= 0:
                stream.send("end", code=code, exited=True, status="exit status %d" % code)
            else:
                name = signal.strsignal(-code) or "signal %d" % -code
                stream.send("end", code=-1, exited=False, status="signal: %s" % name.lower())

    def _waits(self):
        """Whether a reader of the output is slow, so that more of it is still to come."""
        with self.lock:
            return any(stream.ahead >= _AHEAD and not stream.gone for stream in self.streams)

    def _pump(self, fd, name):
        piece = 16384 if name == "pty" else _PIECE
        while True:
            try:
                data = os.read(fd, piece)
            except OSError:
                data = b""
            if not data:
                return
            with self.lock:
                streams = list(self.streams)
            for stream in streams:
                stream.send_bytes("data", data, stream=name)

    def write(self, data):
        view = memoryview(data)
        target = self.master if self.master is not None else self.child.stdin and not self.child.stdin.closed and self.child.stdin.fileno()
        if target is None or target is False:
            raise Problem("failed_precondition", "stdin of process %d is not open" % self.pid)
        try:
            while view:
                view = view[os.write(target, view) :]
        except OSError as error:
            raise Problem("failed_precondition", "process %d does not read: %s" % (self.pid, error.strerror)) from None

    def close_input(self):
        if self.master is not None:
            self.write(b"\x04")
        elif self.child.stdin:
            self.child.stdin.close()

    def signal(self, number):
        try:
            os.killpg(self.pid, number)
        except OSError:
            pass


class Agent:
    def __init__(self, connection):
        self.connection = connection
        self.sending = threading.Lock()
        self.lock = threading.Lock()
        self.streams = {}
        self.processes = {}
        self.writing = {}
        self.watches = {}
        self.home = os.environ.get("HOME") or "/"
        self.environment = dict(os.environ)

    def send(self, message, passed=None):
        """`passed`: a socket for the host, which comes with the frame."""
        frame = codec.pack(message)
        data = struct.pack(">I", len(frame)) + frame
        with self.sending:
            if passed is not None:
                rights = struct.pack("i", passed.fileno())
                data = data[self.connection.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]) :]
            self.connection.sendall(data)

    def serve(self):
        reader = self.connection.makefile("rb", 1 << 20)
        while True:
            head = reader.read(4)
            if len(head) < 4:
                break
            (size,) = struct.unpack(">I", head)
            if size > _MOST_FRAME:
                break
            message = codec.unpack(reader.read(size))
            self.take(message)
        for process in list(self.processes.values()):
            process.signal(signal.SIGKILL)

    def take(self, message):
        op = getattr(self, "op_" + str(message.get("op")), None)
        if op is None:
            self.send({"ev": "problem", "id": message.get("id", 0), "kind": "unimplemented", "message": "unknown request"})
        elif message["op"] in ("hello", "taken", "let_go"):  # quick, and in order
            self.guarded(op, message)
        else:
            threading.Thread(target=self.guarded, args=(op, message), daemon=True).start()

    def guarded(self, op, message):
        try:
            op(message)
        except Problem as problem:
            self.fail(message, problem.kind, str(problem))
        except FileNotFoundError as error:
            self.fail(message, "not_found", "path '%s' does not exist" % _path_of(error, message))
        except FileExistsError as error:
            self.fail(message, "already_exists", "path '%s' already exists" % _path_of(error, message))
        except (NotADirectoryError, IsADirectoryError) as error:
            self.fail(message, "invalid_argument", _why(error, message))
        except PermissionError as error:
            self.fail(message, "permission_denied", _why(error, message))
        except OSError as error:
            self.fail(message, "no_space" if error.errno == 28 else "internal", _why(error, message))
        except (KeyError, TypeError, ValueError) as error:
            self.fail(message, "invalid_argument", str(error))

    def fail(self, message, kind, text):
        self.send({"ev": "problem", "id": message.get("id", 0), "kind": kind, "message": text})

    def path(self, path):
        if path.startswith("~/") or path == "~":
            path = path[2:]
        if "\0" in path:
            raise Problem("invalid_argument", "a path holds no zero byte")
        if (path + "/").startswith(_E2B_HOME + "/") and not os.path.isdir(_E2B_HOME):
            path = path[len(_E2B_HOME) + 1 :]
        return os.path.normpath(os.path.join(self.home, path))

    # --- the stream's side ---

    def op_hello(self, message):
        self.environment.update({str(key): str(value) for key, value in (message.get("envs") or {}).items()})
        self.send({"ev": "hello", "id": message["id"], "pid": os.getpid(), "home": self.home})

    def stream(self, message):
        made = Stream(self, message["id"])
        with self.lock:
            self.streams[made.id] = made
        return made

    def op_taken(self, message):
        stream = self.streams.get(message["id"])
        if stream is not None:
            stream.taken(message["bytes"])

    def op_let_go(self, message):
        with self.lock:
            stream = self.streams.pop(message["id"], None)
            writing = self.writing.pop(message["id"], None)
        if stream is not None:
            stream.let_go()
        for process in list(self.processes.values()):
            process.leave(message["id"])
        if writing is not None:
            writing.drop()

    # --- processes ---

    def op_start(self, message):
        process = Process(self, message)
        with self.lock:
            self.processes[process.pid] = process
        process.join(self.stream(message))
        late = None
        if message.get("time_ms"):
            late = threading.Timer(message["time_ms"] / 1000, process.signal, (signal.SIGKILL,))
            late.daemon = True
            late.start()
        process.run()
        if late is not None:
            late.cancel()

    def op_connect(self, message):
        self.find(message).join(self.stream(message))

    def find(self, message):
        with self.lock:
            for process in self.processes.values():
                if process.pid == message.get("pid") or (message.get("tag") and process.tag == message["tag"]):
                    return process
        raise Problem("not_found", "there is no process %s" % (message.get("tag") or message.get("pid")))

    def ended(self, process):
        with self.lock:
            self.processes.pop(process.pid, None)

    def op_list(self, message):
        with self.lock:
            listed = [{"pid": each.pid, "tag": each.tag, "config": each.config} for each in self.processes.values()]
        self.send({"ev": "processes", "id": message["id"], "processes": listed})

    def op_input(self, message):
        self.find(message).write(message["data"])
        self.send({"ev": "ok", "id": message["id"]})

    def op_close_input(self, message):
        self.find(message).close_input()
        self.send({"ev": "ok", "id": message["id"]})

    def op_signal(self, message):
        self.find(message).signal(int(message["signal"]))
        self.send({"ev": "ok", "id": message["id"]})

    def op_resize(self, message):
        self.find(message).resize(message["size"])
        self.send({"ev": "ok", "id": message["id"]})

    # --- files ---

    def op_stat(self, message):
        self.send({"ev": "entry", "id": message["id"], "entry": entry(self.path(message["path"]))})

    def op_list_dir(self, message):
        folder = self.path(message["path"])
        found = []
        self._list(folder, max(1, int(message.get("depth") or 1)), found)
        self.send({"ev": "entries", "id": message["id"], "entries": found})

    def _list(self, folder, depth, found):
        with os.scandir(folder) as entries:
            for each in sorted(entries, key=lambda each: each.name):
                if len(found) >= _MOST_ENTRIES:
                    return
                try:
                    found.append(entry(each.path))
                    if depth > 1 and each.is_dir(follow_symlinks=False):
                        self._list(each.path, depth - 1, found)
                except OSError:
                    pass  # it has gone meanwhile, or is not ours to read

    def op_make_dir(self, message):
        path = self.path(message["path"])
        if os.path.isdir(path):
            raise Problem("already_exists", "directory '%s' already exists" % path)
        if os.path.lexists(path):
            raise Problem("invalid_argument", "path '%s' is a file" % path)
        os.makedirs(path)
        self.op_stat(message)

    def op_move(self, message):
        source, target = self.path(message["source"]), self.path(message["destination"])
        os.lstat(source)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        import shutil

        shutil.move(source, target)
        self.send({"ev": "entry", "id": message["id"], "entry": entry(target)})

    def op_remove(self, message):
        path = self.path(message["path"])
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil

            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)
        self.send({"ev": "ok", "id": message["id"]})

    def op_read(self, message):
        path = self.path(message["path"])
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb", buffering=0) as file:
            found = os.fstat(fd)
            if not stat.S_ISREG(found.st_mode):
                kind = "is a directory" if stat.S_ISDIR(found.st_mode) else "is not a regular file"
                raise Problem("invalid_argument", "path '%s' %s" % (path, kind))
            mine, theirs = socket.socketpair()
            with mine:
                with theirs:
                    self.send({"ev": "size", "id": message["id"], "size": found.st_size, "name": os.path.basename(path)}, theirs)
                at = 0
                try:
                    while at < found.st_size and (sent := os.sendfile(mine.fileno(), fd, at, min(_FILE_PIECE, found.st_size - at))):
                        at += sent
                except OSError:
                    pass  # the host wants no more, or sees that some is missing

    def op_write(self, message):
        path = self.path(message["path"])
        if os.path.isdir(path):
            raise Problem("invalid_argument", "path '%s' is a directory" % path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        writing = Writing(path)
        with self.lock:
            self.writing[message["id"]] = writing
        with writing.theirs:
            self.send({"ev": "ready", "id": message["id"]}, writing.theirs)
        writing.take()

    def op_write_end(self, message):
        with self.lock:
            writing = self.writing.pop(message["id"])
        writing.finish(message["bytes"])
        self.send({"ev": "entry", "id": message["id"], "entry": entry(writing.path)})

    # --- ports ---

    def op_port(self, message):
        """The host gets the connected socket itself: nothing passes through here."""
        port = int(message["port"])
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            try:
                with socket.socket(family) as connection:
                    connection.settimeout(_PORT_TIME)
                    connection.connect((address, port))
                    connection.settimeout(None)
                    self.send({"ev": "connected", "id": message["id"]}, connection)
                return
            except OSError:
                continue
        raise Problem("not_found", "port %d is not open" % port)

    # --- watches ---

    def op_watch(self, message):
        folder = self.path(message["path"])
        if not os.path.isdir(folder):
            os.lstat(folder)
            raise Problem("invalid_argument", "path '%s' is not a directory" % folder)
        recursive = bool(message.get("recursive"))
        stream = self.stream(message)
        seen = snapshot(folder, recursive)
        stream.send("watching")
        while not stream.gone:
            time.sleep(_WATCH_EVERY)
            now = snapshot(folder, recursive)
            for kind, name in differences(seen, now):
                stream.send_bytes("change", kind.encode().ljust(64), name=name)  # as large as it is to the host
            seen = now
            if not os.path.isdir(folder):
                stream.send("done")
                return


class Writing:
    """A file whose bytes come by a socket of its own, and which takes its name when it is whole."""

    def __init__(self, path):
        self.path = path
        self.part = "%s.part-%s" % (path, os.urandom(6).hex())
        self.file = open(self.part, "xb", buffering=0)
        self.problem = None
        self.taken = 0
        self.lock = threading.Lock()
        self.is_dropped = False
        self.ended = threading.Event()
        self.mine, self.theirs = socket.socketpair()

    def take(self):
        buffer = memoryview(bytearray(_FILE_PIECE))
        try:
            while count := self.mine.recv_into(buffer):
                data = buffer[:count]
                while data:
                    data = data[self.file.write(data) :]
                self.taken += count
        except OSError as error:
            self.problem = error
        with self.lock:
            self.mine.close()  # the host notices where it has more
            self.ended.set()
            if self.is_dropped or self.problem is not None:
                self._remove()

    def finish(self, size):
        self.ended.wait()
        if self.problem is not None:
            raise self.problem
        if self.taken != size:
            self._remove()
            raise Problem("internal", "%d bytes of %d have come" % (self.taken, size))
        if os.path.exists(self.path):
            os.fchmod(self.file.fileno(), stat.S_IMODE(os.stat(self.path).st_mode))
        self.file.close()
        os.replace(self.part, self.path)

    def drop(self):
        with self.lock:
            self.is_dropped = True
            if self.ended.is_set():
                self._remove()
            else:
                self.mine.shutdown(socket.SHUT_RDWR)

    def _remove(self):
        self.file.close()
        try:
            os.unlink(self.part)
        except OSError:
            pass


def named(number):
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def entry(path):
    found = os.lstat(path)
    mode = found.st_mode
    kind = "SYMLINK" if stat.S_ISLNK(mode) else "DIRECTORY" if stat.S_ISDIR(mode) else "FILE" if stat.S_ISREG(mode) else "UNSPECIFIED"
    made = {
        "name": os.path.basename(path),
        "type": "FILE_TYPE_" + kind,
        "path": path,
        "size": str(found.st_size),
        "mode": stat.S_IMODE(mode),
        "permissions": stat.filemode(mode),
        "owner": named(found.st_uid),
        "group": named(found.st_gid),
        "modifiedTime": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(found.st_mtime)) + ".%09dZ" % (found.st_mtime_ns % 10**9),
    }
    if stat.S_ISLNK(mode):
        made["symlinkTarget"] = os.readlink(path)
    return made


def snapshot(folder, recursive):
    """{name relative to the folder: (inode, size, time, mode)}"""
    seen = {}
    waiting = [""]
    while waiting and len(seen) < _MOST_ENTRIES:
        below = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, below)) as entries:
                for each in entries:
                    name = os.path.join(below, each.name)
                    try:
                        found = each.stat(follow_symlinks=False)
                    except OSError:
                        continue
                    is_folder = stat.S_ISDIR(found.st_mode)
                    seen[name] = (found.st_ino, 0 if is_folder else found.st_size, 0 if is_folder else found.st_mtime_ns, found.st_mode)
                    if recursive and is_folder:
                        waiting.append(name)
        except OSError:
            continue
    return seen


def differences(before, after):
    came = {name for name in after if name not in before}
    inodes = {after[name][0] for name in came}
    for name in sorted(set(before) - set(after)):
        yield ("RENAME" if before[name][0] in inodes else "REMOVE"), name
    moved = {before[name][0] for name in before if name not in after}
    for name in sorted(came):
        yield "CREATE", name
        if stat.S_ISREG(after[name][3]) and after[name][1] > 0 and after[name][0] not in moved:
            yield "WRITE", name
    for name in sorted(after):
        if name in before and before[name] != after[name]:
            old, new = before[name], after[name]
            if old[0] != new[0] or old[1:3] != new[1:3]:
                yield "WRITE", name
            elif old[3] != new[3]:
                yield "CHMOD", name


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    connection = socket.socket(fileno=int(sys.argv[1]))
    Agent(connection).serve()
    os._exit(0)


if __name__ == "__main__":
    main()
