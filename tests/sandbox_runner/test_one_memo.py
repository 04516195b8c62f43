"""One memo for all stored names: what fails, what is gone, what an older snapshot wrote, and what is stored once by its hash."""

import unittest

from host import Host
import require
import test_stored_names


class OneMemo(test_stored_names.StoredNames):
    """By the Python of sandboxes, which can pickle what cells define."""

    def setUp(self):
        require.need("runtime")
        self.host = Host(python=require.runtime_python())
        self.addCleanup(self.host.close)

    def stored(self, code):
        self.assertEqual(self.host.cell(code)["status"], "ok")
        self.host.ask("snapshot", snapshot="s")
        return self.store("s")

    def contents(self, stream):
        return {record["name"]: contents[0] for record, contents in stream.records if contents}

    def test_a_name_that_cannot_be_written_leaves_nothing_that_others_refer_to(self):
        stream = self.stored("part = [1]\na = [[part, {}], (i for i in part)]\nb = {'part': part}\nc = [part, 'x', part]\nd = [b, c]")
        missing = self.load(stream.back())
        self.assertEqual([m["name"].split()[0] for m in missing], ["a"])
        self.assertEqual(self.host.value("part is b['part'] is c[0] is c[2] is d[0]['part'], d[1] is c"), "(True, True)")

    def test_what_refers_to_a_name_that_did_not_come_back_is_named_and_nothing_else(self):
        code = "def fails(): raise ValueError('not here')\nclass Bad:\n    def __reduce__(self): return (fails, ())\n"
        code += "first = [1]; held = [2]; bad = [held, Bad(), 5, 6]; other = {'h': held}; last = {'f': first, 'h': 'hhjj' * 99}; again = [last]"
        code += "\norder = [bad, 7, 8, 9, 10]"  # the longest: it is written before what it holds
        missing = self.load(self.stored(code).back())
        self.assertEqual(sorted(m["name"].split()[0] for m in missing), ["bad", "held", "order", "other"])
        self.assertEqual(self.host.value("Bad.__name__, fails.__name__"), "('Bad', 'fails')")
        why = {m["name"].split()[0]: m["name"] for m in missing}
        self.assertIn("it holds something of bad, which did not come back", why["other"])
        self.assertEqual(self.host.value("last['f'] is first, again[0] is last, first"), "(True, True, [1])")

    def test_what_is_gone_is_told_to_the_memo(self):
        stream = self.stored("held = [2]; gone = [held, 3, 4]; other = {'h': held}; last = [[5]]; again = (last,)")
        for at, (record, contents) in enumerate(stream.records):
            if record.get("name") == "gone":  # as the host does where a content is gone
                keys = {key: record[key] for key in ("name", "scope", "memo")}
                stream.records[at] = (dict(keys, kind="missing", reason="its stored content is gone"), None)
        missing = self.load(stream.back())
        self.assertEqual(sorted(m["name"].split()[0] for m in missing), ["gone", "held", "other"])
        self.assertEqual(self.host.value("again[0] is last, last"), "(True, [[5]])")

    def test_names_without_a_memo_of_an_older_snapshot_are_read(self):
        stream = self.stored("x = 5; y = 'text'")
        for record, contents in stream.records:
            record.pop("memo", None)
        self.assertEqual(self.load(stream.back()), [])
        self.assertEqual(self.host.value("x, y"), "(5, 'text')")

    def test_a_memo_that_is_none_costs_that_name(self):
        for memo in ("x", [3], [-5, -1], [0, "y"], [5, 3]):
            stream = self.stored("x = 5; y = 'text'")
            for record, contents in stream.records:
                if record.get("name") == "x":
                    record["memo"] = memo
            self.load(stream.back())
            self.assertEqual(self.host.value("y"), "'text'")

    def test_what_did_not_change_is_written_as_before(self):
        """Though a name before it has grown a little."""
        self.host.cell("rows = [[]] * 20; table = [{'k%d' % i: [i, 'v']} for i in range(2000)]; again = [table[5], {'a': table[7]}]")
        first = self.contents(self.stored("rows.append({'a': [1]})"))
        second = self.contents(self.stored("rows.append({'a': [2]})"))
        self.assertNotEqual(first["rows"], second["rows"])
        self.assertEqual((first["table"], first["again"]), (second["table"], second["again"]))

    def test_many_that_share_come_back_in_time(self):
        self.host.cell("base = [[i] for i in range(50000)]\nfor i in range(300): globals()['n%d' % i] = base[i * 7 : i * 7 + 20]\nbad = (i for i in base)")
        self.assertEqual(len(self.around()), 1)
        self.assertEqual(self.host.value("all(n[0] is base[i * 7] for i in range(300) for n in [globals()['n%d' % i]])"), "True")

    def test_classes_and_functions_of_a_node_file_keep_what_was_set(self):
        source = "class Row:\n    made = []\n    limit = 1\ndef clean(x, seen=[]):\n    seen.append(x); return seen\n"
        source += "def node(state):\n    Row.limit = 9; Row.made.append(clean('a')); clean.calls = 4\n    return {}"
        self.assertEqual(self.host.call(source, file="nodes/n.py")["status"], "ok")
        self.assertEqual(self.around(), [])
        self.assertEqual(self.host.value("Row.limit, Row.made, clean.calls, clean('b'), Row.made[0] is clean('c')"), "(9, [['a', 'b', 'c']], 4, ['a', 'b', 'c'], True)")

    def test_classes_and_functions_that_a_node_defines_as_it_runs_come_back_whole(self):
        source = "class Top:\n    class Inner: pass\ndef node(state):\n    global C, D, c, f, i\n    class C:\n        seen = []\n        def up(self): self.seen.append(1); return C\n"
        source += "    class D(C): pass\n    c = D(); c.up()\n    def f(x, acc=[]): acc.append(x); return acc\n    f(1); f.mark = 2; i = Top.Inner()\n    return {}"
        self.assertEqual(self.host.call(source, file="nodes/a.py")["status"], "ok")
        for _ in range(2):
            self.assertEqual(self.around(), [])
            self.assertEqual(self.host.value("type(c) is D, D.__base__ is C, c.up() is C, f.mark, type(i) is Top.Inner"), "(True, True, True, 2, True)")
        self.assertEqual(self.host.value("C.seen is D.seen, C.seen, f(2)"), "(True, [1, 1, 1], [1, 2])")

    def test_a_file_that_does_not_come_back_is_said_of_its_names(self):
        self.host.cell("import os; os.environ['PLACE'] = 'here'; open('gone.py', 'w').close()")
        source = "import gone\nN = 1\ndef node(state): return {}"
        self.host.cell("import sys, os; sys.path.insert(0, os.getcwd())")
        self.assertEqual(self.host.call(source, file="nodes/n.py")["status"], "ok")
        stream = self.stored("import os; os.remove('gone.py'); here = node")
        missing = [m["name"] for m in self.load(stream.back())]
        self.assertTrue([m for m in missing if m.startswith("nodes/n.py")], missing)
        self.assertEqual([m for m in missing if "another name" in m or "KeyError" in m and "its file" not in m], [], missing)

    def test_a_node_file_sees_the_environment_when_it_is_executed_again(self):
        self.host.cell("import os; os.environ['PLACE'] = 'here'")
        source = "import os\nPLACE = os.environ['PLACE']\ndef node(state): return {}"
        self.assertEqual(self.host.call(source, file="nodes/n.py")["status"], "ok")
        self.assertEqual(self.around(), [])
        self.assertEqual(self.host.value("PLACE, callable(node)"), "('here', True)")

    def test_a_session_with_nothing_set_writes_nothing_of_it(self):
        stream = self.stored("n = 1")
        self.assertEqual([r["name"] for r, _ in stream.records if r.get("scope") and r["name"] != "random"], [])


for inherited in [name for name in dir(test_stored_names.StoredNames) if name.startswith("test_")]:
    setattr(OneMemo, inherited, None)


if __name__ == "__main__":
    unittest.main()
