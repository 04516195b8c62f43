"""Limits the time to write out a name, in a process forked for that purpose."""

import faulthandler
import os
import time
from _signal import SIGALRM, alarm, signal

from . import settings

_NAME_S = 20
_STUCK_S = 60  # then the process ends: code that holds the interpreter's lock gets no signal
_RENEWED_EACH_S = 0.5
_JUMP_S = 2  # an alarm that is later than this means that the sandbox was paused


class Patience:
    def __init__(self, name_s=_NAME_S, stuck_s=_STUCK_S):
        self._name_s, self._stuck_s = name_s, stuck_s
        self._nowhere = open(os.devnull, "w")
        self._writes = False
        self._since = 0.0
        settings.own_alarm(signal(SIGALRM, self._over))
        self.moved()

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
        if self._writes:
            alarm(self._name_s)
        elif time.monotonic() - self._since > self._name_s + _JUMP_S:
            self._renew()
        else:
            raise TimeoutError("it took longer than %d s" % self._name_s)
