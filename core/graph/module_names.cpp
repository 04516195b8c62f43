#include "core/graph/module_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>

namespace sg::graph {
namespace {

namespace fs = std::filesystem;

constexpr int kMostEntries = 10'000;
constexpr std::size_t kMostClashes = 20;

constexpr std::array<std::string_view, 221> kStandardModules{
    "abc",
    "aifc",
    "antigravity",
    "argparse",
    "array",
    "ast",
    "asynchat",
    "asyncio",
    "asyncore",
    "atexit",
    "audioop",
    "base64",
    "bdb",
    "binascii",
    "binhex",
    "bisect",
    "builtins",
    "bz2",
    "cProfile",
    "calendar",
    "cgi",
    "cgitb",
    "chunk",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "compileall",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "crypt",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "dbm",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "doctest",
    "email",
    "encodings",
    "ensurepip",
    "enum",
    "errno",
    "faulthandler",
    "fcntl",
    "filecmp",
    "fileinput",
    "fnmatch",
    "formatter",
    "fractions",
    "ftplib",
    "functools",
    "gc",
    "genericpath",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "grp",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "idlelib",
    "imaplib",
    "imghdr",
    "imp",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "lib2to3",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "mailbox",
    "mailcap",
    "marshal",
    "math",
    "mimetypes",
    "mmap",
    "modulefinder",
    "msilib",
    "msvcrt",
    "multiprocessing",
    "netrc",
    "nis",
    "nntplib",
    "nt",
    "ntpath",
    "nturl2path",
    "numbers",
    "opcode",
    "operator",
    "optparse",
    "os",
    "ossaudiodev",
    "parser",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pipes",
    "pkgutil",
    "platform",
    "plistlib",
    "poplib",
    "posix",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "pty",
    "pwd",
    "py_compile",
    "pyclbr",
    "pydoc",
    "pydoc_data",
    "pyexpat",
    "queue",
    "quopri",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "rlcompleter",
    "runpy",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "smtpd",
    "smtplib",
    "sndhdr",
    "socket",
    "socketserver",
    "spwd",
    "sqlite3",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "sunau",
    "symbol",
    "symtable",
    "sys",
    "sysconfig",
    "syslog",
    "tabnanny",
    "tarfile",
    "telnetlib",
    "tempfile",
    "termios",
    "textwrap",
    "this",
    "threading",
    "time",
    "timeit",
    "tkinter",
    "token",
    "tokenize",
    "tomllib",
    "trace",
    "traceback",
    "tracemalloc",
    "tty",
    "turtle",
    "turtledemo",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uu",
    "uuid",
    "venv",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "winreg",
    "winsound",
    "wsgiref",
    "xdrlib",
    "xml",
    "xmlrpc",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
};

// A module is a file NAME.py, or a folder NAME with an __init__.py.
std::optional<std::string> moduleOf(const fs::directory_entry& entry)
{
    std::error_code error;
    const fs::path& path = entry.path();
    if (path.extension() == ".py" && entry.is_regular_file(error))
        return path.stem().string();
    if (fs::exists(path / "__init__.py", error))
        return path.filename().string();
    return std::nullopt;
}

std::vector<std::string> modulesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    int seen = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && seen < kMostEntries;
         entry.increment(error), ++seen)
        if (auto name = moduleOf(*entry))
            names.push_back(std::move(*name));
    std::ranges::sort(names);
    return names;
}

} // namespace

bool isStandardModule(std::string_view name)
{
    return std::ranges::binary_search(kStandardModules, name);
}

std::vector<ModuleClash> moduleClashes(const fs::path& project, const std::vector<std::string>& folders,
                                       const std::vector<std::string>& installed)
{
    std::vector<ModuleClash> clashes;
    std::map<std::string, std::string> first; // name → folder
    for (const std::string& folder : folders)
        for (const std::string& name : modulesIn(project / folder)) {
            if (clashes.size() == kMostClashes)
                return clashes;
            const auto [found, isNew] = first.emplace(name, folder);
            if (isStandardModule(name))
                clashes.push_back({ "'" + folder + "/" + name
                                    + "' has the name of a module of Python's standard library, "
                                      "which 'import "
                                    + name + "' gives; rename it so that other files can import it" });
            else if (!isNew && found->second != folder)
                clashes.push_back({ "'import " + name + "' gives that of '" + found->second
                                    + "', not that of '" + folder + "'; rename one of them" });
            else if (std::ranges::find(installed, name) != installed.end())
                clashes.push_back(
                    { "'" + folder + "/" + name
                      + "' has the name of an installed package, which it hides: 'import " + name
                      + "' gives the project's in all code, also in other packages; rename it" });
        }
    return clashes;
}

} // namespace sg::graph
