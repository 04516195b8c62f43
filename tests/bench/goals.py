"""goals.json: what each figure is, what it should be, and what it was when it was last kept. One line a figure.

A figure's keys: id, unit, goal (null: none, what stands beside it is to be compared with), better ("less" or "more"), what (in words),
slack (where it is there: a difference that says nothing, in the figure's unit), kept (null, or value, date and commit).
"""

import json
import os

WORSE = 0.2  # more than this part of what was kept
KEYS = {"id", "unit", "goal", "better", "what", "kept", "slack"}


class GoalsError(Exception):
    pass


def load(path):
    """{id: figure}, in the file's order."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)["figures"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise GoalsError(f"{path}: {problem}") from None
    figures = {}
    for row in rows:
        name = row.get("id", "?")
        wrong = set(row) - KEYS or (KEYS - {"slack"}) - set(row)
        if wrong:
            raise GoalsError(f"{path}: {name}: {', '.join(sorted(wrong))} is unknown or missing")
        if row["better"] not in ("less", "more"):
            raise GoalsError(f"{path}: {name}: better is 'less' or 'more'")
        if name in figures:
            raise GoalsError(f"{path}: {name} stands there twice")
        figures[name] = row
    return figures


def save(path, figures):
    """Whole or not at all: a program that is ended meanwhile leaves the file as it was."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in figures.values())
    fresh = path + ".new"
    with open(fresh, "w", encoding="utf-8") as file:
        file.write('{"figures": [\n' + lines + "\n]}\n")
    os.replace(fresh, path)


def is_met(row, value):
    """None: there is no goal."""
    if row["goal"] is None:
        return None
    return value <= row["goal"] if row["better"] == "less" else value >= row["goal"]


def change(row, value):
    """How much worse than what was kept, as a part of it: 0.5 is half as bad again, below 0 is better. None: nothing was kept, or it
    was 0, and no part of that can be told."""
    if not row["kept"] or row["kept"]["value"] == 0:
        return None
    before = row["kept"]["value"]
    return (value - before if row["better"] == "less" else before - value) / abs(before)


def is_worse(row, value):
    if not row["kept"]:
        return False
    before = row["kept"]["value"]
    lost = value - before if row["better"] == "less" else before - value
    return lost > max(WORSE * abs(before), row.get("slack", 0))


def keep(figures, values, date, commit):
    """The figures with these values as the last kept ones; what was not measured keeps its own."""
    return {
        name: dict(row, kept={"value": float(f"{values[name]:.4g}"), "date": date, "commit": commit}) if name in values else row
        for name, row in figures.items()
    }
