"""Objects in huge pages: fewer entries to copy for a snapshot, and nothing else that is different."""

import unittest

from host import Host

OBJECTS = "held = [{'a': i, 'b': str(i)} for i in range(150000)]"


def huge_kilobytes(pid):
    with open("/proc/%d/smaps_rollup" % pid) as file:
        fields = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
    return int(fields["AnonHugePages"].split()[0])


def are_possible():
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as file:
            return "[never]" not in file.read()
    except OSError:
        return False


class HugePages(unittest.TestCase):
    def test_small_objects_lie_in_them(self):
        if not are_possible():
            self.skipTest("this kernel's transparent huge pages are turned off")
        with Host() as host:
            host.cell(OBJECTS)
            self.assertGreater(huge_kilobytes(host.ready["interpreter"]), 16000)

    def test_without_the_tunables_all_works_as_before(self):
        with Host(env={}) as host:
            host.cell(OBJECTS)
            host.ask("snapshot", snapshot="a")
            host.cell("held = None")
            self.assertEqual(host.ask("wake", snapshot="a")["ev"], "woken")
            self.assertEqual(host.value("len(held)"), "150000")

    def test_code_does_not_see_the_tunables(self):
        with Host() as host:
            self.assertEqual(host.value("import os; [name for name in os.environ if 'TUNABLES' in name]"), "[]")

    def test_memory_is_given_back_and_taken_again(self):
        """Arenas from before the change and after it side by side, emptied as far as they can be."""
        with Host() as host:
            host.cell("import gc, sys, threading, json, decimal")
            for _ in range(3):
                host.cell("big = [{'a': i, 'b': str(i)} for i in range(100000)]\nkept = big[::5000]\ndel big; gc.collect()")
                host.cell("for name in ('json', 'json.decoder', 'decimal'): sys.modules.pop(name, None)\ngc.collect()")
                host.cell("def deep(n): return n and 1 + deep(n - 1)\nassert deep(900) == 900")
                host.cell("t = threading.Thread(target=deep, args=(900,)); t.start(); t.join()")
                host.ask("snapshot", snapshot="a")
                self.assertEqual(host.ask("wake", snapshot="a")["ev"], "woken")
            host.cell("import os\npid = os.fork()\nif pid == 0: sys.exit(3)\nstatus = os.waitpid(pid, 0)[1]")
            self.assertEqual(host.value("len(kept), os.WIFSIGNALED(status)"), "(20, False)")


if __name__ == "__main__":
    unittest.main()
