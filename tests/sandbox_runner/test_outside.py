"""What the code writes beside the session's folder does not come back with a copy: it is said what is not as it was."""

import os
import shutil
import tempfile
import time
import unittest
import unittest.mock

from host import PATIENCE, Host
from names_stream import Names
from sandglass_runner import outside


class Outside(Names, unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="outside-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.host = Host(outside=self.folder + ":/nowhere")
        self.addCleanup(self.host.close)

    def differs(self, code):
        """After that step, by a return to before it."""
        self.host.ask("snapshot", snapshot="s")
        self.assertEqual(self.host.cell("import os; os.chdir(%r)\n%s\nos.chdir('/')" % (self.folder, code))["status"], "ok")
        woken = self.host.ask("wake", snapshot="s")
        self.assertEqual(woken["ev"], "woken")
        return sorted("%s %s" % (each["kind"], each["name"].replace(self.folder, "~")) for each in woken.get("differs", []))

    def test_what_a_later_step_did_is_told(self):
        self.host.cell(
            "import os; os.chdir(%r)\nfor name in 'abcd': open(name, 'w').write(name)\nos.mkdir('e'); open('e/f', 'w')\n"
            "os.symlink('a', 'l'); os.chdir('/')" % self.folder
        )
        self.assertEqual(self.differs(""), [])
        self.assertEqual(self.differs("open('new', 'w')"), ["file ~/new (new)"])
        self.assertEqual(self.differs("open('a', 'a').write('x')"), ["file ~/a (changed)"])
        self.assertEqual(self.differs("os.remove('b')"), ["file ~/b (gone)"])
        self.assertEqual(self.differs("open('c', 'w').write('C'); os.utime('c', (1, 1))"), ["file ~/c (changed)"])
        self.assertEqual(self.differs("os.rename('d', 'D')"), ["file ~/D (new)", "file ~/d (gone)"])
        self.assertEqual(self.differs("open('e/g', 'w')"), ["file ~/e/g (new)"])
        self.assertEqual(self.differs("os.chmod('e', 0o711)"), ["folder ~/e (changed)"])
        self.assertEqual(self.differs("os.remove('l'); os.symlink('c', 'l'); os.mkfifo('p')"), ["link ~/l (changed)", "pipe ~/p (new)"])

    def test_a_call_that_leaves_a_copy_marks_the_places(self):
        path = os.path.join(self.folder, "x")
        source = "def node(state):\n    open(%r, 'a').write('x'); return {}" % path
        for name in ("one", "two"):
            copy = {"id": self.host.next_id(), "snapshot": name}
            self.host.call(source, copy=copy)
            self.host.wait("snapshot", copy["id"])
        self.assertEqual(self.host.ask("wake", snapshot="two").get("differs", []), [])
        self.assertEqual(self.host.ask("wake", snapshot="one")["differs"], [{"kind": "file", "name": path + " (changed)"}])

    def test_more_than_is_compared_is_told(self):
        differs = self.differs("for i in range(501): open(str(i), 'w')")
        self.assertEqual(differs, ["folder ~ or /nowhere (more than 500 files, which are not compared)"])

    def test_more_than_is_told_is_counted(self):
        differs = self.differs("for i in range(130): open('%03d' % i, 'w')")
        self.assertEqual(len(differs), 101)
        self.assertIn("file and 30 more", differs)

    def test_objects_of_system_v_are_told(self):
        with unittest.mock.patch.object(outside, "_folders", ["/nowhere"]):
            before = outside.mark()
            import ctypes

            libc = ctypes.CDLL(None, use_errno=True)
            identifier = libc.shmget(0, 4096, 0o1600)
            self.assertGreaterEqual(identifier, 0)
            try:
                self.assertIn({"kind": "shared memory", "name": "%d (new)" % identifier}, outside.differences(before))
            finally:
                libc.shmctl(identifier, 0, None)

    def mark_of(self, name):
        """The mark that a stored stream begins with."""
        record = self.store(name).records[0][0]
        self.assertEqual(record["kind"], "outside")
        return record

    def told(self, mark):
        differs = self.host.ask("outside", before=mark)["differs"]
        return sorted("%s %s" % (each["kind"], each["name"].replace(self.folder, "~")) for each in differs)

    def write(self, *names):
        for name in names:
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(name)

    def test_stored_names_know_how_it_was_at_their_step(self):
        self.write("a", "b", "c")
        self.host.cell("generator = (i for i in ())")
        self.host.ask("snapshot", snapshot="s")
        self.write("later")
        mark = self.mark_of("s")
        os.remove(os.path.join(self.folder, "later"))
        self.assertEqual(self.told(mark), [])
        os.remove(os.path.join(self.folder, "a"))
        self.write("longer than b", "new")
        os.rename(os.path.join(self.folder, "longer than b"), os.path.join(self.folder, "b"))
        self.assertEqual(self.told(mark), ["file ~/a (gone)", "file ~/b (changed)", "file ~/new (new)"])
        self.assertEqual(self.told(self.mark_of("")), [])

    def test_names_that_come_with_the_snapshot_know_it_too(self):
        self.write("a")
        end = time.monotonic() + PATIENCE
        answer = {}
        while "names" not in answer and time.monotonic() < end:  # what writes names is loaded while nothing is asked for
            self.host.cell("x = 1")
            answer = self.host.ask("snapshot", snapshot="s")
        mark = Names.cut(answer["names"]).records[0][0]
        os.remove(os.path.join(self.folder, "a"))
        self.assertEqual(self.told(mark), ["file ~/a (gone)"])

    def test_a_stored_mark_is_bounded_and_says_so(self):
        self.write(*("%03d" % i for i in range(101)))
        self.host.ask("snapshot", snapshot="s")
        mark = self.mark_of("s")
        self.assertEqual((len(mark["entries"]), mark["more"]), (100, 1))
        shutil.rmtree(self.folder)
        told = self.told(mark)
        self.assertEqual(len([each for each in told if each.endswith("(gone)")]), 100)
        self.assertIn("file and 1 more, which are not compared", told)

    def test_more_than_is_compared_is_told_of_stored_names(self):
        self.write(*("%03d" % i for i in range(501)))
        self.host.ask("snapshot", snapshot="s")
        self.assertEqual(self.told(self.mark_of("s")), ["folder ~ or /nowhere (more than 500 files, which are not compared)"])

    def test_a_mark_that_code_made_harms_nothing(self):
        for mark in ({}, {"more": 0, "entries": 5}, {"more": 0, "entries": [5, [1, 2, 3], [[], {}, 3]]}, {"more": "x", "entries": []}):
            self.assertEqual(self.host.ask("outside", before=mark)["ev"], "outside")

    def test_nothing_is_looked_at_where_nothing_is_named(self):
        with Host() as host:
            host.ask("snapshot", snapshot="s")
            self.assertNotIn("differs", host.ask("wake", snapshot="s"))
            self.assertEqual(host.ask("outside", before={"more": 0, "entries": [["file", "/tmp/x", 1]]})["differs"], [])


if __name__ == "__main__":
    unittest.main()
