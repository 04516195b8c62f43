"""Starts the runner from this folder. Isolated mode leaves the folder off the path, so it is put there for the imports."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from sandglass_runner.main import run  # noqa: E402

run()
