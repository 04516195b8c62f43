"""Starts the window in a display of its own and drives it from outside, as a person and a screen reader would: AT-SPI for
what is there, real key presses and pictures for the rest. Needs Debian's /usr/bin/python3 with python3-pyatspi, Xvfb,
dbus, at-spi2-core, openbox, xdotool and imagemagick."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from accessible_tree import AccessibleTree

PATIENCE = 60  # seconds for what must come: no claim about speed, as other tests may run beside this one
NEEDED = ["Xvfb", "dbus-run-session", "openbox", "xdotool", "import"]


def missing_programs():
    missing = [name for name in NEEDED if shutil.which(name) is None]
    try:
        import pyatspi  # noqa: F401
    except Exception as error:  # an incomplete installation raises more than ImportError
        missing.append(f"pyatspi ({error})")
    return missing


def start_display(width, height):
    """An X server on a number that it picks itself and tells when it is ready: no number is taken twice, nothing waits
    for a busy machine by the clock."""
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp", "-noreset"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as answers:
        number = answers.readline().strip()
    if not number:
        server.wait()
        sys.exit("Xvfb did not start")
    return server, ":" + number


def enter_display(width=1600, height=1040):
    """Starts this script again under Xvfb and a session bus, once. A fresh home, so that every run is a first run."""
    if os.environ.get("SG_WINDOW_TEST"):
        return
    home = tempfile.mkdtemp(prefix="sandglass-window-")
    runtime = os.path.join(home, "runtime")
    os.mkdir(runtime, 0o700)
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.environ.get("HOME", "/root"), ".local", "share")
    environment = dict(
        os.environ,
        SG_WINDOW_TEST=home,
        SANDGLASS_PYTHON=os.environ.get("SANDGLASS_PYTHON", os.path.join(data, "sandglass", "python")),
        HOME=home,
        XDG_CONFIG_HOME=os.path.join(home, "config"),
        XDG_DATA_HOME=os.path.join(home, "data"),
        XDG_RUNTIME_DIR=runtime,
        QT_QPA_PLATFORM="xcb",
        QT_ACCESSIBILITY="1",
        QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
        NO_AT_BRIDGE="0",
        TZ="UTC",
    )
    environment.pop("QT_FATAL_WARNINGS", None)
    server, environment["DISPLAY"] = start_display(width, height)
    command = ["dbus-run-session", "--", sys.executable, *sys.argv]
    try:
        code = subprocess.run(command, env=environment, stderr=subprocess.DEVNULL if os.environ.get("SG_QUIET") else None).returncode
    finally:
        server.terminate()
        server.wait()
    shutil.rmtree(home, ignore_errors=True)
    sys.exit(code)


_helpers = []


def _start_helpers():
    """The accessibility bus and a window manager, once a display: applications do not find a second bus."""
    if _helpers:
        return
    for command in (["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], ["openbox"]):
        _helpers.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
    time.sleep(1)

    @atexit.register
    def stop():
        for helper in _helpers:
            helper.terminate()
            helper.wait(PATIENCE)


class Window:
    """One running window. Use as a context manager; leaving it closes the window as a user would."""

    def __init__(self, program, *arguments, wait=PATIENCE):
        self.command = [program, *arguments]
        self.wait = wait
        self.places = None

    def __enter__(self):
        _start_helpers()
        started = time.monotonic()
        self.process = subprocess.Popen(self.command)
        import pyatspi

        deadline = started + self.wait
        while time.monotonic() < deadline:
            for application in pyatspi.Registry.getDesktop(0):
                if application and application.get_process_id() == self.process.pid and len(application):
                    self.root = application
                    self.seconds_to_window = time.monotonic() - started
                    return self
            if self.process.poll() is not None:
                raise RuntimeError(f"the window ended with {self.process.returncode} before it was shown")
            time.sleep(0.05)
        self.process.kill()
        self.process.wait()
        raise RuntimeError("no accessible window appeared")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.exit_code = self.ended_within(1)
        if self.exit_code is None:  # it asks about edits that are not saved, or a run and its session end
            self.discard_edits()
            self.exit_code = self.ended_within(PATIENCE)
        if self.exit_code is None:
            self.process.kill()
            self.process.wait()

    def ended_within(self, seconds):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def discard_edits(self):
        try:
            if self.find("Staged changes"):
                self.press("Discard", "button", wait=1)
            if self.find("Save the macro?"):
                self.press("Discard", "button", wait=1)
            if self.find("Save changes?"):
                self.press("Discard", "button", wait=1)
        except Exception:  # it has ended meanwhile
            pass

    def read(self):
        """All places of the tree as it is now."""
        if self.places is None:
            self.places = AccessibleTree(self.process.pid)
        return self.places.read()

    def accessible(self, place):
        """What pyatspi can act on; None where the tree has changed meanwhile."""
        node = self.root
        try:
            for step in place.steps:
                node = node[step]
            return node if (node.name or "") == place.name else None
        except Exception:
            return None

    def find(self, name, role=None, contains=False, can_act=False):
        counted = name + " ("  # a tab may say how much its panel holds
        tab = role == "page tab"
        named = [place for place in self.read()
                 if place.name == name or (contains and name in place.name) or (tab and place.name.startswith(counted))]
        if role is not None:
            named = [place for place, kind in zip(named, self.places.roles(named)) if role in kind]
        for place in named:
            if (node := self.accessible(place)) and (not can_act or self.has_actions(node)):
                return node
        return None

    @staticmethod
    def has_actions(node):
        """What is switched off has none."""
        try:
            return node.queryAction().nActions > 0
        except NotImplementedError:
            return False

    def need(self, name, role=None, contains=False, wait=PATIENCE, can_act=False):
        deadline = time.monotonic() + wait
        while time.monotonic() < deadline:
            node = self.find(name, role, contains, can_act)
            if node:
                return node
            time.sleep(0.1)
        raise AssertionError(f"not in the window: {role or 'anything'} named {name!r}\n{self.tree()}")

    def inside(self, node, name, role):
        """What stands below another thing of the tree, such as a field of a form."""
        import pyatspi

        found = pyatspi.findDescendant(node, lambda each: each.name == name and role in each.getRoleName())
        if found is None:
            raise AssertionError(f"no {role} named {name!r} in {node.name!r}\n{self.tree()}")
        return found

    def press(self, name, role=None, contains=False, wait=PATIENCE):
        from gi.repository import GLib

        deadline = time.monotonic() + wait
        while True:
            try:
                return self.act(self.need(name, role, contains, wait, can_act=True))
            except GLib.GError:  # it was made anew since it was found
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    @staticmethod
    def act(node):
        actions = node.queryAction()
        for i in range(actions.nActions):
            if actions.getName(i).lower() in ("press", "click", "toggle"):
                actions.doAction(i)
                return node
        actions.doAction(0)
        return node

    def take_keys(self):
        """Waits until this window is the one that keys go to."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            active = subprocess.run(["xdotool", "getactivewindow", "getwindowpid"], capture_output=True, text=True).stdout
            if active.strip() == str(self.process.pid):
                return
            time.sleep(0.05)
        raise AssertionError("the window does not get the keys")

    def key(self, combination):
        self.take_keys()
        subprocess.run(["xdotool", "key", "--clearmodifiers", combination], check=True)

    def type(self, words):
        self.take_keys()
        subprocess.run(["xdotool", "type", "--delay", "30", words], check=True)

    def extents(self, name):
        """Where the largest thing of that name stands that is seen, such as a panel and not its tab: x, y, width, height."""
        import pyatspi

        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            named = [place for place in self.read() if place.name == name]
            seen = [self.accessible(place) for place, states in zip(named, self.places.states(named))
                    if int(pyatspi.STATE_SHOWING) in states]
            if found := [node.queryComponent().getExtents(0) for node in seen if node is not None]:
                return max(found, key=lambda extents: extents.width * extents.height)
            time.sleep(0.1)
        raise AssertionError(f"not seen in the window: {name!r}\n{self.tree()}")

    def client(self):
        """The X window of our main window, without the window manager's frame."""
        search = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "Sandglass"]
        deadline = time.monotonic() + PATIENCE
        while True:  # accessible things are there before the window is mapped
            found = subprocess.run(search, capture_output=True, text=True).stdout.split()
            if found:
                return found[-1]
            if time.monotonic() > deadline:
                raise AssertionError("no window of Sandglass is on the display")
            time.sleep(0.1)

    def resize(self, width, height):
        """Waits until the window has that size inside its frame."""
        client = self.client()
        wanted = {f"WIDTH={width}", f"HEIGHT={height}"}
        deadline = time.monotonic() + PATIENCE
        while True:  # xdotool's own waiting never ends where the size is right already
            subprocess.run(["xdotool", "windowmove", client, "2", "24", "windowsize", client, str(width), str(height)], check=True)
            time.sleep(0.3)
            known = subprocess.run(["xdotool", "getwindowgeometry", "--shell", client], capture_output=True, text=True).stdout
            if wanted <= set(known.split()):
                return
            if time.monotonic() > deadline:
                raise AssertionError(f"the window does not become {width} x {height}: {known}")

    def picture(self, path):
        subprocess.run(["import", "-window", self.client(), path], check=True)

    def screen(self, path):
        """The whole display: for menus and popups, which are windows of their own."""
        subprocess.run(["import", "-window", "root", path], check=True)

    def tree(self):
        places = self.read()
        return "\n".join("  " * len(place.steps) + f"{role} {place.name!r}" for place, role in zip(places, self.places.roles(places)))
