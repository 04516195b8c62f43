"""Starts the runner from this folder, which isolated mode leaves off the import path."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from sandglass_runner.main import run  # noqa: E402

run()
