"""State of a process besides names and open files: its folder, its timers, and mapped files."""

import os
from _signal import ITIMER_PROF, ITIMER_REAL, ITIMER_VIRTUAL, getitimer, setitimer

from .mappings import Mappings

_TIMERS = (ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF)
_NOT_YET_S = 0.05  # a timer must not fire while the copy is still waking


def timers():
    """((which, seconds, interval), …) of those that run; a copy that sleeps has those of the interpreter that it was made of."""
    if _asleep:
        return _asleep[0]
    return tuple((which, *found) for which, found in ((which, getitimer(which)) for which in _TIMERS) if found[0] > 0)


def sleeps_with(timers_of_origin):
    """This process is a copy, whose own timers the fork has ended; None: not any more."""
    _asleep[:] = () if timers_of_origin is None else (timers_of_origin,)


def set_timers(rows):
    for which, seconds, interval in rows:
        setitimer(which, max(seconds, _NOT_YET_S), interval)


_asleep = []


class Surroundings:
    """The state when the copy was made. `left` names what the copy will not have."""

    def __init__(self, has_files):
        self._mappings = Mappings(has_files)
        self.timers = timers()
        self.left = list(self._mappings.left)
        try:
            self._folder = os.getcwd()
        except OSError:
            self._folder = None
            self.left.append({"kind": "deleted file", "name": "the current folder"})

    def come_back(self):
        """Called in the woken copy: a fork has no timers, and the folder may have been made anew. Returns [{kind, name}] of
        losses."""
        lost = self._mappings.renew()
        sleeps_with(None)
        set_timers(self.timers)
        if self._folder is not None:
            try:
                os.chdir(self._folder)
            except OSError as error:
                lost.append({"kind": "folder", "name": "%s: %s" % (self._folder, error.strerror)})
        return lost
