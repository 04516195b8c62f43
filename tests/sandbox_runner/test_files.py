"""File operations beneath the session's folders: no link is followed, nothing blocks, nothing odd is read."""

import os
import socket
import threading
import time
import unittest

from host import PATIENCE, Host


class Files(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.artifacts = os.path.join(self.host.folder, "artifacts")

    def write(self, path, data=b"data"):
        path = os.path.join(self.artifacts, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def refusal(self, op, **keys):
        answer = self.host.ask(op, **keys)
        self.assertEqual(answer["ev"], "problem", answer)
        return answer["error"]["message"]

    def test_regular_files_are_listed(self):
        self.write("b/plot.png", b"12345")
        self.write("a.csv")
        answer = self.host.ask("list_files")
        self.assertEqual([(f["path"], f["size"]) for f in answer["files"]], [("a.csv", 4), ("b/plot.png", 5)])
        self.assertEqual(answer["files"][0]["inode"], os.stat(os.path.join(self.artifacts, "a.csv")).st_ino)
        self.assertEqual((answer["refused"], answer["more"]), ([], False))

    def test_everything_else_is_refused_with_its_reason(self):
        target = self.write("real")
        os.link(target, os.path.join(self.artifacts, "hard"))
        os.symlink("/etc/passwd", os.path.join(self.artifacts, "link"))
        os.symlink("/etc", os.path.join(self.artifacts, "folder-link"))
        os.mkfifo(os.path.join(self.artifacts, "fifo"))
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.join(self.artifacts, "sock"))
        answer = self.host.ask("list_files")
        self.assertEqual(answer["files"], [])
        self.assertEqual(
            {r["path"]: r["reason"] for r in answer["refused"]},
            {
                "fifo": "a pipe",
                "folder-link": "a link",
                "hard": "a file with 2 names",
                "link": "a link",
                "real": "a file with 2 names",
                "sock": "a socket",
            },
        )
        for name in ("fifo", "link", "hard", "sock"):
            with self.subTest(name):
                self.assertIn(name, self.refusal("read_file", path=name, offset=0, length=10))
        self.assertIn("link", self.refusal("read_file", path="folder-link/passwd", offset=0, length=10))

    def test_what_has_content_of_its_own_and_is_not_listed_is_marked(self):
        self.write("real")
        os.link(os.path.join(self.artifacts, "real"), os.path.join(self.artifacts, "hard"))
        os.symlink("real", os.path.join(self.artifacts, "link"))
        os.mkfifo(os.path.join(self.artifacts, "fifo"))
        self.write("/".join("d" * 70) + "/x")
        refused = self.host.ask("list_files")["refused"]
        self.assertEqual({r["path"][:5] for r in refused if r["lost"]}, {"real", "hard", "d/d/d"})
        self.assertEqual({r["path"] for r in refused if not r["lost"]}, {"link", "fifo"})

    def test_a_folder_that_was_replaced_is_told(self):
        for make in (lambda path: os.symlink("/tmp", path), lambda path: open(path, "w").close()):
            os.rmdir(self.artifacts)
            make(self.artifacts)
            answer = self.host.ask("list_files")
            self.assertEqual([(r["path"], r["lost"]) for r in answer["refused"]], [("", True)])
            self.assertIn("is a link or no folder", answer["refused"][0]["reason"])
            self.assertTrue(self.host.cell("1").get("artifacts", True))
            os.unlink(self.artifacts)
            os.mkdir(self.artifacts)
        os.rmdir(self.artifacts)
        self.assertIn("No such file", self.refusal("list_files"))

    def test_reading_in_chunks(self):
        self.write("x", bytes(range(256)) * 100)
        answer = self.host.ask("read_file", path="x", offset=250, length=10)
        self.assertEqual(
            (answer["data"], answer["size"], answer["end"]), (bytes(range(250, 256)) + bytes(range(4)), 25600, False)
        )
        answer = self.host.ask("read_file", path="x", offset=25590, length=1000)
        self.assertEqual((len(answer["data"]), answer["end"]), (10, True))
        self.assertTrue(self.host.ask("read_file", path="x", offset=99999, length=1)["end"])

    def test_a_file_replaced_since_it_was_listed_is_refused(self):
        self.write("x")
        inode = self.host.ask("list_files")["files"][0]["inode"]
        self.write("other")
        os.rename(os.path.join(self.artifacts, "other"), os.path.join(self.artifacts, "x"))
        self.assertIn("not the file", self.refusal("read_file", path="x", offset=0, length=1, inode=inode))
        self.assertIn("replaced", self.refusal("remove_file", path="x", inode=inode))

    def test_paths_that_are_none(self):
        for path in ("", "/etc/passwd", "../x", "a/../../x", "a//b", ".", "a/.", "a\0b", "a/", b"\xff/../x"):
            with self.subTest(path):
                for op, keys in (
                    ("read_file", {"offset": 0, "length": 1}),
                    ("remove_file", {}),
                    ("put_file", {"offset": 0, "data": b"", "last": True}),
                ):
                    self.assertIn("relative path", self.refusal(op, path=path, **keys))
        self.assertIn("there is no folder 'etc'", self.refusal("list_files", root="etc"))
        self.assertIn("No such file", self.refusal("read_file", path="missing", offset=0, length=1))

    def test_names_that_are_no_text(self):
        with open(os.path.join(os.fsencode(self.artifacts), b"bad\xff"), "wb") as file:
            file.write(b"1")
        listed = self.host.ask("list_files")["files"][0]["path"]
        self.assertEqual(listed, b"bad\xff")
        self.assertEqual(self.host.ask("read_file", path=listed, offset=0, length=5)["data"], b"1")
        self.assertEqual(self.host.ask("remove_file", path=listed)["ev"], "removed")

    def test_removing(self):
        path = self.write("sub/x")
        self.assertEqual(self.host.ask("remove_file", path="sub/x")["ev"], "removed")
        self.assertFalse(os.path.exists(path))
        self.assertIn("is a folder", self.refusal("remove_file", path="sub"))
        os.symlink("/etc/hostname", os.path.join(self.artifacts, "l"))
        self.assertEqual(self.host.ask("remove_file", path="l")["ev"], "removed")
        self.assertTrue(os.path.exists("/etc/hostname"))

    def test_writing_in_chunks(self):
        for offset, data, last in ((0, b"ab", False), (2, b"cd", False), (4, b"e", True)):
            answer = self.host.ask(
                "put_file", root="session", path="in/data.csv", offset=offset, data=data, last=last, mode=0o600
            )
            self.assertEqual((answer["ev"], answer["size"]), ("stored", offset + len(data)))
        path = os.path.join(self.host.folder, "in", "data.csv")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"abcde")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(os.listdir(os.path.dirname(path)), ["data.csv"])

    def test_a_file_that_is_written_over_keeps_its_mode(self):
        path = self.write("run.sh", b"#!/bin/sh")
        os.chmod(path, 0o755)
        for offset, last in ((0, False), (2, True)):
            answer = self.host.ask("put_file", path="run.sh", offset=offset, data=b"#!", last=last)
            self.assertEqual(answer["ev"], "stored")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o755)
        self.host.ask("put_file", path="run.sh", offset=0, data=b"", last=True, mode=0o640)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)

    def test_writing_goes_through_no_link(self):
        outside = os.path.join(self.host.folder, "outside")
        os.mkdir(outside)
        os.symlink(outside, os.path.join(self.artifacts, "l"))
        os.symlink(os.path.join(outside, "file"), os.path.join(self.artifacts, "f"))
        self.assertIn("is a link", self.refusal("put_file", path="l/x", offset=0, data=b"1", last=True))
        self.assertIn("is a link", self.refusal("put_file", path="f", offset=0, data=b"1", last=True))
        self.assertEqual(os.listdir(outside), [])

    def test_chunks_out_of_order_are_refused(self):
        self.assertIn("was due", self.refusal("put_file", path="x", offset=5, data=b"1", last=True))
        self.host.ask("put_file", path="x", offset=0, data=b"12", last=False)
        self.assertIn("at 9 where 2 was due", self.refusal("put_file", path="x", offset=9, data=b"1", last=True))
        self.assertEqual(self.host.ask("list_files")["files"], [])

    def test_half_written_files_are_gone_with_the_host(self):
        self.host.ask("put_file", path="x", offset=0, data=b"12", last=False)
        self.assertEqual(len(os.listdir(self.artifacts)), 1)
        self.host.stream.close()
        self.assertEqual(self.host.process.wait(PATIENCE), 0)
        self.assertEqual(os.listdir(self.artifacts), [])

    def test_the_limit_of_a_listing(self):
        for i in range(30):
            self.write("f%02d" % i)
        answer = self.host.ask("list_files", limit=10)
        self.assertEqual((len(answer["files"]), answer["more"]), (10, True))

    def pages(self, limit):
        """Everything, page by page; what was told is not removed."""
        told, place = [], {}
        while True:
            answer = self.host.ask("list_files", limit=limit, **place)
            told += [entry["path"] for entry in answer["files"] + answer["refused"]]
            if not answer["more"]:
                return told
            place = {"after": answer["next"], "as_of": answer["as_of"]}

    def test_pages_tell_everything_once(self):
        names = ["a", "a-b", "d/a", "d/b/c", "d/b/d", "d/e", "d-", "z"]
        names += ["many/%d" % i for i in range(25)]
        for name in names:
            self.write(name)
        os.symlink("x", os.path.join(self.artifacts, "d", "link"))
        os.close(os.open(os.path.join(os.fsencode(self.artifacts), b"\xff"), os.O_CREAT))
        everything = self.pages(10000)
        self.assertEqual(len(everything), len(names) + 2)
        for limit in (1, 2, 7, len(everything) - 1, len(everything), len(everything) + 1):
            self.assertCountEqual(self.pages(limit), everything)

    def test_a_folder_of_links_hides_no_file(self):
        for i in range(20):
            os.symlink("x", os.path.join(self.artifacts, "link%02d" % i))
        self.write("plot.png")
        self.assertIn("plot.png", self.pages(10))

    def test_what_was_written_since_the_first_page_waits(self):
        self.write("a")
        self.write("b")
        answer = self.host.ask("list_files", limit=1)
        time.sleep(0.05)
        self.write("c")
        answer = self.host.ask("list_files", after=answer["next"], as_of=answer["as_of"])
        self.assertEqual([entry["path"] for entry in answer["files"]], ["b"])

    def described(self, *keys):
        return [[entry[key] for key in keys] for entry in self.host.ask("list_files")["files"]]

    def test_many_files_are_fetched_and_removed_at_once(self):
        for i in range(30):
            self.write("%d/f%02d" % (i % 3, i), b"%d" % i)
        self.write("empty", b"")
        wanted = self.described("path", "inode", "size", "mtime_ns")
        answer = self.host.ask("fetch_files", files=wanted)
        self.assertEqual(
            {wanted[i][0]: data for i, data in enumerate(answer["contents"])},
            dict({"%d/f%02d" % (i % 3, i): b"%d" % i for i in range(30)}, empty=b""),
        )
        self.assertEqual(self.host.ask("remove_files", files=[file[:2] for file in wanted])["kept"], [])
        self.assertEqual(self.host.ask("list_files")["files"], [])

    def test_what_changed_is_neither_fetched_nor_removed(self):
        for name in ("grown", "replaced", "same", "gone", "linked", "folder"):
            self.write(name)
        wanted = self.described("path", "inode", "size", "mtime_ns")
        self.write("new")
        os.rename(os.path.join(self.artifacts, "new"), os.path.join(self.artifacts, "replaced"))
        self.write("grown", b"more data")
        os.unlink(os.path.join(self.artifacts, "gone"))
        os.unlink(os.path.join(self.artifacts, "linked"))
        os.symlink("/etc/passwd", os.path.join(self.artifacts, "linked"))
        os.unlink(os.path.join(self.artifacts, "folder"))
        os.mkdir(os.path.join(self.artifacts, "folder"))
        contents = dict(zip((file[0] for file in wanted), self.host.ask("fetch_files", files=wanted)["contents"]))
        self.assertEqual((contents["same"], contents["grown"], contents["replaced"]), (b"data", "changed", "changed"))
        self.assertIn("No such file", contents["gone"])
        self.assertIsInstance(contents["linked"], str)
        self.assertIsInstance(contents["folder"], str)
        kept = self.host.ask("remove_files", files=[file[:2] for file in wanted])["kept"]
        self.assertEqual(
            {wanted[i][0]: reason for i, reason in kept if wanted[i][0] != "linked"},
            {
                "folder": "'folder' is a folder",
                "gone": "No such file or directory",
                "replaced": "'replaced' was replaced since it was listed",
            },
        )

    def test_long_files_come_a_few_at_a_time(self):
        for name in ("a", "b", "c"):
            self.write(name, b"x" * (3 << 20))
        wanted = self.described("path", "inode", "size", "mtime_ns")
        self.assertEqual(len(self.host.ask("fetch_files", files=wanted)["contents"]), 1)

    def test_done_says_whether_the_artifacts_folder_is_empty(self):
        self.assertFalse(self.host.cell("1")["artifacts"])
        for _ in range(50):
            self.assertTrue(self.host.cell("open('artifacts/x', 'w').close()")["artifacts"])
            self.assertFalse(self.host.cell("import os; os.unlink('artifacts/x')")["artifacts"])
            self.assertFalse(self.host.cell("1")["artifacts"])
        self.assertTrue(self.host.cell("os.rename('artifacts', 'old'); os.makedirs('artifacts/sub')")["artifacts"])
        self.assertFalse(self.host.cell("os.rmdir('artifacts/sub'); os.rmdir('artifacts')")["artifacts"])

    def test_a_very_deep_tree(self):
        code = (
            "import os\nos.chdir('artifacts')\n"
            "for _ in range(200): os.mkdir('d'); os.chdir('d')\nopen('f', 'w').close()\n"
            "os.chdir(os.environ['HOME'])"
        )
        self.host.cell(code)
        answer = self.host.ask("list_files")
        self.assertEqual((answer["files"], answer["refused"][0]["reason"]), ([], "deeper than 64 folders"))

    def test_files_can_be_read_while_code_runs(self):
        self.write("x", b"now")
        identifier = self.host.start_cell("while True: pass")
        self.assertEqual(self.host.ask("read_file", path="x", offset=0, length=9)["data"], b"now")
        self.host.send({"op": "interrupt", "id": identifier})
        self.host.wait("done", identifier)

    def test_a_folder_that_turns_into_a_link_while_it_is_read(self):
        """The name flips between a folder with a harmless file and a link to one with a secret."""
        secret = os.path.join(self.host.folder, "secret")
        os.mkdir(secret)
        with open(os.path.join(secret, "f"), "w") as file:
            file.write("secret")
        self.write("safe/f", b"harmless")
        safe, flip = os.path.join(self.artifacts, "safe"), os.path.join(self.artifacts, "flip")
        os.rename(safe, flip)
        stop = threading.Event()

        def flipper():
            while not stop.is_set():
                os.rename(flip, safe)
                os.symlink(secret, flip)
                os.unlink(flip)
                os.rename(safe, flip)

        thread = threading.Thread(target=flipper)
        thread.start()
        try:
            for _ in range(1000):
                answer = self.host.ask("read_file", path="flip/f", offset=0, length=100)
                self.assertIn(answer.get("data"), (b"harmless", None))
        finally:
            stop.set()
            thread.join()


class Shut(unittest.TestCase):
    """The runner has the user of the code, which may have shut its files against itself."""

    def setUp(self):
        self.host = Host(user=65534)
        self.addCleanup(self.host.close)

    def check(self, code):
        done = self.host.cell("import os; os.chdir(%r)\n%s" % (self.host.folder, code))
        self.assertEqual((done["status"], done["artifacts"]), ("ok", True))
        answer = self.host.ask("list_files")
        self.assertEqual(([f["path"] for f in answer["files"]], answer["refused"]), (["d/a"], []))
        file = answer["files"][0]
        wanted = [[file["path"], file["inode"], file["size"], file["mtime_ns"]]]
        self.assertEqual(self.host.ask("fetch_files", files=wanted)["contents"], [b"x"])
        self.assertEqual(self.host.ask("remove_file", path="d/a")["ev"], "removed")

    def test_it_is_listed_all_the_same(self):
        write = "os.makedirs('artifacts/d'); open('artifacts/d/a', 'w').write('x')\n"
        for shut in ("artifacts/d/a", "artifacts/d", "artifacts", "."):
            with self.subTest(shut):
                self.check(write + "os.chmod(%r, 0)" % shut)
                self.host.value("os.chmod(%r, 0o755); os.rmdir('artifacts/d')" % self.host.folder)
        with self.subTest("umask"):
            self.check("os.makedirs('artifacts/d'); os.umask(0o777); open('artifacts/d/a', 'w').write('x')")


if __name__ == "__main__":
    unittest.main()
