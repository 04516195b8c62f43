"""Reads the table once. It stays in the session as `penguins`, where the next nodes find it."""

import pandas as pd

SOURCE = "/data/penguins.csv"  # the project's datasets folder, read-only


def node(state, config):
    global penguins
    source = state.get("source") or SOURCE
    penguins = pd.read_csv(source)
    species = ", ".join(sorted(penguins["species"].unique()))
    print(f"read {len(penguins)} rows from {source}: {species}")
    return {
        "source": source,
        "rows": len(penguins),
        "messages": [f"loaded {len(penguins)} penguins"],
    }
