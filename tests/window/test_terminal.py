"""The terminal in a session, by keys alone: opened, typed into, and that what it does is done to the live session."""

import os
import time
import unittest

import window_driver
from window_case import WORKBENCH, copied, need_sandbox, main

PICTURES = os.environ.get("SANDGLASS_PICTURES")  # a folder: pictures of what the test sees


class Terminal(unittest.TestCase):
    def setUp(self):
        need_sandbox()

    def shown(self, window):
        text = window.need("Terminal", "terminal").queryText()
        return text.getText(0, text.characterCount)

    def wait_for(self, window, words, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if words in self.shown(window):
                return
            time.sleep(0.1)
        raise AssertionError(f"{words!r} is not in the terminal:\n{self.shown(window)}")

    def picture(self, window, name):
        if PICTURES:
            window.picture(os.path.join(PICTURES, name + ".png"))

    def test_a_shell_writes_to_the_live_session(self):
        with window_driver.Window(WORKBENCH, "--theme", "light", copied("penguins")) as window:
            window.need("load,", contains=True)
            window.press("Terminal", "page tab")
            window.need("No session of this thread runs", contains=True)
            window.key("F5")
            window.need("python node, done", contains=True, wait=60)
            window.press("Terminal", "page tab")
            window.press("Open a terminal", "button")
            time.sleep(0.5)
            window.type("PS1='ready> '; pwd\n")
            self.wait_for(window, "/session")
            self.wait_for(window, "ready> ")
            window.type("echo written > by_shell; echo do''ne\n")
            self.wait_for(window, "done")
            # Ctrl+C and Tab are the shell's, not the window's.
            window.type("sleep 100\n")
            time.sleep(0.5)
            window.key("ctrl+c")
            window.type("cat by_sh")
            window.key("Tab")
            window.type(" && echo who''le\n")
            self.wait_for(window, "whole")
            self.assertIn("written", self.shown(window))
            self.picture(window, "terminal-light")
            window.type("exit 3\n")
            window.need("The shell has ended (exit 3).", contains=True)
            self.picture(window, "terminal-ended-light")

    def test_a_flood_leaves_the_window_alive(self):
        with window_driver.Window(WORKBENCH, "--theme", "dark", copied("penguins")) as window:
            window.need("load,", contains=True)
            window.key("F5")
            window.need("python node, done", contains=True, wait=60)
            window.press("Terminal", "page tab")
            window.press("Open a terminal", "button")
            time.sleep(0.5)
            window.type("yes\n")
            self.wait_for(window, "y\ny\ny")
            time.sleep(5)
            self.picture(window, "terminal-dark")
            begin = time.monotonic()
            window.key("ctrl+c")
            window.type("PS1='still> '; echo he''re\n")
            self.wait_for(window, "here")
            self.assertLess(time.monotonic() - begin, 40)


if __name__ == "__main__":
    main()
