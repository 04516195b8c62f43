"""The window asks the open project by subjects: OpenProject and each client offer at most 15 public calls, and what only clients
may ask stands behind ProjectAccess."""

import re
import unittest

from test_classes import ROOT, without_texts

MOST_CALLS = 15
BRIDGE = ROOT / "ui" / "bridge"

HEAD = re.compile(r"\bclass\s+(\w+)\b(?:\s+final)?\s*:\s*public\s+(\w+)\s*\{")
ACCESS = re.compile(r"\b(public|protected|private|Q_SIGNALS)\b(?:\s+Q_SLOTS)?\s*:(?!:)")
FUNCTION = re.compile(r"(~?[A-Za-z_]\w*|operator\W+?)\s*\(")


def body(code, start):
    """The text within the braces that were opened before `start`, without what inner braces hold."""
    depth, out = 1, []
    for character in code[start:]:
        depth -= character == "}"
        if depth == 0:
            break
        if depth == 1:
            out.append(";" if character == "}" else character)
        depth += character == "{"
    return "".join(out)


def calls(code):
    """{class: names of its public calls} of a header's text, for the open project and its clients."""
    found = {}
    code = without_texts(code)
    for head in HEAD.finditer(code):
        name, base = head.groups()
        if base != "Client" and name != "OpenProject":
            continue
        parts = ACCESS.split(body(code, head.end()))
        names = []
        for access, text in zip(parts[1::2], parts[2::2]):
            for statement in text.split(";") if access == "public" else ():
                statement = re.sub(r"\[\[\w+\]\]|template\s*<[^<>]*>", "", statement).strip()
                function = None if re.match(r"(using|friend|struct|enum|class)\b", statement) else FUNCTION.search(statement)
                if function and function.group(1).lstrip("~") != name:
                    names.append(function.group(1))
        found[name] = names
    return found


class Counting(unittest.TestCase):
    def test_calls_are_told_from_the_rest(self):
        code = """
            class BooksClient : public Client {
                Q_OBJECT
            public:
                explicit BooksClient(OpenProject& project)
                    : Client(project)
                {
                }
                ~BooksClient() override;
                using Client::access;
                struct Book { QString title() const; };
                void load(); // answer();
                void read(const QString& book, const std::function<void(int)>& each = {});
                [[nodiscard]] bool isOpen() const { return m_open; }
            Q_SIGNALS:
                void loaded(const QString& book);
            private:
                void helper();
                bool m_open = false;
            };
            class Shelf : public QObject { public: void load(); };"""
        self.assertEqual(calls(code), {"BooksClient": ["load", "read", "isOpen"]})


class Bridge(unittest.TestCase):
    def test_no_client_offers_too_much(self):
        found = {}
        for path in sorted(BRIDGE.rglob("*.h")):
            found.update(calls(path.read_text(encoding="utf-8")))
        self.assertGreater(len(found), 12)
        self.assertIn("OpenProject", found)
        self.assertIn("HistoryClient", found)
        for name, names in found.items():
            with self.subTest(name):
                self.assertLessEqual(len(names), MOST_CALLS, names)

    def test_the_window_asks_no_workbench(self):
        for path in sorted((ROOT / "ui").rglob("*")):
            if path.suffix not in (".h", ".cpp") or BRIDGE in path.parents:
                continue
            with self.subTest(str(path.relative_to(ROOT))):
                self.assertNotIn("project_access.h", path.read_text(encoding="utf-8"))
