"""The files of a snapshot: what is found, what counts as changed, and the steps that bring them back."""

import os
import time
import unittest

from host import Host


class ManifestTest(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.token = 0

    def path(self, name):
        return os.path.join(self.host.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def scan(self):
        """{path: entry} of what changed, and what is gone."""
        identifier = self.host.next_id()
        self.host.send({"op": "scan", "id": identifier, "base": self.token})
        entries, removed = {}, []
        while True:
            page = self.host.wait("scanned", identifier)
            entries.update({entry[0]: entry for entry in page["entries"]})
            removed += page["removed"]
            if not page["more"]:
                self.token = page["token"]
                return entries, removed

    def settle(self):
        time.sleep(0.06)  # beyond the clock step of file systems, within which a change may go unseen
        self.scan()

    def test_only_what_changed_is_told(self):
        os.mkdir(self.path("d"))
        for i in range(100):
            self.write("d/%d" % i, "x")
        entries, _ = self.scan()
        self.assertEqual(len(entries), 102)  # with d and artifacts
        self.settle()
        self.assertEqual(self.scan(), ({}, []))
        self.write("d/7", "yy")
        os.unlink(self.path("d/8"))
        entries, removed = self.scan()
        self.assertEqual(sorted(entries), ["d", "d/7"])
        self.assertEqual(removed, ["d/8"])

    def test_only_the_file_that_is_on_its_way_back_is_passed_over(self):
        self.write(".sandglass-part", "x")
        self.write(".sandglass-part-of-mine", "x")
        self.assertEqual(sorted(self.scan()[0]), [".sandglass-part-of-mine", "artifacts"])

    def test_a_change_within_one_tick_of_the_clock_is_told(self):
        self.write("f", "one")
        self.scan()
        found = os.stat(self.path("f"))
        self.write("f", "two")
        os.utime(self.path("f"), ns=(found.st_atime_ns, found.st_mtime_ns))
        self.assertIn("f", self.scan()[0])

    def test_types_links_and_names_that_are_no_text(self):
        os.symlink("nowhere/at/all", self.path("l"))
        os.mkfifo(self.path("p"))
        self.write("one", "1")
        os.link(self.path("one"), self.path("two"))
        with open(os.fsencode(self.host.folder) + b"/\xff", "w"):
            pass
        entries, _ = self.scan()
        self.assertEqual(entries["l"][1], "link")
        self.assertEqual(entries["l"][8], "nowhere/at/all")
        self.assertEqual(entries["p"][1], "pipe")
        self.assertEqual(entries["one"][5], entries["two"][5])
        self.assertEqual(entries["one"][7], 2)
        self.assertEqual(entries[b"\xff"][1], "file")

    def test_contents_come_in_pieces_and_only_of_the_file_that_was_found(self):
        self.write("f", "abcdef")
        inode = self.scan()[0]["f"][5]
        answer = self.host.ask("read_files", files=[["f", inode, 1, 3], ["f", inode + 1, 0, 3], ["gone", inode, 0, 3]])
        self.assertEqual(answer["contents"], [b"bcd", None, None])
        os.unlink(self.path("f"))
        os.symlink("/etc/passwd", self.path("f"))
        self.assertEqual(self.host.ask("read_files", files=[["f", inode, 0, 3]])["contents"], [None])

    def test_steps_change_what_is_there(self):
        self.write("old", "x")
        self.scan()
        steps = [
            ["remove", "old"],
            ["folder", "d", 0o750],
            ["write", "d/f", 0, b"abc", False, 0],
            ["write", "d/f", 3, b"def", True, 0o640],
            ["same", "d/g", "d/f"],
            ["link", "d/l", "f"],
            ["mode", "d/f", 0o600],
            ["time", "d/f", 1234567890123456789],
            ["time", "d", 1000],
        ]
        self.assertEqual(self.host.ask("change_files", steps=steps)["done"], len(steps))
        found = os.stat(self.path("d/f"))
        self.assertEqual((found.st_mode & 0o777, found.st_mtime_ns, found.st_nlink), (0o600, 1234567890123456789, 2))
        with open(self.path("d/l")) as file:
            self.assertEqual(file.read(), "abcdef")
        self.assertEqual(os.stat(self.path("d")).st_mtime_ns, 1000)
        self.assertEqual(os.stat(self.path("d")).st_mode & 0o777, 0o750)
        self.assertFalse(os.path.exists(self.path("old")))

    def test_steps_lead_nowhere_else(self):
        outside = self.path("") .rstrip("/") + "-outside"
        os.mkdir(outside)
        self.addCleanup(os.rmdir, outside)
        os.symlink(outside, self.path("way"))
        self.scan()
        for step in (
            ["write", "way/f", 0, b"x", True, 0o600],
            ["folder", "way/d", 0o700],
            ["folder", "../d", 0o700],
            ["remove", "way/.."],
            ["chmod", "way", 0],
            ["write", "f"],
        ):
            with self.subTest(step):
                self.assertEqual(self.host.ask("change_files", steps=[step])["ev"], "problem")
        self.assertEqual(os.listdir(outside), [])


if __name__ == "__main__":
    unittest.main()
