"""Names that a task set which ran beside others, on their way from its process to the thread's interpreter."""

import os

from . import stored_names


class CannotKeep(TypeError):
    pass


def write(path, names, namespace, files):
    """Pickles those names to a new file. CannotKeep names the one that cannot be pickled."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        out = stored_names.Out(fd)
        writer = stored_names.names_writer(out, files, namespace)
        for name in names:
            writer.write(name, "", namespace[name])
        out.record({"kind": "end"})
        os.lseek(fd, 0, os.SEEK_SET)
        for record in stored_names.written(fd):
            if record["kind"] == "missing":
                raise CannotKeep("the name '%s' cannot be kept: %s" % (record["name"], record["reason"]))
    finally:
        os.close(fd)


def read(path, namespace, nodes):
    """Sets the names and returns them. CannotKeep where one does not come back."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        names, missing = stored_names.read_written(fd, namespace, nodes)
    finally:
        os.close(fd)
    if missing:
        raise CannotKeep("a name cannot be kept: %s" % missing[0]["name"])
    return names
