"""Folders of packages in addition to the image's: a graph's requirements."""

import os
import site
import sys


def add(folders):
    """They go after the standard library, so that no package hides a part of it, and before the image's own packages."""
    own = [i for i, path in enumerate(sys.path) if os.path.basename(path) in ("site-packages", "dist-packages")]
    place = own[0] if own else len(sys.path)
    sys.path[place:place] = folders
    for folder in folders:
        # The folder is passed as known already, so that only its .pth files are read.
        site.addsitedir(folder, {os.path.normcase(os.path.abspath(folder))})
