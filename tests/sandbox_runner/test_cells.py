"""Cells: results, names, errors, what a prompt would do."""

import unittest

from host import Host


class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.addClassCleanup(cls.host.close)

    def test_results(self):
        for code, result in (
            ("1 + 1", "2"),
            ("x = 3", None),
            ("x = 3\nx", "3"),
            ("x = 3\nx;", None),
            ("None", None),
            ("", None),
            ("# a remark", None),
            ("'text'", "'text'"),
            ("for i in range(3): pass\ni", "2"),
            ("import asyncio\nawait asyncio.sleep(0)\n5", "5"),
            ("async def f(): return 6\nawait f()", "6"),
        ):
            with self.subTest(code):
                self.assertEqual(self.host.value(code), result)

    def test_names_persist_and_belong_to_main(self):
        self.host.cell("import sys\nclass Point: pass\ndef f(): return Point")
        self.assertEqual(
            self.host.value("f().__module__, __name__, sys.modules['__main__'].f is f"),
            "('__main__', '__main__', True)",
        )
        self.assertEqual(self.host.value("import pickle; type(pickle.loads(pickle.dumps(Point()))) is Point"), "True")

    def test_the_surroundings(self):
        self.assertEqual(self.host.value("sys.argv" if self.host.cell("import sys, os") else ""), "['']")
        self.assertEqual(self.host.value("os.getcwd() == os.environ['HOME']"), "True")
        self.assertEqual(self.host.value("os.environ['MPLBACKEND']"), "'Agg'")
        self.assertEqual(
            self.host.value("sorted(set(os.environ) - {'PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LC_CTYPE'})"),
            "['HOME', 'JE_ARROW_MALLOC_CONF', 'MPLBACKEND', 'MPLCONFIGDIR']",
        )
        self.assertEqual(self.host.value("[p for p in sys.path if 'sandbox' in p and not p.endswith('shims')]"), "[]")
        self.assertEqual(self.host.value("sys.flags.utf8_mode"), "1")

    def test_options_for_the_surroundings(self):
        with Host(options={"env": {"GREETING": "hallo"}, "path": ["/opt/first"]}) as host:
            self.assertEqual(
                host.value("import os, sys; os.environ['GREETING'], sys.path[0]"), "('hallo', '/opt/first')"
            )

    def test_an_error_is_cut_to_the_users_frames(self):
        done = self.host.cell(
            "def inner(n):\n    return 1 / n\ndef outer():\n    return inner(0)\nouter()", filename="steps.py"
        )
        error = done["error"]
        self.assertEqual(done["status"], "error")
        self.assertEqual((error["type"], error["message"]), ("ZeroDivisionError", "division by zero"))
        self.assertEqual(error["repr"], "ZeroDivisionError('division by zero')")
        self.assertEqual(
            error["mro"][:3], ["builtins.ZeroDivisionError", "builtins.ArithmeticError", "builtins.Exception"]
        )
        self.assertEqual(
            error["traceback"],
            [
                {"file": "steps.py", "line": 5, "function": "<module>", "source": "outer()"},
                {"file": "steps.py", "line": 4, "function": "outer", "source": "return inner(0)"},
                {"file": "steps.py", "line": 2, "function": "inner", "source": "return 1 / n"},
            ],
        )
        self.assertTrue(error["text"].startswith('Traceback (most recent call last):\n  File "steps.py", line 5'))
        self.assertNotIn("sandglass_runner", error["text"])

    def test_a_syntax_error_names_its_line(self):
        error = self.host.cell("x = 1\ny = = 2", filename="bad.py")["error"]
        self.assertEqual(error["type"], "SyntaxError")
        self.assertEqual(error["traceback"], [{"file": "bad.py", "line": 2, "function": "", "source": "y = = 2"}])
        self.assertIn("^", error["text"])

    def test_chained_errors_show_both(self):
        error = self.host.cell("try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('outer') from e")[
            "error"
        ]
        self.assertIn("KeyError: 'k'", error["text"])
        self.assertIn("direct cause", error["text"])

    def test_hostile_exceptions(self):
        for code in (
            "class E(Exception):\n    def __str__(self): raise RuntimeError\n    __repr__ = __str__\nraise E",
            "class E(Exception):\n    def __str__(self): return 5\nraise E",
            "raise ValueError('x' * 10_000_000)",
            "class E(BaseException): pass\nraise E",
            "e = ValueError(); e.__cause__ = e\nraise e",
            "raise KeyboardInterrupt",
            "raise GeneratorExit",
            "raise ValueError('\\udc80')",
        ):
            with self.subTest(code):
                done = self.host.cell(code)
                self.assertIn(done["status"], ("error", "interrupted"))
                self.assertLess(len(done["error"]["message"]), 70000)
                self.assertEqual(self.host.value("1"), "1")

    def test_hostile_results(self):
        done = self.host.cell("class R:\n    def __repr__(self): raise ValueError('no repr')\nR()")
        self.assertEqual((done["status"], done["error"]["message"]), ("error", "no repr"))

    def test_tracebacks_printed_by_the_code_show_source_lines(self):
        self.host.cell("import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()")
        self.assertIn(b"    1 / 0\n", self.host.printed("stderr"))

    def test_variables(self):
        with Host() as host:
            host.cell(
                "import os\ncount = 3\nname = 'ada'\nrows = [1, 2, 3]\n_hidden = 1\nclass Bad:\n"
                "    def __repr__(self): raise ValueError\nbad = Bad()"
            )
            answer = host.ask("variables")
            found = {v["name"]: v for v in answer["variables"]}
            self.assertEqual(sorted(found), ["Bad", "bad", "count", "name", "rows"])
            self.assertEqual((found["count"]["type"], found["count"]["preview"]), ("int", "3"))
            self.assertEqual((found["rows"]["shape"], found["rows"]["preview"]), ([3], "[1, 2, 3]"))
            self.assertEqual(found["bad"]["type"], "Bad")
            self.assertEqual(answer["total"], 5)
            self.assertEqual(len(host.ask("variables", limit=2)["variables"]), 2)

    def test_modules_are_listed_by_name(self):
        with Host() as host:
            host.cell("import json, math as m; x = 1")
            self.assertEqual(host.ask("variables")["modules"], ["json", "m"])

    def test_modules_are_imported_ahead_and_bind_no_name(self):
        with Host(options={"preload": ["no_such_module_at_all", "colorsys"]}) as host:
            done = host.cell("import sys; 'colorsys' in sys.modules, 'colorsys' in globals()")
            self.assertEqual(done["result"]["text/plain"], "(True, False)")

    def test_variables_whose_repr_never_ends_are_given_up(self):
        with Host() as host:
            host.cell(
                "class Slow:\n    def __repr__(self):\n        while True: sum(range(100))\nslow = Slow()\nquick = 1"
            )
            answer = host.ask("variables")
            self.assertIn(answer["ev"], ("variables", "problem"))
            self.assertEqual(host.value("quick"), "1")

    def test_stats(self):
        with Host() as host:
            host.cell(
                "import subprocess; p = subprocess.Popen(['sleep', '1000']); sum(range(3000000)); hoard = bytearray(50 << 20)"
            )
            stats = host.ask("stats")
            self.assertEqual(stats["processes"], 3)
            self.assertGreater(stats["cpu_seconds"], 0)
            self.assertGreater(stats["rss"], 50 << 20)
            self.assertGreater(stats["session"]["total"], stats["session"]["used"])
            self.assertGreaterEqual(stats["fds"], 10)

    def test_processes_are_listed_while_code_runs(self):
        with Host() as host:
            host.cell("import subprocess; p = subprocess.Popen(['sleep', '1000']); hoard = bytearray(50 << 20)")
            host.start_cell("import time; time.sleep(1000)")
            answer = host.ask("processes")
            rows = answer["processes"]
            self.assertEqual(answer["total"], 3)
            self.assertGreater(rows[0]["rss"], 50 << 20)
            sleeping = next(row for row in rows if row["command"] == "sleep 1000")
            self.assertIn(sleeping["parent"], [row["pid"] for row in rows])
            self.assertEqual(len(host.ask("processes", limit=1)["processes"]), 1)

    def test_ids_in_use_are_refused(self):
        with Host() as host:
            host.send({"op": "cell", "id": 9, "code": "import time; time.sleep(0.3)"})
            host.send({"op": "cell", "id": 9, "code": "1"})
            self.assertIn("in use", host.wait("problem")["error"]["message"])
            self.assertEqual(host.wait("done")["status"], "ok")


if __name__ == "__main__":
    unittest.main()
