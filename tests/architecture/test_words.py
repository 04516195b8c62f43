"""States, kinds and parts are types: a word is compared where it is read or written, and nowhere else.

BORDERS lists the files and folders that compare the words of others; a row that is no longer needed must be removed."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

FRAMES = "events and kinds in the frames of the sandbox's runner"
BORDERS = {
    "core/artifacts/s3/bucket_address.cpp": "segments of a path",
    "core/base/json.cpp": "the JSON library's names of what it expected",
    "core/base/relative_path.cpp": "segments of a path",
    "core/graph/checks/check_nodes.cpp": "words of a graph file, which may be wrong",
    "core/nodes/python_node.cpp": FRAMES,
    "core/postgres/connection.cpp": "SQLSTATE",
    "core/sandbox/docker/docker_backend.cpp": "Docker's states of a container",
    "core/sessions/live/artifact_copy.cpp": FRAMES,
    "core/sessions/live/beside_calls.cpp": FRAMES,
    "core/sessions/live/intake_batch.cpp": FRAMES,
    "core/sessions/live/session_execution.cpp": FRAMES,
    "core/sessions/live/session_rewind.cpp": FRAMES,
    "core/sessions/runner/": FRAMES,
    "core/sessions/snapshots/": FRAMES + ", and of the records in a stored file of names",
    "ui/bridge/chat/chat_query.cpp": "kinds of content blocks in LangChain's messages",
    "ui/graph/forms/mode_form.cpp": "words of a graph file, which may be wrong",
    "ui/graph/layout/dot_layout.cpp": "Graphviz's output",
    "ui/state/message_text.cpp": "kinds of content blocks in LangChain's messages",
}

NAMES = r"(?:status|state|kind|outcome|source|event|part|routing|durability|parallel|scope|sandbox|storage|datasets|mark)"
LITERAL = r'(?:(?:QStringLiteral|QLatin1String|QLatin1StringView|std::string|std::string_view)\s*[({]\s*)?(?:u8|u)?"'
COMPARED = (
    re.compile(r"\b%s(?:\(\))?\s*[=!]=\s*%s" % (NAMES, LITERAL)),
    re.compile(r'"\s*[)}]?\s*[=!]=\s*(?:[\w()\[\]*]+(?:\.|->|::))*%s\b(?:\(\))?(?!\s*(?:\.|->|::|\w|\())' % NAMES),
)


def comparisons(code):
    """The lines of a text that compare such a name with a literal."""
    return sorted({code.count("\n", 0, found.start()) + 1 for pattern in COMPARED for found in pattern.finditer(code)})


BACKEND_NAME = re.compile(r'"[^"]*\b(?:docker|bubblewrap)\b[^"]*"')
BACKEND_NAMERS = {"app/cli/examples.cpp"}  # commands as people type them


def names_backend(line):
    """A program or a window's text that names a backend by hand; headers and comments may."""
    code = line.strip()
    return not code.startswith(("#include", "//")) and BACKEND_NAME.search(code.split(" // ")[0]) is not None


def border_of(path):
    return next((place for place in BORDERS if path == place or (place.endswith("/") and path.startswith(place))), None)


class Words(unittest.TestCase):
    def test_words_are_compared_at_borders_alone(self):
        used = set()
        for top in ("app", "core", "ui"):
            for path in sorted((ROOT / top).rglob("*")):
                if path.suffix not in (".cpp", ".h"):
                    continue
                name = path.relative_to(ROOT).as_posix()
                lines = comparisons(path.read_text(encoding="utf-8"))
                if lines and border_of(name):
                    used.add(border_of(name))
                elif lines:
                    with self.subTest(name):
                        self.fail("lines %s compare words: give them an enum (core/base/word.h)" % lines)
        self.assertEqual(set(BORDERS), used, "rows that are not needed")

    def test_backends_are_named_by_their_descriptors(self):
        found = set()
        for top in ("app", "ui"):
            for path in sorted((ROOT / top).rglob("*")):
                if path.suffix in (".cpp", ".h") and any(map(names_backend, path.read_text(encoding="utf-8").splitlines())):
                    found.add(path.relative_to(ROOT).as_posix())
        self.assertEqual(found, BACKEND_NAMERS, "ask core/sandbox/backend_kinds.h")

    def test_finds_the_name_of_a_backend(self):
        self.assertTrue(names_backend('    verb.option("--image", image, "container image (docker)");'))
        self.assertFalse(names_backend('#include "core/sandbox/docker/docker_backend.h"'))
        self.assertFalse(names_backend('    QString backend; // "docker", "bubblewrap"'))

    def test_finds_what_is_forbidden(self):
        for text in (
            'if (row.kind == "cell")',
            'if (entry->outcome != "ok")',
            'return session.state() == "idle";',
            'at = at->source == QLatin1String("input") ? nullptr : at;',
            'if (note.event ==\n    QStringLiteral("ended"))',
            'if (state == std::string_view("dead"))',
            'if ("cell" == row.kind)',
            'if (QLatin1String("dead") != story->state)',
            'if (std::string("exact") == rows[0].sandbox && isShown)',
        ):
            with self.subTest(text):
                self.assertEqual(len(comparisons(text)), 1)

    def test_finds_nothing_else(self):
        for text in (
            "if (row.kind == Kind::Cell)",
            'if (row.kindWords == "cell")',
            'const std::string kind = "cell";',
            'if (name == "cell" && row.kind == Kind::Cell)',
            'add("kind", row.kind);',
            'if (name == "state" || "x" == name)',
            'if (row.kind == kAgentKind)',
            'if ("a" == state.name)',
        ):
            with self.subTest(text):
                self.assertEqual(comparisons(text), [])


if __name__ == "__main__":
    unittest.main()
