"""The folders of a sandbox: which are useful, where a session works, and how full they are."""

import os

FORKS = ".sandglass-forks"  # in the session's folder: folders of tasks that run beside each other, which are no part of it
_MOVED = []  # (folder that the host names, folder where it is)


def move(named, place):
    """Where nothing can be mounted: what the host names by one folder is in another."""
    _MOVED.append((named, place))


def here(path):
    for named, place in _MOVED:
        if path == named or path.startswith(named + "/"):
            return place + path[len(named) :]
    return path


def placed(options):
    """Options of a hello, with folders where they are."""
    if not _MOVED:
        return options
    made = dict(options)
    for name in ("path", "layers"):
        if name in made:
            made[name] = [here(each) for each in made[name]]
    for name in ("roots", "modules"):
        if name in made:
            made[name] = {key: here(each) for key, each in made[name].items()}
    return made


def is_of_use(folder):
    """False for the empty folder of a read-only image."""
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


def settled(home, given):
    """(home, {root: folder}) of a session; `given` sets some roots. Creates missing folders and changes to the home folder."""
    home = home or ("/session" if os.path.isdir("/session") else "/tmp")
    data = "/data" if is_of_use("/data") else "/session/data"
    roots = {"session": "/session", "artifacts": "/session/artifacts", "data": data}
    roots.update(given or {})
    for root in ("artifacts", "data"):
        try:
            os.mkdir(roots[root])
        except OSError:
            pass  # it exists, or there is no session folder
    try:
        os.chdir(home)
    except OSError:
        os.chdir("/")
    return home, roots
