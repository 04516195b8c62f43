"""Lines of IPython in the cells of E2B's clients: !COMMAND and %pip run a command, magics that change nothing here are left out."""

_LEFT_OUT = frozenset(("matplotlib", "load_ext", "reload_ext", "autoreload", "config"))
_SCRIPTS = ("%%bash", "%%sh")
_RUN = "__import__('sandglass_runner.magics', fromlist=['run']).run(%r)"


def plain(code, compiled):
    """What compiled(code) gives once lines at which it meets a SyntaxError are Python that does the same: so a line of a text is never
    taken for one of these. SyntaxError names another magic."""
    first, _, rest = code.lstrip().partition("\n")
    if first.strip() in _SCRIPTS:
        return compiled(_RUN % rest)
    lines = code.split("\n")
    for _ in lines:
        try:
            return compiled("\n".join(lines))
        except SyntaxError as error:
            place = (error.lineno or 0) - 1
            put = _plain_line(lines[place]) if 0 <= place < len(lines) else None
            if put is None or put == lines[place]:
                raise
            lines[place] = put
    return compiled("\n".join(lines))


def _plain_line(line):
    bare = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if bare.startswith("!") and len(bare) > 1:
        return indent + _RUN % bare.lstrip("!")
    if not bare.startswith("%") or not bare.lstrip("%")[:1].isalpha():
        return line
    name, _, words = bare.lstrip("%").partition(" ")
    if bare.startswith("%%") or name not in _LEFT_OUT | {"pip"}:
        raise SyntaxError(
            "%s is a magic of IPython, and this interpreter has only %%pip and %%%%bash: write it in Python, or use commands.run()"
            % bare.split()[0]
        )
    if name != "pip":
        return indent + "pass"
    import sys

    return indent + _RUN % ("%s -m pip %s" % (sys.executable, words))


def run(command):
    """Runs a command of the sandbox; its output is the cell's."""
    import subprocess
    import sys

    sys.stdout.flush()
    subprocess.call(command, shell=True, stdin=subprocess.DEVNULL)
