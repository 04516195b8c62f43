"""Draws the table that the agent left in the session, as an artifact. Its first attempt fails, as things outside do."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt


def node(state, config, runtime):
    attempt = runtime.execution_info.node_attempt
    if attempt == 1:
        raise ConnectionError("the printer does not answer")
    frame = by_island  # the agent's code left it
    figure, axes = plt.subplots(figsize=(6, 4), dpi=120)
    axes.bar(frame["island"], frame["body_mass_g"], color="#0a7f8c")
    axes.set_ylabel("body mass (g)")
    axes.set_title(state["finding"]["headline"])
    figure.tight_layout()
    figure.savefig("/session/artifacts/by_island.png")
    print(f"drawn at attempt {attempt}")
    return {"report": "by_island.png"}
