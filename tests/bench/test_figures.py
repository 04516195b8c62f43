"""What figures.py makes of the lines of benches: the table, what is marked, what is kept. No bench is run but some of this test's own."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from unittest import mock

import build_figures
import figures
import goals
import measuring

REAL = os.path.join(measuring.HERE, "goals.json")


def row(name, goal=None, better="less", kept=None, **more):
    kept = None if kept is None else {"value": kept, "date": "2026-01-01", "commit": "abc"}
    return dict({"id": name, "unit": "ms", "goal": goal, "better": better, "what": "words", "kept": kept}, **more)


class Lines(unittest.TestCase):
    def setUp(self):
        self.results = measuring.Results()

    def test_figures_and_reasons_are_taken_and_words_are_not(self):
        self.results.take("hello figure a 1 ms\nfigure a.b 1.5 ms\n\nunmeasured c no engine answers\nfailed d.e it ended\nfigure a.f 2 \n")
        self.assertEqual(self.results.values, {"a.b": [1.5], "a.f": [2]})
        self.assertEqual(self.results.units["a.b"], "ms")
        self.assertEqual(self.results.reason("c.x.y"), ("no engine answers", False))
        self.assertEqual(self.results.reason("d.e"), ("it ended", True))

    def test_what_nobody_speaks_of_is_a_failure(self):
        self.results.take("unmeasured c no engine")
        self.assertEqual(self.results.reason("cc.x"), ("its bench did not print it", True))

    def test_the_nearest_reason_is_told(self):
        self.results.take("unmeasured a all\nunmeasured a.b some\n")
        self.assertEqual(self.results.reason("a.b.c")[0], "some")
        self.assertEqual(self.results.reason("a.c")[0], "all")

    def test_a_line_without_a_number_is_a_failure(self):
        for line in ("figure a x ms", "figure a", "figure a  ms"):
            with self.subTest(line):
                results = measuring.Results()
                results.take(line)
                self.assertEqual(list(results.failed), ["a"])

    def test_rounds_make_a_median(self):
        for value in (3, 100, 1):
            self.results.take(f"figure a {value} ms")
        self.assertEqual(self.results.median("a"), 3)


class Judging(unittest.TestCase):
    def test_the_goal_itself_is_met(self):
        self.assertTrue(goals.is_met(row("a", 5), 5))
        self.assertFalse(goals.is_met(row("a", 5), 5.001))
        self.assertTrue(goals.is_met(row("a", 5, "more"), 5))
        self.assertFalse(goals.is_met(row("a", 5, "more"), 4.999))
        self.assertIsNone(goals.is_met(row("a"), 5))
        self.assertFalse(goals.is_met(row("a", 0), 1))

    def test_more_than_a_fifth_is_worse(self):
        for better, kept, value, is_worse in (
            ("less", 10, 12, False), ("less", 10, 12.1, True), ("less", 10, 1, False), ("more", 10, 8, False), ("more", 10, 7.9, True),
            ("more", 10, 100, False), ("less", 0, 0, False), ("less", 0, 1, True), ("less", -1, -0.9, False), ("less", -1, 0, True),
        ):
            with self.subTest(better=better, kept=kept, value=value):
                self.assertEqual(goals.is_worse(row("a", None, better, kept), value), is_worse)

    def test_slack_says_nothing(self):
        self.assertFalse(goals.is_worse(row("a", kept=0, slack=0.5), 0.5))
        self.assertTrue(goals.is_worse(row("a", kept=0, slack=0.5), 0.6))
        self.assertFalse(goals.is_worse(row("a", kept=10, slack=0.5), 12))

    def test_what_was_never_kept_is_not_worse(self):
        self.assertFalse(goals.is_worse(row("a", 1), 100))
        self.assertIsNone(goals.change(row("a", 1), 100))

    def test_a_change_for_the_worse_is_above_zero(self):
        self.assertAlmostEqual(goals.change(row("a", kept=10), 15), 0.5)
        self.assertAlmostEqual(goals.change(row("a", None, "more", 10), 15), -0.5)


class Table(unittest.TestCase):
    """The whole program, with benches of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = str(self.folder / "goals.json")
        self.benches = []

    def bench(self, ids, code, needs=()):
        name = f"bench{len(self.benches)}.py"
        (self.folder / name).write_text(code)
        self.benches.append(measuring.Bench(ids, (name,), needs, str(self.folder)))

    def run_with(self, rows, *options, load=0.0):
        goals.save(self.path, {each["id"]: each for each in rows})
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("os.getloadavg", lambda: (load, 0, 0)):
            code = figures.main(["--rounds", "1", *options], self.path, self.benches)
        for each in out.getvalue().splitlines()[1:]:
            if not each.startswith(("not measured: ", "failed: ")):
                self.assertLessEqual(len(each), 120, each)
        return code, out.getvalue(), err.getvalue()

    def line(self, text, name):
        return next(each for each in text.splitlines() if each.split()[:1] == [name])

    def test_value_goal_kept_and_marks_stand_in_a_line(self):
        self.bench("a", "print('figure a.x 130 ms'); print('figure a.y 8 ms')")
        code, text, _ = self.run_with([row("a.x", 100, kept=100), row("a.y", 10, kept=10)])
        self.assertEqual(code, 0, text)
        self.assertEqual(self.line(text, "a.x").split(), ["a.x", "130", "ms", "<=", "100", "100", "+30", "%", "MISSED", "WORSE"])
        self.assertEqual(self.line(text, "a.y").split(), ["a.y", "8", "ms", "<=", "10", "10", "-20", "%", "met"])
        self.assertIn("1 met, 1 missed, 1 worse than kept by more than 20%, 0 not measured, 0 failed", text)
        self.assertEqual(self.run_with([row("a.x", 100), row("a.y")], "--strict")[0], 1)
        self.assertEqual(self.run_with([row("a.x", kept=100), row("a.y")], "--strict")[0], 1)
        self.assertEqual(self.run_with([row("a.x", 200, kept=129), row("a.y")], "--strict")[0], 0)

    def test_long_names_and_large_values_fit(self):
        name = "rewind.bubblewrap.instead.objects.cloudpickle.out"
        self.bench("rewind", f"print('figure {name} 12345678 checkpoints')")
        code, text, _ = self.run_with([row(name, 1234567, kept=1234567)])
        self.assertEqual(code, 0)
        self.assertIn("MISSED WORSE", text)

    def test_most_figures_have_a_value_to_be_compared_with(self):
        with open(os.path.join(measuring.HERE, "goals.json"), encoding="utf-8") as file:
            told = json.load(file)
        lines = told if isinstance(told, list) else told["figures"]
        self.assertGreater(sum(each["kept"] is not None for each in lines), len(lines) / 2)

    def test_what_each_bench_needs_is_looked_for(self):
        for bench in measuring.all_benches():
            for part in bench.needs:
                self.assertIsInstance(measuring.missing(part, "/nowhere"), str, bench.ids)

    def test_a_machine_that_lacks_something_is_told_and_is_no_failure(self):
        self.bench("a", "print('unmeasured a.x ' + 'no engine ' * 30)")
        self.bench("b", "print('figure b 1 ms')", ("docker",))
        with mock.patch.object(measuring, "missing", lambda part, binaries: f"no {part} here"):
            code, text, _ = self.run_with([row("a.x", 5), row("b")])
        self.assertEqual(code, 0, text)
        self.assertIn("not measured: no engine", self.line(text, "a.x"))
        self.assertIn("not measured: no docker here", self.line(text, "b"))
        self.assertIn("not measured: a.x: " + "no engine " * 29, text)

    def test_a_bench_that_fails_is_told_and_fails(self):
        self.bench("a", "import sys; print('figure a.x 1 ms', flush=True); sys.exit('it broke')")
        code, text, _ = self.run_with([row("a.x", 5), row("a.y", 5)])
        self.assertEqual(code, 1)
        self.assertIn("met", self.line(text, "a.x"))
        self.assertIn("FAILED: bench0.py ended with 1: it broke", self.line(text, "a.y"))

    def test_a_figure_that_is_not_printed_fails(self):
        self.bench("a", "print('figure a.x 1 ms')")
        code, text, _ = self.run_with([row("a.x"), row("a.z")])
        self.assertEqual(code, 1)
        self.assertIn("FAILED: its bench did not print it", self.line(text, "a.z"))

    def test_a_figure_that_nobody_listed_fails(self):
        self.bench("a", "print('figure a.x 1 ms'); print('figure a.new 2 ms')")
        code, text, _ = self.run_with([row("a.x")])
        self.assertEqual(code, 1)
        self.assertIn("no line in goals.json", self.line(text, "a.new"))

    def test_groups_choose_benches_and_figures(self):
        self.bench("a.b", "print('figure a.b.x 1 ms'); print('figure a.b.y 1 ms')")
        self.bench("c", "raise SystemExit('not to be run')")
        rows = [row("a.b.x"), row("a.b.y"), row("c")]
        for group, shown in (("a", ["a.b.x", "a.b.y"]), ("a.b", ["a.b.x", "a.b.y"]), ("a.b.y", ["a.b.y"])):
            code, text, _ = self.run_with(rows, group)
            self.assertEqual(code, 0, text)
            self.assertEqual([each.split()[0] for each in text.splitlines() if each.startswith(("a.", "c "))], shown)
        code, _, error = self.run_with(rows, "engin")
        self.assertEqual(code, 2)
        self.assertIn("no figure's name begins with engin", error)

    def test_values_are_kept_with_date_and_commit_and_others_stay(self):
        self.bench("a", "print('figure a.x 1.23456 ms')")
        self.bench("b", "print('unmeasured b no engine')")
        code, _, _ = self.run_with([row("a.x", 5), row("b", kept=7)], "--keep")
        self.assertEqual(code, 0)
        kept = goals.load(self.path)
        self.assertEqual(kept["a.x"]["kept"]["value"], 1.235)
        self.assertRegex(kept["a.x"]["kept"]["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertTrue(kept["a.x"]["kept"]["commit"])
        self.assertEqual(kept["b"]["kept"]["value"], 7)
        self.assertEqual(kept["a.x"]["goal"], 5)

    def test_nothing_is_kept_unless_asked_or_while_others_compute(self):
        self.bench("a", "print('figure a.x 1 ms')")
        self.run_with([row("a.x", kept=7)])
        self.assertEqual(goals.load(self.path)["a.x"]["kept"]["value"], 7)
        code, _, error = self.run_with([row("a.x", kept=7)], "--keep", load=99.0)
        self.assertEqual(code, 2)
        self.assertIn("others compute here", error)
        self.assertEqual(goals.load(self.path)["a.x"]["kept"]["value"], 7)
        self.assertEqual(self.run_with([row("a.x", kept=7)], "--keep", "--busy", load=99.0)[0], 0)
        self.assertEqual(goals.load(self.path)["a.x"]["kept"]["value"], 1)

    def test_json_has_it_all(self):
        self.bench("a", "print('figure a.x 12 ms'); print('unmeasured a.y no disk')")
        target = str(self.folder / "out.json")
        self.run_with([row("a.x", 5, kept=10), row("a.y", 5)], "--json", target)
        with open(target, encoding="utf-8") as file:
            told = json.load(file)
        x, y = told["figures"]
        self.assertEqual((x["value"], x["goal"], x["met"], x["worse"], x["runs"], x["kept"]["value"]), (12, 5, False, False, [12], 10))
        self.assertEqual((y["value"], y["not_measured"], y["failed"]), (None, "no disk", False))

    def test_a_broken_file_is_said(self):
        for text in ("", "[]", '{"figures": [{"id": "a"}]}', '{"figures": [%s]}' % json.dumps(row("a", better="up"))):
            with self.subTest(text):
                pathlib.Path(self.path).write_text(text)
                with contextlib.redirect_stderr(io.StringIO()) as said:
                    self.assertEqual(figures.main([], self.path, []), 2)
                self.assertIn("goals.json", said.getvalue())


class Kept(unittest.TestCase):
    """goals.json of this repository."""

    def test_it_is_written_as_it_stands(self):
        with tempfile.TemporaryDirectory() as folder:
            goals.save(folder + "/goals.json", goals.load(REAL))
            self.assertEqual(pathlib.Path(folder, "goals.json").read_text(), pathlib.Path(REAL).read_text())

    def test_each_figure_has_one_bench_and_each_bench_figures(self):
        names = list(goals.load(REAL))
        benches = measuring.all_benches()
        for name in names:
            self.assertEqual(sum(measuring.begins_with(name, each.ids) for each in benches), 1, name)
        for each in benches:
            self.assertTrue(any(measuring.begins_with(name, each.ids) for name in names), each.ids)

    def test_scripts_of_benches_are_there(self):
        for each in measuring.all_benches():
            if each.command[0].endswith(".py"):
                self.assertTrue(os.path.exists(os.path.join(each.folder, each.command[0])), each.command)


class Build(unittest.TestCase):
    def told(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "figures.txt")
            if text is not None:
                pathlib.Path(path).write_text(text)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                build_figures.main(path)
        return said.getvalue()

    def test_the_file_counts_for_its_own_commit_alone(self):
        head = figures.git("rev-parse", "HEAD")
        self.assertTrue(self.told(None).startswith("unmeasured build "))
        self.assertTrue(self.told("").startswith("unmeasured build "))
        self.assertTrue(self.told("commit 0123\nfigure build.test 1 s\n").startswith("unmeasured build "))
        if head:
            self.assertEqual(self.told(f"commit {head}\nfigure build.test 1 s\n"), "figure build.test 1 s\n")


if __name__ == "__main__":
    unittest.main()
