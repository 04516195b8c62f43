"""Tasks that run beside each other: each in a process of its own with a folder of its own, joined at the end."""

import errno
import os
import time
import unittest

from host import PATIENCE, Host, pack, unpack
from sandglass_runner import fork_files
from sandglass_runner.files import Refused


class Forks(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.addCleanup(self.host.close)
        self.dones = {}

    def path(self, *parts):
        return os.path.join(self.host.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def stand(self, name="base"):
        answer = self.host.ask("snapshot", snapshot=name)
        self.assertTrue(answer["asleep"], answer)

    def begin(self, source, state=None, snapshot="base", who=None, group="g", fork=None, **keys):
        identifier = self.host.next_id()
        told = dict({"snapshot": snapshot, "group": group, "who": who or "task %d" % identifier}, **(fork or {}))
        message = dict(keys, op="call", id=identifier, source=source, file="nodes/n.py", state=pack(state or {}), fork=told)
        self.host.send(message)
        return identifier

    def done(self, *identifiers):
        """The ends of these calls, in this order."""
        self.others = getattr(self, "others", [])
        while not all(i in self.dones for i in identifiers):
            message = self.host.receive(PATIENCE)
            if message["ev"] in ("done", "problem") and message["id"] in identifiers:
                self.dones[message["id"]] = message
            else:
                self.others.append(message)
        found = [self.dones[i] for i in identifiers]
        for message in found:
            if isinstance(message.get("update"), bytes):
                message["update"] = unpack(message["update"])
        return found

    def printed(self, identifier):
        return b"".join(m["data"] for m in self.others if m["ev"] == "out" and m["id"] == identifier)

    def join(self, identifier):
        return self.host.ask("join", of=identifier)

    def test_eight_that_wait_take_the_time_of_one(self):
        self.host.cell("import time")
        self.stand()
        source = "import time\ndef node(state):\n    time.sleep(1)\n    return {'i': state['i']}"
        for _ in range(3):  # other tests may run beside this one
            began = time.monotonic()
            ids = [self.begin(source, {"i": i}) for i in range(8)]
            dones = self.done(*ids)
            seconds = time.monotonic() - began
            if seconds < 1.3:
                break
        self.assertEqual([d["status"] for d in dones], ["ok"] * 8, dones)
        self.assertEqual([d["update"] for d in dones], [{"i": i} for i in range(8)])
        self.assertLess(seconds, 1.3)
        self.assertEqual([self.join(i)["changed"] for i in ids], [0] * 8)

    def test_each_has_the_names_of_the_beginning_and_leaves_none(self):
        self.host.cell("items = [1]\nimport threading")
        self.stand()
        source = "def node(state):\n    global mine\n    mine = state['i']\n    items.append(mine)\n    return {'seen': list(items)}"
        ids = [self.begin(source, {"i": i}) for i in (5, 6)]
        self.assertEqual([d["update"] for d in self.done(*ids)], [{"seen": [1, 5]}, {"seen": [1, 6]}])
        for i in ids:
            self.join(i)
        self.assertEqual(self.host.value("items, 'mine' in globals(), 'node' in globals()"), "([1], False, False)")

    def test_names_of_a_session_are_read(self):
        self.host.cell("import math\nbig = list(range(1000))")
        self.stand()
        (done,) = self.done(self.begin("def node(state):\n    return {'n': len(big), 'pi': math.pi > 3}"))
        self.assertEqual(done["update"], {"n": 1000, "pi": True})

    def test_files_are_joined_and_nobody_sees_those_of_another(self):
        self.write("input.txt", "in")
        self.stand()
        source = (
            "import os, time\n"
            "def node(state):\n"
            "    open('out-%d.txt' % state['i'], 'w').write(open('input.txt').read())\n"
            "    os.makedirs('deep/er', exist_ok=True)\n"
            "    with open('deep/er/%d' % state['i'], 'w') as f: f.write('x')\n"
            "    time.sleep(0.3)\n"
            "    return {'seen': sorted(n for n in os.listdir('.') if n.endswith('txt'))}"
        )
        ids = [self.begin(source, {"i": i}) for i in (1, 2)]
        dones = self.done(*ids)
        self.assertEqual([d.get("update") for d in dones], [{"seen": ["input.txt", "out-%d.txt" % i]} for i in (1, 2)], dones)
        self.assertFalse(os.path.exists(self.path("out-1.txt")))
        for i in ids:
            self.assertEqual(self.join(i)["ev"], "joined")
        self.assertEqual((self.read("out-1.txt"), self.read("out-2.txt"), sorted(os.listdir(self.path("deep/er")))), ("in", "in", ["1", "2"]))
        self.assertFalse(os.path.exists(self.path(".sandglass-forks")))

    def test_files_with_several_names_stay_one_file(self):
        for name in ("a", "e"):
            self.write(name, name)
        os.link(self.path("a"), self.path("b"))
        self.stand()
        source = "import os\ndef node(state):\n    open('b', 'a').write('+'); os.link('a', 'c'); os.link('e', 'f')\n    open('n', 'w').close(); os.link('n', 'o')\n"
        source += "    return {'a': open('a').read()}"
        identifier = self.begin(source)
        self.assertEqual(self.done(identifier)[0].get("update"), {"a": "a+"}, self.dones)
        self.assertEqual(self.join(identifier)["ev"], "joined")
        of = {name: os.stat(self.path(name)).st_ino for name in "abcefno"}
        self.assertEqual((of["a"] == of["b"] == of["c"], of["e"] == of["f"], of["n"] == of["o"]), (True, True, True), of)
        self.assertEqual((self.read("c"), self.read("f")), ("a+", "e"))

    def test_absolute_paths_lead_to_the_own_folder(self):
        self.write("a.txt", "first")
        self.stand()
        source = (
            "import os, glob, pathlib, shutil, sqlite3\n"
            "def node(state):\n"
            "    h = state['home']\n"
            "    with open(h + '/a.txt', 'a') as f: f.write('+'); name = f.name\n"
            "    pathlib.Path(h, 'b.txt').write_text('b')\n"
            "    os.rename(h + '/b.txt', h + '/c.txt')\n"
            "    shutil.copy(h + '/c.txt', h + '/d.txt')\n"
            "    db = sqlite3.connect(h + '/x.db'); db.execute('create table t(a)'); db.close()\n"
            "    try: open(h + '/none/x')\n"
            "    except OSError as e: lost = str(e)\n"
            "    return {'name': name, 'cwd': os.getcwd(), 'abs': os.path.abspath('d.txt'), 'real': os.path.realpath('d.txt'),\n"
            "            'glob': sorted(glob.glob(h + '/*.txt')), 'walk': [r for r, _, _ in os.walk(h)][0], 'lost': lost,\n"
            "            'is': [os.path.exists(h + '/c.txt'), pathlib.Path(h, 'd.txt').is_file(), sorted(p.name for p in pathlib.Path(h).iterdir())]}"
        )
        identifier = self.begin(source, {"home": self.host.folder})
        (done,) = self.done(identifier)
        self.assertEqual(done["status"], "ok", done)
        found, home = done["update"], self.host.folder
        self.assertEqual(found["name"], home + "/a.txt")
        self.assertEqual((found["cwd"], found["abs"], found["real"], found["walk"]), (home, home + "/d.txt", home + "/d.txt", home))
        self.assertEqual(found["glob"], [home + "/%s.txt" % n for n in "acd"])
        self.assertEqual(found["is"], [True, True, ["a.txt", "artifacts", "c.txt", "d.txt", "x.db"]])
        self.assertIn("'%s/none/x'" % home, found["lost"])
        self.assertEqual(self.read("a.txt"), "first")
        self.assertFalse(os.path.exists(self.path("c.txt")))
        self.join(identifier)
        self.assertEqual((self.read("a.txt"), self.read("c.txt"), os.path.exists(self.path("x.db"))), ("first+", "b", True))

    def test_a_path_that_two_write_is_a_conflict_that_names_both(self):
        self.write("same.txt", "0")
        self.stand()
        source = "def node(state):\n    open(state['file'], 'w').write(state['text'])"
        for name in ("same.txt", "new.txt"):
            ids = [self.begin(source, {"file": name, "text": w}, who=w, group=name) for w in ("one", "two")]
            self.done(*ids)
            self.assertEqual(self.join(ids[0])["ev"], "joined")
            problem = self.join(ids[1])
            self.assertEqual(problem["error"]["type"], "Conflict", problem)
            self.assertIn("'%s' was written by one and by two" % name, problem["error"]["message"])
            self.assertEqual(self.read(name), "one")

    def test_removed_and_replaced_files(self):
        self.write("gone.txt", "0")
        self.write("kept.txt", "1")
        os.mkdir(self.path("folder"))
        self.write("folder/x", "2")
        self.stand()
        first = self.begin("import os, shutil\ndef node(state):\n    os.remove('gone.txt')\n    shutil.rmtree('folder')", who="first")
        self.done(first)
        self.join(first)
        self.assertEqual(sorted(os.listdir(self.host.folder)), [".sandglass-forks", "artifacts", "kept.txt"])
        # One that begins later sees the files of the superstep's beginning, and what it does not touch stays as it is.
        second = self.begin("import os\ndef node(state):\n    return {'l': sorted(os.listdir('.')), 'x': open('folder/x').read() if os.path.exists('folder/x') else ''}", who="second")
        (done,) = self.done(second)
        self.assertIn("gone.txt", done["update"]["l"])
        self.assertEqual(self.join(second)["changed"], 0)
        third = self.begin("import os\ndef node(state):\n    os.remove('gone.txt')", who="third")
        self.done(third)
        self.join(third)  # both wanted it gone
        self.assertFalse(os.path.exists(self.path("gone.txt")))

    def test_a_folder_may_become_a_file_and_a_file_a_folder(self):
        os.makedirs(self.path("results", "deep"))
        self.write("results/a.txt", "a")
        self.write("results/deep/b.txt", "b")
        self.write("log", "old")
        self.stand()
        source = (
            "import os, shutil\n"
            "def node(state):\n"
            "    shutil.rmtree('results')\n"
            "    open('results', 'w').write('none')\n"
            "    os.unlink('log')\n"
            "    os.makedirs('log/of')\n"
            "    open('log/of/today', 'w').write('new')\n"
        )
        changer = self.begin(source, who="changer")
        reader = "def node(state):\n    return {'seen': [open('results/deep/b.txt').read(), open('log').read()]}"
        self.assertEqual(self.done(changer)[0]["status"], "ok")
        self.assertEqual(self.join(changer)["ev"], "joined")
        self.assertEqual((self.read("results"), self.read("log/of/today")), ("none", "new"))
        later = self.begin(reader)  # of the same superstep
        self.assertEqual(self.done(later)[0].get("update"), {"seen": ["b", "old"]}, self.dones)

    def test_files_that_cannot_all_be_had_are_no_beginning(self):
        for name in "abcd":
            self.write(name, name)
        files = fork_files.ForkFiles({"session": self.host.folder})
        most, copy = fork_files._MOST, fork_files._copy_to
        self.addCleanup(setattr, fork_files, "_MOST", most)
        self.addCleanup(setattr, fork_files, "_copy_to", copy)
        fork_files._MOST = 2
        with self.assertRaisesRegex(Refused, "more than 2 files.*serial"):
            files.begin(1, "g", "one", ())
        fork_files._MOST = most

        def full(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        fork_files._copy_to = full
        with self.assertRaisesRegex(Refused, "No space left.*serial"):
            files.begin(2, "g", "two", ())
        self.assertFalse(os.path.exists(self.path(".sandglass-forks")))

    def contents(self):
        """{path: text, link or None of a folder} of the session."""
        found = {}
        for folder, folders, files in os.walk(self.host.folder):
            folders[:] = [name for name in folders if name != ".sandglass-forks"]
            for name in files + folders:
                path = os.path.join(folder, name)
                is_file = os.path.isfile(path) and not os.path.islink(path)
                found[os.path.relpath(path, self.host.folder)] = open(path).read() if is_file else os.path.islink(path) and os.readlink(path)
        return found

    def test_a_join_that_fails_changes_nothing(self):
        """Whichever of its steps fails: a full disk, a limit of descriptors, a folder that was closed."""
        os.makedirs(self.path("artifacts"), exist_ok=True)
        os.makedirs(self.path("old/empty"), exist_ok=True)
        for name in ("changed", "removed", "old/inner"):
            self.write(name, name)
        os.symlink("changed", self.path("link"))
        self.write("artifacts/same", "the session's")
        before = self.contents()
        rename, make = os.rename, os.mkdir
        self.addCleanup(setattr, os, "rename", rename)
        self.addCleanup(setattr, os, "mkdir", make)
        for failing in range(40):
            files = fork_files.ForkFiles({"session": self.host.folder, "artifacts": self.path("artifacts")})
            path, _names = files.begin(1, "g", "one", ())
            for name, text in (("changed", "new"), ("made/deep/file", "x"), ("artifacts/same", "own"), ("artifacts/d/a", "a")):
                os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
                with open(os.path.join(path, name), "w") as file:
                    file.write(text)
            os.unlink(os.path.join(path, "removed"))
            os.unlink(os.path.join(path, "link"))
            os.rmdir(os.path.join(path, "old/empty"))
            os.chmod(os.path.join(path, "made"), 0)
            steps = [0]

            def counted(step):
                def failing_step(*arguments, **keys):
                    steps[0] += 1
                    if steps[0] == failing + 1:
                        raise OSError(errno.ENOSPC, "No space left on device")
                    return step(*arguments, **keys)

                return failing_step

            os.rename, os.mkdir = counted(rename), counted(make)
            try:
                files.join(1)
                break
            except Refused as error:
                self.assertIn("which are as they were: No space left", str(error))
            finally:
                os.rename, os.mkdir = rename, make
            self.assertEqual(self.contents(), before, "step %d" % failing)
            files.discard_all()
        self.assertGreater(failing, 8)
        now = self.contents()
        self.assertEqual((now["changed"], now["made/deep/file"], now["artifacts/same"], now["artifacts/d/a"]), ("new", "x", "own", "a"))
        self.assertEqual([name for name in ("removed", "link", "old/empty") if name in now], [])
        files.discard_all()
        self.assertEqual([n for n in os.listdir(self.path(".sandglass-forks")) if not n.startswith("kept")], [])

    def test_what_lies_too_deep_is_not_lost_in_silence(self):
        files = fork_files.ForkFiles({"session": self.host.folder, "artifacts": self.path("artifacts")})
        for root in ("", "artifacts"):
            path, _names = files.begin(1, "g", "one", ())
            os.makedirs(os.path.join(path, root, *["d"] * 200))
            with self.assertRaisesRegex(Refused, "more than 128 folders deep"):
                files.join(1)
            files.discard_all()

    def test_large_files_are_lent_until_they_are_written(self):
        with open(self.path("big.bin"), "wb") as file:
            file.write(b"a" * (3 << 20))
        self.stand()
        reader = self.begin("def node(state):\n    return {'n': len(open('big.bin', 'rb').read())}")
        writer = self.begin("def node(state):\n    with open('big.bin', 'r+b') as f: f.write(b'XX')", who="writer")
        mover = self.begin("import os\ndef node(state):\n    os.rename('big.bin', 'moved.bin')", who="mover", group="h")
        dones = self.done(reader, writer, mover)
        self.assertEqual([d["status"] for d in dones], ["ok"] * 3, dones)
        self.assertEqual(dones[0]["update"], {"n": 3 << 20})
        with open(self.path("big.bin"), "rb") as file:
            self.assertEqual(file.read(2), b"aa")
        self.assertEqual(self.join(reader)["changed"], 0)
        self.assertEqual(self.join(writer)["changed"], 1)
        with open(self.path("big.bin"), "rb") as file:
            self.assertEqual((file.read(3), os.fstat(file.fileno()).st_size), (b"XXa", 3 << 20))
        self.assertEqual(self.join(mover)["error"]["type"], "Conflict")

    def test_a_snapshot_has_none_of_their_folders(self):
        self.write("a", "1")
        self.stand()
        identifier = self.begin("import time\ndef node(state):\n    open('b', 'w').write('2')\n    time.sleep(0.5)")
        paths = [e[0] for e in self.host.ask("scan", base=0)["entries"]]
        self.assertEqual(sorted(paths), ["a", "artifacts"])
        self.done(identifier)
        self.join(identifier)
        self.assertEqual(sorted(e[0] for e in self.host.ask("scan", base=0)["entries"]), ["a", "artifacts", "b"])

    def test_artifacts_are_joined_even_with_one_name(self):
        self.stand()
        source = "def node(state):\n    open(state['home'] + '/artifacts/r.txt', 'w').write(state['t'])"
        ids = [self.begin(source, {"t": t, "home": self.host.folder}) for t in "ab"]
        self.done(*ids)
        for i, text in zip(ids, "ab"):
            self.assertTrue(self.join(i)["artifacts"])
            self.assertEqual(self.read("artifacts/r.txt"), text)
            os.unlink(self.path("artifacts/r.txt"))  # as the host takes it

    def test_names_are_kept_where_that_is_said(self):
        self.host.cell("x = 1")
        self.stand()
        source = "import json\ndef node(state):\n    global found\n    found = {'k': [state['i']]}\n    x"
        identifier = self.begin(source, {"i": 7}, fork={"keep": True}, who="one")
        self.assertEqual(self.done(identifier)[0]["status"], "ok")
        self.assertEqual(self.host.value("'found' in globals()"), "False")
        answer = self.host.ask("adopt", of=identifier, source=source, file="nodes/n.py")
        self.assertEqual(answer["ev"], "adopted", answer)
        self.assertEqual(self.join(identifier)["ev"], "joined")
        self.assertEqual(self.host.value("found, x"), "({'k': [7]}, 1)")

    def test_names_whose_objects_were_changed_in_place_are_kept(self):
        self.host.cell("base = [0]; held = {'b': base}; rest = {'h': held}; quiet = [1]; was = id(quiet)\nclass Own: pass\nown = Own(); own.n = 1\ndef up(): own.n += 1")
        self.stand()
        source = "CACHE = {}\ndef node(state):\n    base.append(1); up(); CACHE['k'] = 2\n    len(quiet)"
        identifier = self.begin(source, {}, fork={"keep": True}, who="one")
        self.assertEqual(self.done(identifier)[0]["status"], "ok", self.dones)
        self.assertEqual(self.host.ask("adopt", of=identifier, source=source, file="nodes/n.py")["ev"], "adopted")
        self.assertEqual(self.join(identifier)["ev"], "joined")
        self.assertEqual(self.host.value("base, held['b'] is base, rest['h'] is held, own.n, CACHE, quiet, id(quiet) == was"), "([0, 1], True, True, 2, {'k': 2}, [1], True)")
        up = self.host.value("up(), own.n")
        self.assertEqual(up, "(None, 3)")

    def test_two_that_change_one_object_in_place_are_a_conflict(self):
        self.host.cell("base = [0]")
        self.stand()
        source = "def node(state):\n    base.append(state['i'])"
        ids = [self.begin(source, {"i": i}, fork={"keep": True}, who="task-%d" % i) for i in (1, 2)]
        self.done(*ids)
        self.assertEqual(self.host.ask("adopt", of=ids[0], source=source, file="nodes/n.py")["ev"], "adopted")
        self.join(ids[0])
        problem = self.host.ask("adopt", of=ids[1], source=source, file="nodes/n.py")
        self.assertIn("'base'", problem["error"]["message"])

    def test_two_that_keep_one_name_are_a_conflict(self):
        self.stand()
        source = "def node(state):\n    global best\n    best = state['i']"
        ids = [self.begin(source, {"i": i}, fork={"keep": True}, who="task-%d" % i) for i in (1, 2)]
        self.done(*ids)
        self.assertEqual(self.host.ask("adopt", of=ids[0], source=source, file="nodes/n.py")["ev"], "adopted")
        self.join(ids[0])
        problem = self.host.ask("adopt", of=ids[1], source=source, file="nodes/n.py")
        self.assertEqual(problem["error"]["type"], "Conflict", problem)
        self.assertIn("'best'", problem["error"]["message"])
        self.assertIn("task-1", problem["error"]["message"])
        self.assertIn("task-2", problem["error"]["message"])
        self.assertEqual(self.host.value("best"), "1")

    def test_what_cannot_be_kept_is_named(self):
        self.stand()
        source = "def node(state):\n    global gen\n    gen = (i for i in range(3))"
        (done,) = self.done(self.begin(source, fork={"keep": True}))
        self.assertEqual(done["status"], "error", done)
        self.assertIn("'gen'", done["error"]["message"])

    def test_output_has_the_id_of_its_task(self):
        self.stand()
        source = "import sys\ndef node(state):\n    for i in range(20): print(state['w'], flush=True)\n    print('e' + state['w'], file=sys.stderr)"
        ids = [self.begin(source, {"w": w}) for w in "abc"]
        self.done(*ids)
        for i, w in zip(ids, "abc"):
            self.assertEqual(sorted(set(self.printed(i).decode().split())), [w, "e" + w])

    def test_a_crash_ends_one_alone(self):
        self.host.cell("x = 5")
        self.stand()
        crash = self.begin("import os, time\ndef node(state):\n    time.sleep(0.2)\n    os.abort()")
        leaves = self.begin("import os\ndef node(state):\n    os._exit(3)")
        fine = self.begin("import time\ndef node(state):\n    time.sleep(0.6)\n    return {'x': x}")
        dones = self.done(crash, leaves, fine)
        self.assertEqual([d["status"] for d in dones], ["died", "died", "ok"], dones)
        self.assertEqual((dones[0]["exit"]["signal"], dones[1]["exit"]["code"]), (6, 3))
        self.assertEqual(dones[0]["restarted"], False)
        self.assertEqual(dones[2]["update"], {"x": 5})
        self.assertEqual(self.host.value("x"), "5")

    def test_the_deadline_of_one_ends_it_alone(self):
        self.host.close()
        self.host = Host(options={"grace_ms": 4000})  # one reacts to the interrupt, the other does not
        self.addCleanup(self.host.close)
        self.stand()
        slow = self.begin("import time\ndef node(state):\n    time.sleep(60)", deadline_ms=1000)
        stubborn = self.begin(
            "import time\ndef node(state):\n    while True:\n        try: time.sleep(60)\n        except BaseException: pass", deadline_ms=1000
        )
        fine = self.begin("import time\ndef node(state):\n    time.sleep(2)\n    return {'ok': 1}")
        dones = self.done(slow, stubborn, fine)
        self.assertEqual([d["status"] for d in dones], ["timeout", "timeout", "ok"], dones)
        self.assertEqual(dones[0]["error"]["type"], "KeyboardInterrupt")

    def test_one_is_stopped_alone_with_all_that_it_started(self):
        self.stand()
        source = "import subprocess, os\ndef node(state):\n    print(os.getpid(), subprocess.Popen(['sleep', '60'], start_new_session=True).pid, flush=True)\n    import time; time.sleep(60)"
        first, second = self.begin(source), self.begin("import time\ndef node(state):\n    time.sleep(0.5)\n    return {}")
        while not getattr(self, "others", []) or not self.printed(first):
            self.others = getattr(self, "others", []) + [self.host.receive()]
        pids = self.printed(first).split()
        self.host.send({"op": "interrupt", "id": first})
        dones = self.done(first, second)
        self.assertEqual([d["status"] for d in dones], ["interrupted", "ok"])
        for pid in pids:
            self.assertFalse(os.path.exists("/proc/%s" % pid.decode()), pid)

    def test_an_interrupt_asks_and_goes_on_with_the_answer(self):
        self.host.cell("base = 'b'")
        self.stand()
        source = "from langgraph.types import interrupt\ndef node(state):\n    return {'got': interrupt('sure?') + base}"
        (done,) = self.done(self.begin(source))
        self.assertEqual((done["status"], unpack(done["interrupts"])), ("interrupt", ["sure?"]))
        (done,) = self.done(self.begin(source, resume=pack(["yes"])))
        self.assertEqual(done["update"], {"got": "yesb"})

    def test_what_is_sent_shown_and_asked_belongs_to_its_task(self):
        self.stand()
        source = (
            "from langgraph.config import get_stream_writer\n"
            "def node(state):\n"
            "    get_stream_writer()({'w': state['w']})\n"
            "    display({'text/plain': state['w']}, raw=True)\n"
            "    from langgraph.config import get_store\n"
            "    return {'v': get_store().get(('n',), state['w']).value}"
        )
        ids = {self.begin(source, {"w": w}, asks=["store"]): w for w in "ab"}
        self.others = []
        while len(self.dones) < 2:
            message = self.host.receive()
            if message["ev"] == "ask":
                key = unpack(message["data"])["key"]
                self.assertEqual(key, ids[message["id"]])
                item = {"namespace": ["n"], "key": key, "value": {"of": key}, "created_at": "2024-01-01T00:00:00+00:00", "updated_at": "2024-01-01T00:00:00+00:00"}
                self.host.send({"op": "answer", "id": message["id"], "call": message["call"], "data": pack(item)})
            elif message["ev"] == "done":
                self.dones[message["id"]] = message
            else:
                self.others.append(message)
        self.assertEqual([d["update"]["v"] for d in self.done(*ids)], [{"of": "a"}, {"of": "b"}])
        self.assertEqual({m["id"]: unpack(m["data"])["w"] for m in self.others if m["ev"] == "custom"}, ids)
        self.assertEqual({m["id"]: m["data"]["text/plain"] for m in self.others if m["ev"] == "display"}, ids)

    def test_random_numbers_differ_by_task_and_are_the_same_again(self):
        self.host.cell("import random; random.seed(3)")
        self.stand()
        source = "import random\ndef node(state):\n    return {'r': random.random()}"
        seeds = ["n 0", "n 1", "n 0"]
        drawn = [d["update"]["r"] for d in self.done(*[self.begin(source, fork={"seed": s}) for s in seeds])]
        self.assertNotEqual(drawn[0], drawn[1])
        self.assertEqual(drawn[0], drawn[2])

    def test_an_open_file_goes_on_in_the_own_folder(self):
        self.write("log.txt", "")
        self.host.cell("log = open(%r, 'a')" % self.path("log.txt"))
        self.stand()
        source = "def node(state):\n    log.write('task\\n'); log.flush()\n    return {'t': open('log.txt').read()}"
        identifier = self.begin(source)
        (done,) = self.done(identifier)
        self.assertEqual(done["update"], {"t": "task\n"}, done)
        self.assertEqual(self.read("log.txt"), "")
        self.join(identifier)
        self.assertEqual(self.read("log.txt"), "task\n")

    def test_a_program_works_in_the_own_folder(self):
        self.stand()
        identifier = self.begin("import subprocess\ndef node(state):\n    subprocess.run('echo hi > by-program.txt', shell=True, check=True)")
        self.done(identifier)
        self.assertFalse(os.path.exists(self.path("by-program.txt")))
        self.join(identifier)
        self.assertEqual(self.read("by-program.txt"), "hi\n")

    def test_the_interpreter_may_be_replaced_meanwhile(self):
        self.host.cell("x = 1")
        self.stand()
        identifier = self.begin("import time, subprocess\ndef node(state):\n    subprocess.run(['sleep', '1'])\n    return {'x': x}")
        time.sleep(0.2)
        self.assertEqual(self.host.cell("import os; os._exit(1)")["status"], "died")
        (done,) = self.done(identifier)
        self.assertEqual((done["status"], done.get("update")), ("ok", {"x": 1}), done)

    def test_a_copy_that_is_gone_is_said(self):
        problem = self.done(self.begin("def node(state): pass", snapshot="none"))[0]
        self.assertEqual(problem["error"]["type"], "NotAsleep", problem)

    def test_what_is_given_up_is_gone(self):
        self.stand()
        identifier = self.begin("def node(state):\n    open('x', 'w').write('1')")
        self.done(identifier)
        self.assertEqual(self.host.ask("give_up", of=identifier)["ev"], "given_up")
        self.assertEqual(self.join(identifier)["ev"], "problem")
        self.assertFalse(os.path.exists(self.path("x")))

    def test_paths_that_others_made_in_an_earlier_run_are_hidden_and_taken(self):
        self.write("theirs.txt", "1")
        self.stand()
        source = "import os\ndef node(state):\n    seen = os.listdir('.')\n    open('theirs.txt', 'w').write('2')\n    return {'seen': sorted(seen)}"
        identifier = self.begin(source, fork={"without": ["theirs.txt"]}, who="mine")
        (done,) = self.done(identifier)
        self.assertEqual(done["update"], {"seen": ["artifacts"]})
        self.assertIn("and by mine", self.join(identifier)["error"]["message"])


if __name__ == "__main__":
    unittest.main()
