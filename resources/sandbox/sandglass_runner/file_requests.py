"""The host's requests about files; each function yields its answers, without the id."""

from . import checks
from .manifest import Manifest

_STEPS = ("remove", "folder", "link", "pipe", "same", "write", "mode", "time")


class FileRequests:
    def __init__(self, files):
        self._files = files
        self._made = None

    def _manifest(self):
        if self._made is None:
            self._made = Manifest(self._files.root("session"))
        return self._made

    def op_list_files(self, m):
        arguments = (m.get("root", "artifacts"), m.get("limit", 10000), m.get("after"), m.get("as_of"))
        yield dict(self._files.list_files(*arguments), ev="files")

    def op_fetch_files(self, m):
        if not all(_is_file(file, 4) for file in m["files"]):
            raise checks.BadRequest("'files' must be [path, inode, size, mtime_ns]")
        yield {"ev": "fetched", "contents": self._files.fetch_files(m.get("root", "artifacts"), m["files"])}

    def op_remove_files(self, m):
        if not all(_is_file(file, 2) for file in m["files"]):
            raise checks.BadRequest("'files' must be [path, inode]")
        yield {"ev": "removed", "kept": self._files.remove_files(m.get("root", "artifacts"), m["files"])}

    def op_read_file(self, m):
        arguments = (m.get("root", "artifacts"), m["path"], m["offset"], m["length"], m.get("inode"))
        yield dict(self._files.read_file(*arguments), ev="file")

    def op_put_file(self, m):
        if m.get("discard"):
            self._files.discard(m.get("root", "artifacts"), m["path"])
            yield {"ev": "stored", "size": 0}
            return
        arguments = (m.get("root", "artifacts"), m["path"], m["offset"], m["data"], m["last"], m.get("mode"))
        yield dict(self._files.put_file(*arguments), ev="stored")

    def op_remove_file(self, m):
        self._files.remove_file(m.get("root", "artifacts"), m["path"], m.get("inode"))
        yield {"ev": "removed"}

    def op_scan(self, m):
        for page in self._manifest().scan(m["base"]):
            yield dict(page, ev="scanned")

    def op_read_files(self, m):
        if not all(_is_piece(piece) for piece in m["files"]):
            raise checks.BadRequest("'files' must be [path, inode, offset, length]")
        yield {"ev": "contents", "contents": self._manifest().read(m["files"])}

    def op_change_files(self, m):
        if not all(_is_step(step) for step in m["steps"]):
            raise checks.BadRequest("'steps' must be [what, path, …]")
        yield {"ev": "changed", "done": self._manifest().change(m["steps"])}


def _is_file(file, length):
    return (
        isinstance(file, list)
        and len(file) == length
        and isinstance(file[0], (str, bytes))
        and all(type(number) is int and -1 << 63 <= number < 1 << 63 for number in file[1:])
    )


def _is_piece(piece):
    return _is_file(piece, 4) and all(number >= 0 for number in piece[1:])


def _is_step(step):
    return isinstance(step, list) and len(step) > 1 and step[0] in _STEPS and isinstance(step[1], (str, bytes))
