"""A LangGraph workflow whose nodes compute in one sandbox, with what the earlier ones left there: python3 analysis.py

A node whose code fails is tried again with what the failure suggests, three times at most."""

import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from old_sdk import CodeInterpreter

LOAD = """
import numpy as np
import pandas as pd

chance = np.random.default_rng(7)
shop = pd.DataFrame({"month": pd.date_range("2025-01-31", periods=12, freq="ME")})
shop["sales"] = chance.integers(40_000, 120_000, len(shop))
shop["costs"] = chance.integers(30_000, 80_000, len(shop))
print(shop.head(3).to_string(index=False))
"""
ANALYZE = """
shop["profit"] = shop.sales - shop.costs
print("sales %d, costs %d, profit %d" % (shop.sales.sum(), shop.costs.sum(), shop.profit.sum()))
print("best month:", shop.loc[shop.profit.idxmax(), "month"].strftime("%B"))
"""
DRAW = """
import matplotlib.pyplot as plt

plt.bar(shop.month.dt.strftime("%b"), shop.profit)
plt.title("Profit by month")
plt.show()
print("drawn")
"""
FORECASTS = ["forecast = shop.turnover.mean()", "forecast = shop.sales.mean()\nprint('next month: about %d' % forecast)"]


class State(TypedDict, total=False):
    report: Annotated[list[str], operator.add]
    pictures: int
    tries: int
    error: str | None
    sandbox: str


def workflow(interpreter):
    def run(title, code):
        done = interpreter.notebook.exec_cell(code)
        if done.error:
            raise RuntimeError("%s: %s" % (done.error.name, done.error.value))
        return "%s\n%s" % (title, done.logs.stdout), sum(1 for result in done.results if result.png)

    def load(_state):
        return {"report": [run("The table begins with", LOAD)[0]], "sandbox": interpreter.id}

    def analyze(_state):
        return {"report": [run("Figures", ANALYZE)[0]]}

    def draw(_state):
        text, pictures = run("Picture", DRAW)
        return {"report": [text], "pictures": pictures}

    def forecast(state):
        tries = state.get("tries", 0)
        try:
            return {"report": [run("Forecast", FORECASTS[min(tries, 1)])[0]], "error": None, "tries": tries + 1}
        except RuntimeError as problem:
            return {"error": str(problem), "tries": tries + 1}

    def give_up(state):
        return {"report": ["No forecast: " + state["error"]]}

    def whereto(state):
        if state["error"] is None:
            return END
        return "forecast" if state["tries"] < 3 else "give_up"

    graph = StateGraph(State)
    for node in (load, analyze, draw, forecast, give_up):
        graph.add_node(node.__name__, node)
    for one, next_one in ((START, "load"), ("load", "analyze"), ("analyze", "draw"), ("draw", "forecast"), ("give_up", END)):
        graph.add_edge(one, next_one)
    graph.add_conditional_edges("forecast", whereto)
    return graph.compile()


if __name__ == "__main__":
    with CodeInterpreter(timeout=300) as interpreter:
        state = workflow(interpreter).invoke({})
    print("\n".join(state["report"]))
    print("pictures: %d, tries of the forecast: %d, sandbox: %s" % (state["pictures"], state["tries"], state["sandbox"]))
