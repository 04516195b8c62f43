"""What runs in a sandbox takes short turns on the processor, and passes that on to what it starts."""

import os
import unittest

from host import Host



def slice_of(pid):
    with open("/proc/%d/sched" % pid) as file:
        return [int(line.split()[-1]) for line in file if line.startswith("se.slice")]


def can_choose():
    try:
        with open("/proc/self/sched") as file:
            told = "se.slice" in file.read()
    except OSError:
        return False
    return told and tuple(int(part) for part in os.uname().release.split(".")[:2]) >= (6, 12)


class TimeSlices(unittest.TestCase):
    @unittest.skipUnless(can_choose(), "this kernel does not let a process choose, or does not tell")
    def test_turns_are_short(self):
        with Host() as host:
            for pid in (host.ready["pid"], host.ready["interpreter"]):
                self.assertEqual(slice_of(pid), [500000])
            child = int(host.value("import subprocess; child = subprocess.Popen(['sleep', '1000']); child.pid"))
            self.assertEqual(slice_of(child), [500000])
            self.assertEqual(host.value("__import__('os').nice(0)"), str(os.nice(0)))


if __name__ == "__main__":
    unittest.main()
