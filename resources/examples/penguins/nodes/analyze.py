"""Describes each species by plain numbers, which fit into the state."""

import pandas as pd

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def table(state):
    if "penguins" in globals():  # left by the node before
        return penguins
    print("the session is new: reading the table again")
    return pd.read_csv(state["source"])


def node(state, config):
    frame = table(state)
    statistics = {}
    for species, group in frame.groupby("species"):
        means = {name: round(float(group[name].mean()), 2) for name in MEASURES}
        statistics[species] = {"count": len(group), **means}
        print(f"{species}: {len(group)} penguins, {means['body_mass_g']:.0f} g on average")
    heaviest = max(statistics, key=lambda name: statistics[name]["body_mass_g"])
    return {
        "statistics": statistics,
        "messages": [f"compared {len(statistics)} species; the heaviest is {heaviest}"],
    }
