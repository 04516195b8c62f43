"""Makes the recordings of the examples anew: runs each by `sandglass record` against a server that says what stands here. Needs SG_SANDGLASS
and a sandbox. With names of examples only those."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from agent_scenarios import again, calls, says
from scripted_server import ScriptedServer

SANDGLASS = os.environ.get("SG_SANDGLASS", "sandglass")
EXAMPLES = os.path.join(HERE, "../../../resources/examples")
COMPUTE = """import pandas as pd

penguins = pd.read_csv("/data/penguins.csv")
islands = pd.read_csv("/data/islands.csv")
by_island = penguins.groupby("island", as_index=False)["body_mass_g"].mean().round(1).merge(islands)
by_island.to_csv("/session/by_island.csv", index=False)
by_island.sort_values("body_mass_g", ascending=False).to_dict("records")[0]"""
BUSY = {"status": 500, "body": '{"error": {"message": "out of order", "type": "server_error"}}'}

# (the replies, the runs: (thread, input or None, answer or None))
RECORDED = {
    "analyst": ([
        calls(("list_datasets", {})),
        again(calls(("select_dataset", {"dataset_id": "penguins.csv"}), ("select_dataset", {"dataset_id": "islands.csv"})), "2"),
        again(calls(("code_sandbox", {"code": COMPUTE})), "3"),
        again(calls(("export_datasets", {"path": "/session/by_island.csv"})), "4"),
        again(calls(("Finding", {"headline": "The heaviest penguins live on Biscoe, at 65.4° S", "sure": False})), "5"),
    ], [("demo", "On which island are the heaviest penguins, and where is it?", None), ("demo", None, "yes")]),
    "supervisor": ([
        calls(("ask_mathematician", {"task": "How much is 6 times 7?"})),
        again(calls(("multiply", {"a": 6, "b": 7})), "2"),
        says("6 times 7 is 42."),
        again(calls(("ask_team", {"words": "owl krill tern"})), "3"),
        says("A quiet bird."), says("A small crustacean."), says("A far traveller."),
    ], [("sum", "How much is 6 times 7?", None), ("words", "Explain owl, krill and tern.", None)]),
    "research-review": ([
        BUSY,
        calls(("search", {"topic": "krill"}), ("search", {"topic": "whales"}), ("delete_notes", {})),
        says("Krill are crustaceans."),
        again(calls(("check", {"fact": "Krill are crustaceans."})), "2"),
        again(calls(("publish", {"text": "Krill are crustaceans."})), "3"),
        says("Published."),
    ], [("demo", "What is known of krill and whales?", None), ("demo", None, '{"decisions": [{"type": "approve"}]}')]),
}


def record(name):
    replies, runs = RECORDED[name]
    with tempfile.TemporaryDirectory() as folder, ScriptedServer(replies) as server:
        project = os.path.join(folder, name)
        shutil.copytree(os.path.join(EXAMPLES, name), project)
        recording = os.path.join(project, "new.json")
        with open(os.path.join(project, "recording.json"), "w", encoding="utf-8") as file:
            json.dump({"format": 1, "exchanges": []}, file)  # the graph names one
        known = {**os.environ, "SANDGLASS_RECORD": recording, "SANDGLASS_MODEL_URL": server.url + "/v1", "XDG_CONFIG_HOME": folder}
        for thread, text, answer in runs:
            words = ["record", name + ".graph.json", "--to", recording, "--input", json.dumps({"messages": text})] if text else [
                "resume", name + ".graph.json", "--answer", answer]
            done = subprocess.run([SANDGLASS, *words, "--thread", thread, "--json"], cwd=project, env=known, capture_output=True, text=True)
            print(name, thread, done.returncode, done.stdout[-1500:], done.stderr[-1500:])
        if len(server.requests) != len(replies):
            sys.exit(f"{name}: {len(server.requests)} requests for {len(replies)} replies")
        shutil.copy(recording, os.path.join(EXAMPLES, name, "recording.json"))


if __name__ == "__main__":
    for each in sys.argv[1:] or RECORDED:
        record(each)
