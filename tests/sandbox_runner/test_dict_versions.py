"""Whether a dictionary is as it was, told without reading it."""

import sys
import time
import types
import unittest
from unittest import mock

import host  # noqa: F401  (puts the runner on the path)
from host import Host

from sandglass_runner import dict_versions

CHANGES = (
    lambda names: names.__setitem__("a", 2),
    lambda names: names.__setitem__("b", 1),
    lambda names: names.update(a=[2]),
    lambda names: names.pop("a"),
    lambda names: names.clear(),
    lambda names: names.setdefault("c", 1),
    lambda names: names.popitem(),
    lambda names: names.__ior__({"a": 3}),
    lambda names: exec("global a\na = 4", names),
)


class Versions(unittest.TestCase):
    def test_each_change_is_told_and_a_look_is_none(self):
        for change in CHANGES:
            names = {"__builtins__": {}, "a": 1}
            same = dict_versions.Same()
            self.assertFalse(same.holds(names), "nothing was noted")
            same.note(names)
            for _ in range(20):
                dict(names), names.get("a"), list(names.items()), "a" in names, names == {}
            self.assertEqual(same.holds(names), dict_versions._is_counted())
            change(names)
            self.assertFalse(same.holds(names), change.__code__.co_consts)

    def test_an_attribute_of_a_module_is_told(self):
        module = types.ModuleType("module")
        same = dict_versions.Same()
        for number in range(100):  # Python makes faster instructions for the assignment meanwhile
            same.note(module.__dict__)
            module.attribute = [number]
            self.assertFalse(same.holds(module.__dict__), number)

    def test_another_dictionary_is_told_though_it_is_equal(self):
        same = dict_versions.Same()
        same.note({"a": 1})
        self.assertFalse(same.holds({"a": 1}))
        self.assertFalse(same.holds(None))

    def test_nothing_is_trusted_where_the_count_is_not_at_its_place(self):
        for place in (16, 32):  # how many entries it has, its keys
            with mock.patch.object(dict_versions, "_PLACE", place):
                self.assertFalse(dict_versions._does_count())

    @unittest.skipIf(sys.version_info[:2] != (3, 11), "as Debian 12 has it")
    def test_it_is_counted_in_the_python_of_sandboxes(self):
        self.assertTrue(dict_versions._does_count())


STEP = """
import builtins
import os


def node(state):
    if state["n"] == 5:
        builtins.answer = 42
    if state["n"] == 7:
        os.environ["NEW"] = "text"
    if state["n"] == 9:
        builtins.__dict__.pop("answer")
    return {"n": state["n"] + 1}
"""


class AfterManySteps(unittest.TestCase):
    def test_what_a_later_step_changes_is_written_out(self):
        """The first steps change nothing, so the runner has noted that before the first change comes."""
        with Host() as session:
            session.call(STEP, {"n": 0})
            for _ in range(100):  # what writes names is loaded while nothing is asked for
                if "names" in session.ask("snapshot", snapshot="first"):
                    break
                time.sleep(0.05)
            seen = {}
            for number in range(12):
                copy = {"id": session.next_id(), "snapshot": "s%d" % number}
                session.call(STEP, {"n": number}, copy=copy)
                names = session.wait("snapshot", copy["id"])["names"]
                names = names.replace(STEP.encode(), b"")
                seen[number] = b"answer" in names, b"NEW" in names
            self.assertEqual([n for n, (has, _) in seen.items() if has], [5, 6, 7, 8])
            self.assertEqual([n for n, (_, has) in seen.items() if has], [7, 8, 9, 10, 11])


if __name__ == "__main__":
    unittest.main()
