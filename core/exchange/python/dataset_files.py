"""Datasets by name: files in the folder that the variable DATASETS names, or in `datasets`."""

import os
from pathlib import Path


def dataset_path(name):
    folder = Path(os.environ.get("DATASETS", "datasets"))
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.is_file() and name in (path.name, path.stem):
            return str(path.resolve())
    raise FileNotFoundError(f"there is no dataset '{name}' in {folder.resolve()}; put it there, or set DATASETS")
