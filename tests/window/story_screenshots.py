#!/usr/bin/python3
"""story_screenshots.py BIN [FOLDER]: goes through every story of stories.py in both themes, and leaves their pictures in
FOLDER (resources/screenshots)."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "..", "resources", "screenshots")
if len(sys.argv) < 2:
    sys.exit(__doc__)
os.makedirs(FOLDER, exist_ok=True)
code = 0
for theme in ("light", "dark"):
    command = ["/usr/bin/python3", "-B", os.path.join(HERE, "stories.py"), sys.argv[1]]
    code |= subprocess.run(command, env=dict(os.environ, SG_THEME=theme, SG_STORIES=os.path.abspath(FOLDER))).returncode
sys.exit(code)
