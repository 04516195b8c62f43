"""No class grows beyond what one reader keeps in mind: at most 3 source files implement it, and it has at most 30 data members.
A class and its private implementation, X::Impl, count as one.

EXCEPTIONS lists the classes that break this today; a row that is no longer needed must be removed."""

import collections
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_FILES = 3
MOST_MEMBERS = 30

EXCEPTIONS = {
    ("ui/widgets", "Tokens"),  # a table of colours
}

# A function definition at the beginning of a line: "Result<int> Outer::Inner::name(".
DEFINITION = re.compile(r"^(?:[^\s#/}{].*?[\s*&>])?((?:[A-Z]\w*::)+)(?:~?[A-Za-z_]\w*|operator\W+)\(", re.M)
CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+([A-Z]\w*(?:::[A-Z]\w*)*)\b(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{")
NO_MEMBER = re.compile(r"(?:using|friend|typedef|enum|struct|class|static|template|Q_\w+)\b")
MEMBER = re.compile(r"[\w>&*\]]\s+[*&]?\w+(?:\[\w*\])?\s*(?:=[^=].*|\{\s*\})?$", re.S)


def without_texts(code):
    """The code without comments, and with empty literals."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
    return re.sub(pattern, lambda found: " " if found.group(0)[0] == "/" else '""', code, flags=re.S)


def outer_text(code, start):
    """The text within the braces that were opened before `start`, with inner braces empty."""
    depth, out = 1, []
    for character in code[start:]:
        depth -= character == "}"
        if depth == 0:
            break
        if depth == 1:
            out.append("{}" if character == "{" else character if character != "}" else "")
        depth += character == "{"
    return "".join(out)


def is_member(statement):
    statement = re.sub(r"^(?:\s*(?:public|protected|private|Q_SIGNALS|Q_OBJECT)\s*(?:Q_SLOTS)?\s*:?)+", "", statement).strip()
    if not statement or NO_MEMBER.match(statement):
        return False
    plain = statement
    while re.search(r"<[^<>]*>", plain):  # the parentheses of std::function<void(int)> are none of a function
        plain = re.sub(r"<[^<>]*>", "", plain)
    plain = re.sub(r"=[^=].*$", "= 0", plain, flags=re.S)
    return "(" not in plain and MEMBER.search(plain) is not None


def whole(name):
    """The class to which X::Impl belongs."""
    return name.removesuffix("::Impl")


def members(code):
    """{class: number of its data members} of a file's text."""
    code = without_texts(code)
    found = {}
    for head in CLASS.finditer(code):
        # A function's body ends a statement, as a semicolon does.
        text = re.sub(r"\)([^;{}=]*)\{\}?", r")\1;", outer_text(code, head.end()))
        count = sum(is_member(statement) for statement in text.split(";"))
        found[whole(head.group(1))] = max(found.get(whole(head.group(1)), 0), count)
    return found


def implemented(code):
    """Classes of which this source text defines a function."""
    return {whole(qualifier[:-2]) for qualifier in DEFINITION.findall(code)}


def measured():
    files, sizes = collections.defaultdict(set), collections.defaultdict(int)
    for top in ("app", "core", "ui"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            module = "/".join(path.relative_to(ROOT).parts[:2])
            code = path.read_text(encoding="utf-8")
            for name, count in members(code).items():
                sizes[module, name] = max(sizes[module, name], count)
            for name in implemented(code) if path.suffix == ".cpp" else ():
                files[module, name].add(path.name)
    return {place: (len(files.get(place, ())), sizes.get(place, 0)) for place in {*files, *sizes}}


class Counting(unittest.TestCase):
    def test_data_members_are_told_from_the_rest(self):
        code = """
            class Thing final : public Base {
            public:
                explicit Thing(int a) : m_a(a) { }
                using Row = std::vector<int>;
                enum class Kind { A, B };
                struct Inner { int x = 0; std::string y; };
                [[nodiscard]] int a() const { return m_a; }
                void run(const std::function<void(int)>& each);
                bool operator==(const Thing&) const = default;
            private:
                const int m_a; // m_no;
                std::function<void(int, Row)> m_heard;
                std::map<int, std::string> m_names{ { 1, "a;b" } };
                int m_count = std::max(1, 2);
                Kind m_kind = Kind::A;
                char m_letters[16];
                std::unique_ptr<Inner> m_inner;
            };"""
        self.assertEqual(members(code), {"Thing": 7, "Inner": 2})

    def test_functions_tell_whose_file_it_is(self):
        code = """
Result<Thing::Live>
Thing::live()
{
    Other::call();
}
const Row& Thing::Inner::row(int) const
void helper(const Third& third)
Thing::~Thing() = default;
"""
        self.assertEqual(implemented(code), {"Thing", "Thing::Inner"})

    def test_a_private_implementation_is_part_of_its_class(self):
        code = """
class Thing {
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};
struct Thing::Impl {
    int a = 0;
    int b = 0;
};
void Thing::Impl::run()
void Thing::Other::run()
"""
        self.assertEqual(members(code), {"Thing": 2})
        self.assertEqual(implemented(code), {"Thing", "Thing::Other"})


class Classes(unittest.TestCase):
    def test_none_is_too_large(self):
        sizes = measured()
        self.assertGreater(len(sizes), 500)
        for place, (files, count) in sorted(sizes.items()):
            if place not in EXCEPTIONS:
                with self.subTest("%s %s" % place):
                    self.assertLessEqual(files, MOST_FILES, "source files implement it")
                    self.assertLessEqual(count, MOST_MEMBERS, "data members")

    def test_exceptions_are_needed(self):
        sizes = measured()
        for place in EXCEPTIONS:
            with self.subTest("%s %s" % place):
                files, count = sizes.get(place, (0, 0))
                self.assertTrue(files > MOST_FILES or count > MOST_MEMBERS, "it keeps to the rule, or is not there any more")
