"""Functions that are written out with the session's names: read back, they use those names again."""

import os
import unittest

import test_stored_names as stored
from host import Host
from names_stream import Names
import require

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON") or require.runtime_python()


@require.needs("runtime")
class BoundFunctions(Names, unittest.TestCase):
    around = stored.StoredNames.around

    def setUp(self):
        self.host = Host(python=PYTHON)
        self.addCleanup(self.host.close)

    def test_what_a_function_changes_all_see(self):
        self.host.cell("n, seen = 0, []\ndef grow():\n    global n\n    n += 1; seen.append(n)\nalso = {'grow': grow}")
        self.assertEqual(self.around(), [])
        self.host.cell("grow(); also['grow']()")
        self.assertEqual(self.host.value("n, seen"), "(2, [1, 2])")

    def test_methods_too(self):
        self.host.cell("n = 0\nclass Base:\n    def grow(self, by=1):\n        global n\n        n += by\nclass C(Base):\n    def grow(self):\n        super().grow(by=2)\nc = C()")
        self.assertEqual(self.around(), [])
        self.host.cell("c.grow()")
        self.assertEqual(self.host.value("n, type(c) is C"), "(2, True)")

    def test_one_that_uses_what_was_not_written_comes_back(self):
        self.host.cell("import threading\nlock = threading.Lock()\ndef f(): return 'lock' in globals()")
        missing = self.around()
        self.assertEqual([entry["name"].split()[0] for entry in missing], ["lock"])
        self.assertEqual(self.host.value("f()"), "False")

    def test_closures_share_what_they_shared(self):
        self.host.cell(
            "def made():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n    def told(): return n\n    return up, told\n"
            "pair = made()\ndef with_self():\n    def f(i): return 1 if i < 2 else i * f(i - 1)\n    return f\nrecursive = with_self()"
        )
        self.assertEqual(self.around(), [])
        self.host.cell("pair[0](); pair[0]()")
        self.assertEqual(self.host.value("pair[1](), recursive(5)"), "(2, 120)")

    def test_what_a_function_is_stays(self):
        self.host.cell("def f(a, b=2, *, c: int = 3) -> str:\n    'says'\n    return a, b, c\nf.note = [1]")
        self.assertEqual(self.around(), [])
        told = "f(1), f.__doc__, f.__annotations__['c'], f.note, f.__qualname__, f.__module__"
        self.assertEqual(self.host.value(told), "((1, 2, 3), 'says', <class 'int'>, [1], 'f', '__main__')")

    def test_those_that_a_node_made_use_its_names(self):
        source = (
            "COUNT = 0\ndef node(state):\n    global up, told, shared\n    shared = 1\n    told = lambda: (COUNT, shared)\n"
            "    def up():\n        global COUNT, shared\n        COUNT += 1; shared += 1\n    return {}"
        )
        self.host.call(source, file="nodes/n.py")
        self.assertEqual(self.around(), [])
        self.host.cell("up()")
        self.assertEqual(self.host.value("told()"), "(1, 2)")

    def test_an_object_that_can_be_called_keeps_its_state(self):
        source = "class Counter:\n    n = 0\n    def __call__(self): self.n += 1\ncounter = Counter()\ndef node(state):\n    counter()\n    return {}"
        self.host.call(source, file="nodes/n.py")
        self.host.call(source, file="nodes/n.py")
        self.assertEqual(self.around(), [])
        self.assertEqual(self.host.value("counter.n, type(counter) is Counter"), "(2, True)")

    def test_an_open_file_is_missed(self):
        self.host.cell("open('f', 'w').write('abc'); f = open('f')")
        missing = self.around()
        self.assertEqual([entry["name"] for entry in missing], ["f (TypeError: cannot pickle an open file)"])


if __name__ == "__main__":
    unittest.main()
