#!/usr/bin/env python3
"""usage: tidy.py [--seconds N] [--slice K/N] [FILE…]
clang-tidy over the project's sources, or those named; a header stands for a source that includes it. build/lint has the compile
commands. A file without a finding is looked at again only when it, a header of the project that it includes, its command or the
tools have changed (~/.cache/sandglass/lint). --slice: every Nth file; --seconds: begins with none after that time.
Exit code 1: there are findings."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "lint"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sandglass" / "lint"
TIDY = "clang-tidy-14"
CLANG = "clang++-14"
MOC = "/usr/lib/qt6/libexec/moc"
MOC_PRELUDE = ROOT / "packaging/cmake/moc_prelude.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
OWN_MOC = re.compile(r'^#include "(\w+\.moc)"', re.MULTILINE)
FINDING = re.compile(r"^(/.+?:\d+:\d+): (?:warning|error): ", re.MULTILINE)
UNDEFINES = "#undef QT_NO_KEYWORDS"  # a file with this line cannot use the headers that were parsed beforehand

# Headers that are parsed once for all files of a kind; the kind follows from an option in the file's command.
STANDARD = ["algorithm", "array", "chrono", "filesystem", "fstream", "functional", "map", "memory", "mutex", "optional", "set",
            "sstream", "string", "string_view", "thread", "utility", "variant", "vector"]
KINDS = [("-DQT_WIDGETS_LIB", STANDARD + ["QtWidgets"]), ("-DQT_GUI_LIB", STANDARD + ["QtGui"]),
         ("-DQT_TESTLIB_LIB", STANDARD + ["QTest", "QtCore"]), ("-DQT_CORE_LIB", STANDARD + ["QtCore"]), ("", STANDARD)]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_commands():
    """The compile command of each of the project's sources, without options that the tools do not need."""
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build"):
            words = shlex.split(entry["command"])
            del words[words.index("-o"):words.index("-o") + 2], words[words.index("-c"):]
            commands.setdefault(path, words[1:])
    return commands


class Sources:
    """The project's headers that each file includes, directly or through others."""

    def __init__(self):
        self.included = {}

    def direct(self, path):
        if path not in self.included:
            text = path.read_text(errors="replace")
            found = (candidate for name in INCLUDE.findall(text) for candidate in (ROOT / name, path.parent / name))
            self.included[path] = sorted({candidate.resolve() for candidate in found if candidate.is_file()})
        return self.included[path]

    def closure(self, path):
        seen, waiting = {path}, [path]
        while waiting:
            for header in self.direct(waiting.pop()):
                if header not in seen:
                    seen.add(header)
                    waiting.append(header)
        return sorted(seen)


def standing_for(wanted, commands, sources):
    """The named sources and, for each named header, a source that includes it: its own where there is one."""
    chosen = set()
    for name in wanted:
        path = pathlib.Path(name).resolve()
        if path in commands:
            chosen.add(path)
        elif path.suffix == ".h":
            users = [source for source in commands if path in sources.direct(source)]
            users = users or [source for source in commands if path in sources.closure(source)]
            chosen.update(sorted(users, key=lambda source: (source.stem != path.stem, str(source)))[:1])
    return chosen


class Tools:
    """clang-tidy with its plugin, and the precompiled headers. They are rebuilt when their sources change."""

    def __init__(self, commands):
        self.commands = commands
        source = ROOT / "packaging/gates/own_files.cpp"
        packages = run("dpkg-query", "-W", "g++-12", "libstdc++-12-dev", TIDY, "qt6-base-dev", "nlohmann-json3-dev", "libsqlite3-dev",
                       "libcurl4-openssl-dev", "libarchive-dev", "libspdlog-dev", "libcli11-dev", "libjq-dev", "libssl-dev", "libboost-dev")
        found = sorted(ROOT.glob(".clang-tidy")) + sorted(ROOT.glob("*/.clang-tidy")) + sorted(ROOT.glob("*/*/.clang-tidy"))
        configs = b"".join(path.read_bytes() for path in found)
        self.mark = hashlib.sha256(packages.encode() + configs + source.read_bytes() + repr(KINDS).encode()).hexdigest()
        made = BUILD / "made"
        self.plugin = BUILD / "own_files.so"
        if not self.plugin.exists() or not made.exists() or made.read_text() != self.mark:
            for old in BUILD.glob("*.pch"):
                old.unlink()
            run(CLANG, "-std=c++17", "-fno-rtti", "-O1", "-fPIC", "-shared", "-isystem", "/usr/lib/llvm-14/include", str(source), "-o",
                str(self.plugin))
            made.write_text(self.mark)

    def kind(self, path):
        if path.read_text(errors="replace").find(UNDEFINES, 0, 400) >= 0:
            return None
        words = self.commands[path]
        if "-fPIC" not in words:
            return len(KINDS) - 1
        # A library that is loaded has none that fits.
        return next((number for number, (word, _) in enumerate(KINDS) if word and word in words), None)

    def parse_headers(self, files):
        for number in sorted({self.kind(path) for path in files} - {None}):
            word, headers = KINDS[number]
            parsed = BUILD / f"kind{number}.pch"
            if parsed.exists():
                continue
            users = [path for path in self.commands if self.kind(path) == number]
            # Only options that all files of a kind share may be used.
            common = [item for item in self.commands[users[0]] if all(item in self.commands[path] for path in users)]
            folders = [item for item in self.commands[users[0]] if "/qt6" in item]
            text = BUILD / f"kind{number}.h"
            text.write_text("".join(f"#include <{header}>\n" for header in headers))
            flags = [item for item in common if item not in folders and item != "-isystem"]
            for folder in folders:
                flags += ["-isystem", folder]
            run(CLANG, *flags, "-x", "c++-header", str(text), "-o", str(parsed))

    def moc(self, path):
        """Runs moc for a source that includes moc's output; returns the include option for it."""
        made = OWN_MOC.search(path.read_text(errors="replace"))
        if not made:
            return []
        folder = BUILD / "moc" / path.relative_to(ROOT).parent
        folder.mkdir(parents=True, exist_ok=True)
        words = self.commands[path]
        defines = [word for word in words if word.startswith(("-D", "-I"))]
        folders = ["-I" + words[at + 1] for at, word in enumerate(words) if word == "-isystem"]
        run(MOC, "--include", str(MOC_PRELUDE), *defines, *folders, str(path), "-o", str(folder / made.group(1)))
        return ["-isystem", str(folder)]

    def check(self, path):
        kind = self.kind(path)
        flags = self.commands[path] + self.moc(path)
        if kind is not None:
            flags += ["-include-pch", str(BUILD / f"kind{kind}.pch")]
        done = subprocess.run([TIDY, "-load", str(self.plugin), "--quiet", str(path), "--", *flags],
                              capture_output=True, text=True, cwd=ROOT)
        return done.returncode, done.stdout + ("" if done.stdout else done.stderr)


def findings(text):
    """Splits the output into findings, each with the lines that belong to it."""
    starts = [match.start() for match in FINDING.finditer(text)]
    return [text[at:end].rstrip() for at, end in zip(starts, starts[1:] + [len(text)])]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--slice", default="0/1")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    began = time.monotonic()
    commands, sources = compile_commands(), Sources()
    part, parts = map(int, options.slice.split("/"))
    files = sorted(standing_for(options.files, commands, sources) if options.files else commands)[part % parts::parts]
    tools = Tools(commands)

    def key(path):
        words = [word for word in commands[path] if not word.startswith("-I" + str(BUILD))]
        whole = hashlib.sha256("\0".join([tools.mark, str(path.relative_to(ROOT)), *words]).replace(str(ROOT), "").encode())
        for part_of_it in sources.closure(path):
            whole.update(hashlib.sha256(part_of_it.read_bytes()).digest())
        return whole.hexdigest()

    CACHE.mkdir(parents=True, exist_ok=True)
    keys = {path: key(path) for path in files}
    left = [path for path in files if not (CACHE / keys[path]).exists()]
    for path in files:
        if path not in left:
            os.utime(CACHE / keys[path])
    tools.parse_headers(left)
    known, not_reached, looked_at, wrong = set(), [], 0, 0

    def look(path):
        if options.seconds and time.monotonic() - began > options.seconds:
            return path, None, ""
        return path, *tools.check(path)

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for path, code, text in pool.map(look, left):
            if code is None:
                not_reached.append(path)
                continue
            looked_at += 1
            found = findings(text)
            if code == 0 and not found:
                (CACHE / keys[path]).touch()
            elif not found:
                found = [f"{path}: {TIDY} ended with {code}: {text.strip()[-2000:]}"]
            for each in found:
                first = each.splitlines()[0]
                if first not in known:
                    known.add(first)
                    wrong += 1
                    print(each.replace(str(ROOT) + "/", ""), flush=True)
            if looked_at % 100 == 0:
                print(f"clang-tidy: {looked_at} of {len(left)} files", flush=True)
    for old in CACHE.iterdir():
        if time.time() - old.stat().st_mtime > 60 * 86400:
            old.unlink()
    if not_reached and os.environ.get("SG_GATE_NOTES"):
        with open(os.environ["SG_GATE_NOTES"], "a") as notes:
            notes.write(f"clang-tidy did not reach {len(not_reached)} of {len(files)} files in time\n")
    print(f"clang-tidy: {len(files)} files, {len(files) - len(left)} unchanged since they were clean, {looked_at} looked at, "
          f"{len(not_reached)} not reached in time, {wrong} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
