"""The command palette, quick open, layouts and the way from panel to panel, by keyboard alone."""

import time
import unittest

import window_case
from window_case import WORKBENCH, copied
from window_driver import Window


def with_state(window, state, name="", role=None):
    """Those in the tree that are in that state; names match by a part."""
    import pyatspi

    wanted = int(getattr(pyatspi, "STATE_" + state))
    places = [place for place in window.read() if name in place.name]
    places = [place for place, states in zip(places, window.places.states(places)) if wanted in states]
    return [place.name or kind for place, kind in zip(places, window.places.roles(places)) if role is None or role in kind]


def is_shown(window, name, role=None):
    return bool(with_state(window, "SHOWING", name, role))


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(what)


class Commands(unittest.TestCase):
    def test_finds_and_runs_a_command(self):
        with Window(WORKBENCH, copied("counter")) as window:
            window.need("incrementer", contains=True)
            until(lambda: is_shown(window, "Terminal", "page tab"), "the first layout has no terminal")
            window.key("ctrl+shift+p")
            until(lambda: is_shown(window, "Commands", "text"), "no palette")
            window.type("review")
            window.key("Escape")
            until(lambda: not is_shown(window, "Commands", "text"), "the palette stays open after Escape")
            window.key("ctrl+shift+p")
            until(lambda: is_shown(window, "Commands", "text"), "no palette")
            window.type("review")
            window.key("Return")
            until(lambda: not is_shown(window, "Terminal", "page tab"), "the Review layout still shows the terminal")
            window.key("ctrl+alt+2")
            until(lambda: is_shown(window, "Terminal", "page tab"), "the Debug layout did not come back")

    def test_goes_to_a_node_and_a_panel(self):
        with Window(WORKBENCH, copied("counter")) as window:
            window.need("incrementer", contains=True)
            window.key("ctrl+k")
            until(lambda: is_shown(window, "Go to", "text"), "no quick open")
            window.type("incr")
            window.key("Return")
            until(lambda: with_state(window, "FOCUSED", "incrementer"), "the node does not have the focus")
            window.key("ctrl+k")
            until(lambda: is_shown(window, "Go to", "text"), "no quick open")
            window.type("panel problems")
            window.key("Return")
            until(lambda: is_shown(window, "The graph has no problems"), "the problems are not shown")

    def test_walks_from_panel_to_panel(self):
        with Window(WORKBENCH, copied("counter")) as window:
            window.need("incrementer", contains=True)
            window.press("Log", "page tab")  # has something to focus, whatever stood there before
            until(lambda: is_shown(window, "Filter the log"), "the log is not shown")
            focused = with_state(window, "FOCUSED")
            seen = set()
            for _ in range(10):
                window.key("F6")
                before = focused
                focused = until(lambda: (now := with_state(window, "FOCUSED")) != before and now, f"F6 stays at {before}")
                seen.add(", ".join(focused))
            self.assertGreaterEqual(len(seen), 5, seen)


if __name__ == "__main__":
    window_case.main()
