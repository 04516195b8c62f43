"""Limits the time that a name may take to be written out, in a process forked for that purpose."""

import faulthandler
import os
import time
from _signal import SIGALRM, alarm, signal

from . import settings

NAME_S = 20
_STUCK_S = 30  # then the process ends, as code that holds the interpreter's lock gets no signal; the host waits for 60 s
_IN_VAIN_S = 60  # after so long for names that did not end, each has less
_SHORT_S = 1
_RENEWED_EACH_S = 0.5
_JUMP_S = 2  # an alarm that is later than this means that the sandbox was paused


class Unlimited:
    """Where no child could be made: the alarm is the code's own."""

    def limited(self, work, *arguments):
        return work(*arguments)

    def writes(self):
        pass

    def moved(self):
        pass


class Patience:
    """TimeoutError is raised inside limited() alone, so that what surrounds it, such as half a record, is always finished."""

    def __init__(self, name_s=NAME_S, stuck_s=_STUCK_S):
        self._name_s, self._stuck_s = name_s, stuck_s
        self._nowhere = open(os.devnull, "w")
        self._in_vain = 0
        self._limits = False  # code of the session's is running, for a single name
        self._writes = False
        self._since = 0.0
        settings.own_alarm(signal(SIGALRM, self._over))
        self.moved()

    def limited(self, work, *arguments):
        """Calls work(*arguments), which ends by TimeoutError when its time is over. That is raised once at most."""
        try:
            self.moved()
            self._limits = True
            return work(*arguments)
        finally:
            self._limits = False

    def writes(self):
        """The time from now on is the reader's, not the name's."""
        self._writes = True

    def moved(self):
        """Progress was made, or a name begins."""
        self._writes = False
        if time.monotonic() - self._since >= _RENEWED_EACH_S:
            self._renew()

    def _renew(self):
        self._since = time.monotonic()
        alarm(self._name_s)
        try:
            faulthandler.dump_traceback_later(self._stuck_s, exit=True, file=self._nowhere)
        except RuntimeError:  # it needs a thread, and no more can be made
            pass

    def _over(self, _number, _frame):
        if self._writes or not self._limits or time.monotonic() - self._since > self._name_s + _JUMP_S:
            self._renew()
            return
        self._limits = False
        limit = self._name_s
        self._in_vain += limit
        if self._in_vain >= _IN_VAIN_S:
            self._name_s = min(limit, _SHORT_S)
        raise TimeoutError("it took longer than %d s" % limit)
