"""Computes the mean count of each place."""

from statistics import mean


def node(state, config):
    counts = {}
    for row in state["rows"]:
        counts.setdefault(row["place"], []).append(float(row["count"]))
    return {"means": {place: mean(of_place) for place, of_place in counts.items()}}
