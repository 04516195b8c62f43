"""Folders with packages that a session has beside those of its sandbox."""

import os
import shutil
import tempfile
import unittest

from host import Host


class Layers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="layer-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (
            ("demo_layer.py", "x = 6\n"),
            ("wave.py", "raise ImportError('hides the standard library')\n"),
            ("more.pth", os.path.join(self.folder, "more") + "\n"),
            ("more/demo_more.py", "y = 7\n"),
        ):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        self.host = Host(options={"layers": [self.folder], "preload": ["demo_layer"]})
        self.addCleanup(self.host.close)

    def test_imports_from_it_and_from_what_its_pth_files_name(self):
        self.assertEqual(self.host.value("import demo_layer, demo_more; demo_layer.x * demo_more.y"), "42")

    def test_preloads_from_it(self):
        self.assertEqual(self.host.value("import sys; 'demo_layer' in sys.modules"), "True")

    def test_hides_nothing_of_the_standard_library(self):
        self.assertEqual(self.host.value("import wave; wave.__name__"), "'wave'")

    def test_comes_before_the_packages_of_the_image(self):
        code = "[p for p in __import__('sys').path if p == %r or p.endswith('-packages')][0] == %r"
        self.assertEqual(self.host.value(code % (self.folder, self.folder)), "True")


if __name__ == "__main__":
    unittest.main()
