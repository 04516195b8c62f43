"""How long a name may take to be written out, in a process that was forked for that alone."""

import faulthandler
import os
import time
from _signal import SIGALRM, alarm, signal

from . import settings

_NAME_S = 20
_STUCK_S = 60  # then the process ends: what holds the interpreter's lock hears of no signal
_RENEWED_EACH_S = 0.5
_JUMP_S = 2  # beyond its time, of an alarm: the sandbox was paused


class Patience:
    def __init__(self, name_s=_NAME_S, stuck_s=_STUCK_S):
        self._name_s, self._stuck_s = name_s, stuck_s
        self._nowhere = open(os.devnull, "w")
        self._writes = False
        self._since = 0.0
        settings.own_alarm(signal(SIGALRM, self._over))
        self.moved()

    def writes(self):
        """Whoever reads takes the time that now passes."""
        self._writes = True

    def moved(self):
        """There is something new, or a name begins."""
        self._writes = False
        if time.monotonic() - self._since >= _RENEWED_EACH_S:
            self._renew()

    def _renew(self):
        self._since = time.monotonic()
        alarm(self._name_s)
        try:
            faulthandler.dump_traceback_later(self._stuck_s, exit=True, file=self._nowhere)
        except RuntimeError:  # it takes a thread, and there can be no more
            pass

    def _over(self, _number, _frame):
        if self._writes:
            alarm(self._name_s)
        elif time.monotonic() - self._since > self._name_s + _JUMP_S:
            self._renew()
        else:
            raise TimeoutError("it took longer than %d s" % self._name_s)
