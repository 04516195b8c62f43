"""What cells show: Jupyter's conventions, its limits, figures and data frames."""

import unittest

from host import Host
import require

_PYTHON = require.runtime_python()
_PNG = b"\x89PNG"


def displays(host):
    return [m["data"] for m in host.seen if m["ev"] == "display"]


class Display(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()

    @classmethod
    def tearDownClass(cls):
        cls.host.close()

    def result(self, code):
        done = self.host.cell(code)
        self.assertEqual(done["status"], "ok", done.get("error"))
        return done.get("result")

    def test_each_method_gives_its_type(self):
        for method, value, kind, shown in (
            ("_repr_html_", "'<b>x</b>'", "text/html", "<b>x</b>"),
            ("_repr_markdown_", "'*x*'", "text/markdown", "*x*"),
            ("_repr_svg_", "'<svg/>'", "image/svg+xml", "<svg/>"),
            ("_repr_latex_", "'$x$'", "text/latex", "$x$"),
            ("_repr_png_", "b'\\x89PNG'", "image/png", _PNG),
            ("_repr_png_", "'iVBORw=='", "image/png", _PNG),
            ("_repr_json_", "{'a': [1]}", "application/json", '{"a": [1]}'),
            ("_repr_html_", "('<i>', {'isolated': True})", "text/html", "<i>"),
        ):
            with self.subTest(method + " " + value):
                found = self.result("class A:\n def %s(self): return %s\nA()" % (method, value))
                self.assertEqual(found[kind], shown)
                self.assertIn("A object", found["text/plain"])

    def test_data_and_charts_of_e2b_are_json(self):
        for code, kind, shown in (
            ("class A:\n def _repr_mimebundle_(self, **_): return {'e2b/data': {'a': [1]}, 'text/plain': 'p'}\nA()", "e2b/data", '{"a": [1]}'),
            ("class A:\n def _repr_e2b_chart_(self): return {'type': 'bar'}\nA()", "e2b/chart", '{"type": "bar"}'),
        ):
            with self.subTest(code):
                self.assertEqual(self.result(code)[kind], shown)

    def test_clients_of_e2b_get_json_of_plain_values_and_tables(self):
        self.assertEqual(list(self.result("[1]")), ["text/plain"])
        self.result("import sandglass_runner.display as shown\nshown.serves_e2b = True")
        try:
            self.assertEqual(self.result("{'a': [1, None]}"), {"application/json": '{"a": [1, null]}', "text/plain": "{'a': [1, None]}"})
            for plain in ("7", "{1: {2}}", "[float('nan')]", "(1, 2)"):
                self.assertEqual(list(self.result(plain)), ["text/plain"], plain)
            table = "class T:\n columns = shape = (2, 1)\n def to_dict(self, orient): return {'a': [1, 2]}\nT()"
            self.assertEqual(self.result(table)["e2b/data"], '{"a": [1, 2]}')
        finally:
            self.result("shown.serves_e2b = False")

    def test_clients_of_e2b_may_use_lines_of_ipython(self):
        self.assertEqual(self.host.cell("%matplotlib inline")["error"]["type"], "SyntaxError")
        self.result("import sandglass_runner.display as shown\nshown.serves_e2b = True")
        try:
            for code, printed, shown in (
                ("%matplotlib inline\n1 + 1", b"", "2"),
                ("if True:\n    %load_ext autoreload\nx = 5 %2\nx", b"", "1"),
                ("print('first')\n!echo a; echo b", b"first\na\nb\n", None),
                ("%%bash\nfor i in 1 2; do echo $i; done", b"1\n2\n", None),
                ("%matplotlib inline\ntext = \"\"\"\n%s items\n!rm -r x\n\"\"\"\ntext", b"", "'\\n%s items\\n!rm -r x\\n'"),
            ):
                with self.subTest(code):
                    found = self.result(code)
                    self.assertEqual(self.host.printed(), printed)
                    self.assertEqual((found or {}).get("text/plain"), shown)
            self.result("%pip --version")
            error = self.host.cell("%timeit 1")["error"]
            self.assertEqual(error["type"], "SyntaxError")
            self.assertIn("%timeit is a magic of IPython", error["message"])
            self.assertEqual(self.host.cell("1 +")["error"]["message"].split(" (")[0], "invalid syntax")
        finally:
            self.result("shown.serves_e2b = False")

    def test_a_mimebundle_goes_before_the_single_methods(self):
        code = "class A:\n def _repr_mimebundle_(self, include=None, exclude=None): return %s\n def _repr_html_(self): return 'no'\nA()"
        self.assertEqual(self.result(code % "{'text/html': 'yes', 'text/plain': 'p'}")["text/html"], "yes")
        self.assertEqual(self.result(code % "({'text/plain': 'p'}, {})")["text/plain"], "p")

    def test_an_object_may_display_itself(self):
        code = "class A:\n def _ipython_display_(self): print('by itself')\nA()"
        self.assertIsNone(self.result(code))
        self.assertEqual(self.host.printed(), b"by itself\n")

    def test_classes_and_objects_that_answer_to_every_name_are_not_asked(self):
        self.assertEqual(list(self.result("class A:\n def _repr_html_(self): return 'x'\nA")), ["text/plain"])
        self.assertEqual(list(self.result("from unittest.mock import MagicMock\nMagicMock()")), ["text/plain"])

    def test_a_method_that_fails_leaves_the_others(self):
        found = self.result("class A:\n def _repr_html_(self): 1/0\n def _repr_latex_(self): return '$x$'\nA()")
        self.assertEqual(sorted(found), ["text/latex", "text/plain"])
        self.assertIn(b"_repr_html_ of A failed with ZeroDivisionError", self.host.printed("stderr"))

    def test_display_shows_in_the_order_of_what_is_printed(self):
        self.result("print('before'); display(1, 'two'); print('after')")
        order = [m["ev"] + str(m["data"]) for m in self.host.seen if m["ev"] in ("out", "display")]
        self.assertEqual(
            order,
            ["outb'before\\n'", "display{'text/plain': '1'}", "display{'text/plain': \"'two'\"}", "outb'after\\n'"],
        )

    def test_ipythons_module_can_be_imported(self):
        self.result("from IPython.display import HTML, Image, JSON, SVG, Math, display\ndisplay(HTML('<p>'), JSON([1]))")
        self.assertEqual([sorted(d)[0] for d in displays(self.host)], ["text/html", "application/json"])
        self.assertEqual(self.result("Image(data=b'\\x89PNG')")["image/png"], _PNG)
        self.assertEqual(self.result("Math('x^2')")["text/latex"], "$\\displaystyle x^2$")

    def test_what_is_over_a_limit_is_named_and_left_out(self):
        found = self.result("class A:\n def _repr_html_(self): return 'x' * 5000000\n def __repr__(self): return 'A!'\nA()")
        self.assertEqual(list(found), ["text/plain"])
        self.assertIn("text/html of 5000000 bytes is not shown: at most 4194304 are", found["text/plain"])
        found = self.result("'x' * 3000000")
        self.assertLess(len(found["text/plain"]), 1100000)

    def test_displays_count_against_the_output_limit(self):
        with Host(options={"output_limit": 100000}) as host:
            done = host.cell("for i in range(30): display('x' * 10000)")
            self.assertEqual(done["status"], "ok")
            self.assertEqual(len(displays(host)), 9)
            self.assertTrue([m for m in host.seen if m["ev"] == "truncated" and m["stream"] == "custom"])

    def test_hostile_bundles_do_no_harm(self):
        code = "class A:\n def _repr_mimebundle_(self, include=None, exclude=None): return %s\nA()"
        for bundle in (
            "{i: 'x' for i in range(100)}",
            "{'text/html': 5, 'x' * 1000: 'y'}",
            "{'application/json': object()}",
            "{'image/png': 'no base64!'}",
            "{'text/plain': b'\\xff\\xfe'}",
            "7",
            "()",
        ):
            with self.subTest(bundle):
                self.assertIn("text/plain", self.result(code % bundle))
        self.assertEqual(self.host.cell("class A:\n def __repr__(self): 1/0\nA()")["error"]["type"], "ZeroDivisionError")
        self.assertEqual(self.host.value("1"), "1")

    def test_a_forked_process_and_a_thread_after_the_cell_show_nothing(self):
        self.result("import os\npid = os.fork()\nif pid == 0:\n    display('child'); os._exit(0)\nos.waitpid(pid, 0);")
        self.assertEqual(displays(self.host), [])


@require.needs("runtime")
class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host(python=_PYTHON)
        cls.host.cell("import pandas as pd")

    @classmethod
    def tearDownClass(cls):
        cls.host.close()

    def test_a_data_frame_comes_as_html_arrow_and_json(self):
        found = self.host.cell("pd.DataFrame({'a': [1, 2], 'b': ['x', None]})")["result"]
        self.assertIn("<table", found["text/html"])
        self.assertIn('"data":[{"index":0,"a":1,"b":"x"}', found["application/vnd.dataresource+json"])
        code = "import pyarrow as pa\npa.ipc.open_stream(%r).read_all().to_pydict()['a']"
        self.assertEqual(self.host.value(code % found["application/vnd.apache.arrow.stream"]), "[1, 2]")

    def test_a_large_data_frame_is_cut_to_its_first_rows(self):
        found = self.host.cell("pd.DataFrame({'a': range(3000000)})")["result"]
        self.assertLess(len(found["application/vnd.apache.arrow.stream"]), 4194304)
        self.assertLess(sum(map(len, found.values())), 8388608)

    def test_figures_are_shown_and_closed(self):
        self.host.cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.figure()\nplt.plot([2, 1]);")
        self.assertEqual([d["image/png"][:4] for d in displays(self.host)], [_PNG, _PNG])
        self.assertEqual(self.host.value("plt.get_fignums()"), "[]")

    def test_show_shows_at_once_and_a_figure_as_value_only_once(self):
        self.host.cell("import matplotlib.pyplot as plt\nplt.plot([1]); plt.show(); print('after')")
        self.assertEqual([m["ev"] for m in self.host.seen if m["ev"] in ("display", "out")], ["display", "out"])
        done = self.host.cell("fig, ax = plt.subplots()\nax.plot([1])\nfig")
        self.assertEqual(done["result"]["image/png"][:4], _PNG)
        self.assertEqual(displays(self.host), [])

    def test_a_cell_that_fails_still_shows_its_figures(self):
        done = self.host.cell("import matplotlib.pyplot as plt\nplt.plot([1])\n1/0")
        self.assertEqual(done["error"]["type"], "ZeroDivisionError")
        self.assertEqual(len(displays(self.host)), 1)


if __name__ == "__main__":
    unittest.main()
