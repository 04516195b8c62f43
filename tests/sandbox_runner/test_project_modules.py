"""Modules of the project: nodes share code by importing it."""

import hashlib
import os
import shutil
import tempfile
import unittest

from host import Host
from names_stream import Names

MODELS = "from dataclasses import dataclass\nRATE = 2\n@dataclass\nclass Order:\n    price: int\n    def total(self):\n        return self.price * RATE\n"
USES = "from models import Order\ndef node(state):\n    return {'total': Order(5).total()}\n"


class ProjectModules(Names, unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="project-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("nodes", "lib/deep"):
            os.makedirs(os.path.join(self.folder, name))
        self.write("lib/models.py", MODELS)
        self.host = self.session()

    def session(self):
        folders = {name: os.path.join(self.folder, name) for name in ("nodes", "lib")}
        host = Host(options={"modules": folders})
        self.addCleanup(host.close)
        return host

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def total(self, run, host=None, source=USES, **keys):
        done = (host or self.host).call(source, run=run, file="nodes/uses.py", **keys)
        self.assertEqual(done["status"], "ok", done)
        return done["update"]["total"]

    def test_nodes_and_cells_import_them(self):
        self.assertEqual(self.total("a"), 10)
        self.assertEqual(self.host.value("import models; models.RATE"), "2")
        self.write("lib/deep/more.py", "from models import RATE\nX = RATE * 4\n")
        self.assertEqual(self.host.value("from deep.more import X; X"), "8")

    def test_the_advice_about_a_missing_module_names_folders_that_are_yet_to_be_made(self):
        shutil.rmtree(os.path.join(self.folder, "lib"))
        code = "try:\n    import nowhere_to_be_found\nexcept ImportError as e:\n    raise RuntimeError('it is needed')"
        for source in ("import nowhere_to_be_found", code, code + " from e"):
            text = self.host.cell(source)["error"]["text"]
            self.assertIn("'nowhere_to_be_found' is not in this sandbox", text)
            self.assertIn("it has to lie in nodes/ or lib/", text)
        self.assertNotIn("not in this sandbox", self.host.cell(code + " from None")["error"]["text"])
        with Host(options={"modules": {"nodes": os.path.join(self.folder, "nodes")}}) as host:  # as the workbench says it then
            self.assertIn("in nodes/, or in lib/, which the project does not have yet", host.cell("import nowhere_to_be_found")["error"]["text"])

    def test_a_change_is_taken_up_by_the_next_run_and_not_within_one(self):
        self.assertEqual(self.total("a"), 10)
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 3"))
        self.assertEqual(self.total("a"), 10)
        self.assertEqual(self.total("b"), 15)
        self.assertEqual(self.total("b"), 15)

    def test_a_change_of_the_same_length_in_the_same_moment_is_seen(self):
        path = os.path.join(self.folder, "lib/models.py")
        self.total("a")
        before = os.stat(path)
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 3"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.total("b"), 15)

    def test_a_change_beneath_another_module_and_a_new_file(self):
        self.write("lib/prices.py", "import models\ndef twice():\n    return models.RATE * 2\n")
        source = "import prices\ndef node(state):\n    return {'total': prices.twice()}\n"
        self.assertEqual(self.total("a", source=source), 4)
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 5"))
        self.assertEqual(self.total("b", source=source), 10)
        missing = "import later\ndef node(state):\n    return {'total': later.X}\n"
        done = self.host.call(missing, run="c", file="nodes/uses.py")
        self.assertEqual(done["error"]["type"], "ModuleNotFoundError")
        self.write("lib/later.py", "X = 7\n")
        self.assertEqual(self.total("d", source=missing), 7)

    def test_a_module_that_is_not_there_is_told_with_what_to_do(self):
        text = self.host.call("import sg_absent\ndef node(state): pass\n", run="a", file="nodes/uses.py")["error"]["text"]
        for said in ("No module named 'sg_absent'\n", '"requirements"', "lie in nodes/ or lib/", "Installed: "):
            self.assertIn(said, text)
        self.write("lib/models.py", MODELS)
        for there in ("import json.absent", "import models.absent", "raise ModuleNotFoundError('x')", "raise ModuleNotFoundError('x', name=[])"):
            text = self.host.cell(there)["error"]["text"]
            self.assertNotIn("requirements", text, there)

    def test_a_change_is_taken_up_after_going_back(self):
        self.total("a")
        self.host.ask("snapshot", snapshot="s")
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 3"))
        self.assertEqual(self.total("b"), 15)
        self.host.ask("wake", snapshot="s")
        self.assertEqual(self.total("c"), 15)

    def test_a_change_is_taken_up_where_names_come_back_in_another_process(self):
        """Also by a package and a node file that took a value from the module that has changed."""
        os.makedirs(os.path.join(self.folder, "lib/shop"))
        self.write("lib/shop/__init__.py", "from .rates import RATE\n")
        self.write("lib/shop/rates.py", "RATE = 2\n")
        source = "import shop\nfrom shop import RATE\nkept = []\ndef node(state):\n    kept.append(1)\n    return {'total': [shop.RATE, RATE, len(kept)]}\n"
        self.assertEqual(self.total("a", source=source), [2, 2, 1])
        for rate, count in ((2, 2), (3, 1), (None, 1)):
            self.host.ask("snapshot", snapshot="s")
            data = self.store("s").back()
            if rate is None:
                os.remove(os.path.join(self.folder, "lib/shop/rates.py"))
                self.write("lib/shop/__init__.py", "RATE = 9\n")
            else:
                self.write("lib/shop/rates.py", "RATE = %d\n" % rate)
            self.host = self.session()
            missing = self.load(data)
            self.assertEqual(len(missing), 0 if rate else 1, missing)
            self.assertEqual(self.total("b%s" % rate, source=source), [rate or 9, rate or 9, count])

    def test_a_cell_takes_up_what_changed(self):
        self.assertEqual(self.host.value("import models; models.RATE"), "2")
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 4"))
        self.assertEqual(self.host.value("import models; models.RATE"), "4")

    def test_node_files_import_one_another(self):
        shared = "class Point:\n    pass\ndef helper():\n    return 21\ndef node(state):\n    return {'total': helper()}\n"
        self.write("nodes/shared.py", shared)
        uses = "from shared import Point, helper\ndef node(state):\n    return {'total': helper() * 2}\n"
        self.assertEqual(self.total("a", source=uses), 42)
        done = self.host.call(shared, run="a", file="nodes/shared.py")
        self.assertEqual(done["update"], {"total": 21})
        self.assertEqual(self.host.value("import sys; sys.modules['shared'].Point is Point"), "True")
        changed = shared.replace("21", "4")
        self.write("nodes/shared.py", changed)
        self.assertEqual(self.host.call(changed, run="b", file="nodes/shared.py")["update"], {"total": 4})
        self.assertEqual(self.total("b", source=uses), 8)

    def test_a_value_of_a_node_files_class_in_another_session(self):
        shared = "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\ndef node(state):\n    return {'p': Point(3)}\n"
        self.write("nodes/shared.py", shared)
        update = self.host.call(shared, run="a", file="nodes/shared.py")["update"]
        source = "def node(state):\n    return {'total': state['p'].x}\n"
        self.assertEqual(self.total("a", self.session(), source, state=update), 3)

    def test_nothing_of_the_standard_library_is_hidden(self):
        for name in ("lib/wave.py", "nodes/csv.py"):
            self.write(name, "raise ImportError('hides the standard library')\n")
        self.assertEqual(self.host.value("import wave, csv; wave.__name__"), "'wave'")
        node = "import csv\ndef node(state):\n    return {'total': len(csv.list_dialects())}\n"
        done = self.host.call(node, run="a", file="nodes/csv.py")
        self.assertEqual((done["status"], done["update"]), ("ok", {"total": 3}))

    def test_the_hash_of_what_was_imported_is_told_once_a_run(self):
        digest = hashlib.sha256(MODELS.encode()).hexdigest()
        for run, wanted in (("a", {"lib/models.py": digest}), ("a", None), ("b", {"lib/models.py": digest})):
            self.assertEqual(self.host.call(USES, run=run, file="nodes/uses.py").get("modules"), wanted)

    def test_a_compiled_file_beside_it_is_not_read(self):
        path = os.path.join(self.folder, "lib/models.py")
        cache = os.path.join(self.folder, "lib/__pycache__/models.cpython-%s.pyc" % self.host.ready["python"].replace(".", "")[:3])
        import py_compile

        before = os.stat(path)
        self.write("lib/models.py", MODELS.replace("RATE = 2", "RATE = 9"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        py_compile.compile(path, cache)
        self.write("lib/models.py", MODELS)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertEqual(self.total("a"), 10)

    def test_failures_tell_the_files_name_in_the_project(self):
        self.write("lib/broken.py", "def f():\n    raise ValueError('no')\n")
        done = self.host.call("import broken\ndef node(state):\n    broken.f()\n", run="a")
        self.assertIn('"lib/broken.py", line 2', str(done["error"]))
        self.assertNotIn(self.folder, str(done["error"]))


if __name__ == "__main__":
    unittest.main()
