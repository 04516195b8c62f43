"""The folders of a sandbox: which are of use, and how full they are."""

import os


def is_of_use(folder):
    """Not the empty folder of a read-only image."""
    try:
        return os.access(folder, os.W_OK) or bool(os.listdir(folder))
    except OSError:
        return False


def space(path):
    try:
        found = os.statvfs(path)
    except OSError:
        return None
    return {"total": found.f_blocks * found.f_frsize, "used": (found.f_blocks - found.f_bfree) * found.f_frsize}
