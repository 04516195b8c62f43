"""Completion and the description of names."""

import unittest

from host import Host


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = Host()
        cls.host.cell(
            "import math\nvalue = 5\nvalues = {'one': 1, 'other': 2}\n"
            "def greet(name, loud=False):\n    '''Says hello.'''\n"
            "class Slow:\n    @property\n    def never(self):\n        while True: pass\nslow = Slow()"
        )

    @classmethod
    def tearDownClass(cls):
        cls.host.close()

    def matches(self, code):
        found = self.host.ask("complete", code=code, cursor=len(code))
        self.assertEqual(found["ev"], "completions")
        return found["start"], [m["text"] for m in found["matches"]]

    def test_names_attributes_keys_and_modules(self):
        self.assertEqual(self.matches("x = val"), (4, ["value", "values"]))
        self.assertEqual(self.matches("math.sq"), (5, ["sqrt"]))
        self.assertEqual(self.matches("values['o"), (8, ["one", "other"]))
        self.assertIn("json", self.matches("import js")[1])
        self.assertEqual(self.matches("whil"), (0, ["while"]))
        self.assertEqual(self.matches("nothing.such"), (8, []))
        self.assertEqual(self.matches(""), (0, self.matches("")[1]))

    def test_a_property_is_named_and_not_evaluated(self):
        self.assertEqual(self.matches("slow.nev"), (5, ["never"]))

    def test_what_takes_too_long_is_stopped(self):
        found = self.host.ask("complete", code="slow.never.x", cursor=12)
        self.assertEqual(found["ev"], "problem")
        self.assertEqual(self.host.value("value"), "5")

    def test_a_description_has_signature_and_docstring(self):
        found = self.host.ask("inspect", code="greet(", cursor=6)
        self.assertEqual(
            (found["found"], found["name"], found["type"], found["signature"], found["doc"]),
            (True, "greet", "function", "(name, loud=False)", "Says hello."),
        )
        self.assertIn("square root", self.host.ask("inspect", code="y = math.sqrt(2)", cursor=11)["doc"])
        self.assertFalse(self.host.ask("inspect", code="nothing", cursor=3)["found"])

    def test_they_wait_for_the_running_cell(self):
        cell = self.host.start_cell("import time; time.sleep(0.2); fresh = 1")
        number = self.host.next_id()
        self.host.send({"op": "complete", "id": number, "code": "fres", "cursor": 4})
        found = self.host.wait("completions", number)
        self.assertEqual([m["text"] for m in found["matches"]], ["fresh"])
        self.assertIn(cell, [m.get("id") for m in self.host.seen if m["ev"] == "done"])

    def test_wrong_requests_are_refused(self):
        for keys in ({"code": 5, "cursor": 0}, {"code": "x"}, {"code": "x", "cursor": -1}):
            self.assertEqual(self.host.ask("complete", **keys)["ev"], "problem")
        self.assertEqual(self.host.ask("complete", code="x", cursor=1 << 40)["ev"], "completions")


if __name__ == "__main__":
    unittest.main()
