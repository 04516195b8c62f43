#!/usr/bin/python3
"""session_screenshots.py BIN [FOLDER [NAME…]]: pictures of sessions, meters, console, terminal, files, log, artifacts and storage,
with their empty and error states, in a display of its own. FOLDER: resources/screenshots; NAME: only these, "log-dark"."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import screenshots  # noqa: E402
import window_driver  # noqa: E402

LOAD = '''
import pandas as pd

def node(state, config):
    print("\\x1b[1mreading\\x1b[0m penguins.csv")
    rows = [(s, sex, 3000 + 37 * i % 2400, 2007 + i % 3)
            for i, (s, sex) in enumerate((s, x) for _ in range(57) for s in ("Adelie", "Chinstrap", "Gentoo") for x in ("female", "male"))]
    frame = pd.DataFrame(rows, columns=["species", "sex", "body_mass_g", "year"])
    print(f"\\x1b[32m{len(frame)} rows\\x1b[0m, {frame.species.nunique()} species")
    frame.to_csv("/session/artifacts/penguins_clean.csv", index=False)
    frame.to_parquet("/session/artifacts/penguins.parquet")
    globals()["frame"] = frame
    return {"rows": len(frame)}
'''
# Waves of memory and work, so that the meters have something to show.
TRAIN = '''
import os
import sys
import time

def node(state, config):
    kept = []
    until = time.time() + (state.get("seconds") or 25)
    step = 0
    while time.time() < until:
        step += 1
        kept.append(bytearray(24 << 20))
        if len(kept) > 5:
            kept = kept[:1]
        begin = time.time()
        while time.time() - begin < 0.25:
            sum(range(20000))
        time.sleep(0.45)
        loss = 2.0 / (step + 1)
        print(f"epoch {step:2}  loss \\x1b[36m{loss:.4f}\\x1b[0m")
        if step % 3 == 0:
            print("\\x1b[33mwarning:\\x1b[0m learning rate is high", file=sys.stderr)
    with open("/session/artifacts/model.bin", "wb") as file:
        file.write(os.urandom(1 << 20))
    os.makedirs("/session/notes/deep", exist_ok=True)
    for name in ("notes/today.txt", "notes/deep/weights.json"):
        with open("/session/" + name, "w") as file:
            file.write("{}")
    return {"loss": 2.0 / (step + 1)}
'''
REPORT = '''
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

def node(state, config):
    mean = frame.groupby(["species", "sex"]).body_mass_g.mean().unstack()
    for name, kind in (("mass_by_species.png", "bar"), ("mass_by_species.svg", "barh")):
        figure, axes = plt.subplots(figsize=(6, 3.4))
        mean.plot(kind=kind, ax=axes, color=["#7aa6c2", "#24527a"])
        axes.set_title("Body mass by species, g")
        figure.tight_layout()
        figure.savefig("/session/artifacts/" + name)
        plt.close(figure)
    with open("/session/artifacts/report.md", "w") as file:
        file.write("# Body mass by species\\n\\n" + "\\n".join(
            f"- **{species}**: {row.female:.0f} g and {row.male:.0f} g" for species, row in mean.iterrows())
            + f"\\n\\nLoss of the model: {state['loss']:.4f}\\n")
    with open("/session/artifacts/summary.json", "w") as file:
        file.write(mean.to_json())
    print("saved 4 files")
    return {}
'''
GRAPH = {
    "format": 1,
    "name": "field",
    "state": {"rows": {}, "loss": {}, "seconds": {}},
    "nodes": [{"name": name, "kind": "python", "file": f"nodes/{name}.py"} for name in ("load", "train", "report")],
    "edges": [["__start__", "load"], ["load", "train"], ["train", "report"], ["report", "__end__"]],
    "layout": {"load": [0, 0], "train": [224, 0], "report": [448, 0]},
}


class SessionPictures(screenshots.Pictures):
    def project(self, threads=("bob", "carol")):
        """The field project, with threads of the past whose sessions have ended."""
        folder = os.path.join(screenshots.scratch(), "field")
        os.makedirs(os.path.join(folder, "nodes"))
        for name, code in (("load", LOAD), ("train", TRAIN), ("report", REPORT)):
            with open(os.path.join(folder, "nodes", name + ".py"), "w", encoding="utf-8") as file:
                file.write(code.lstrip())
        with open(os.path.join(folder, "field.graph.json"), "w", encoding="utf-8") as file:
            json.dump(GRAPH, file)
        for thread in threads:
            subprocess.run([os.path.join(os.path.dirname(self.program), "sandglass"), "run", folder, "--thread", thread,
                            "--input", json.dumps({"seconds": 3})], capture_output=True)
        return folder

    @staticmethod
    def click(node):
        place = node.queryComponent().getExtents(0)
        subprocess.run(["xdotool", "mousemove", str(place.x + 20), str(place.y + place.height // 2), "click", "1"], check=True)
        time.sleep(0.5)

    def ran(self, window):
        """A run of half a minute in the window's own session."""
        window.resize(1600, 1000)
        window.need("report, python node", contains=True)
        time.sleep(1)
        window.press("Run", "button")
        window.need("report, python node, done", contains=True, wait=120)
        time.sleep(2)

    def session(self, theme):
        with self.opened(theme, self.project()) as window:
            self.ran(window)
            window.key("ctrl+alt+3")
            window.press("Session", "page tab")
            window.press("1 min")
            self.take(window, f"session-{theme}", 3)
            window.press("Files", "page tab")
            self.take(window, f"files-{theme}", 2)
            window.press("Session", "page tab")
            window.press("Console")
            box = window.need("Python code for the session")
            box.queryComponent().grabFocus()
            for line in ("frame.groupby('species').body_mass_g.mean()", "1 / 0"):
                window.type(line)
                window.key("Return")
                time.sleep(2.5)
            window.type("frame.gro")
            window.key("Tab")
            time.sleep(1)
            self.take(window, f"console-{theme}", 1)

    def session_killed(self, theme):
        """Stored measurements of a session whose code was killed for its memory and started again."""
        folder = self.project(("bob",))
        database = sqlite3.connect(os.path.join(folder, ".sandglass", "sessions.sqlite"))
        session, limit, begin = database.execute("SELECT id, 512 << 20, started_ms FROM sessions").fetchone()
        database.execute("DELETE FROM samples")
        for second in range(180):
            killed = second >= 110
            share = 0.2 + 0.78 * (second / 110) ** 3 if not killed else 0.15 + 0.004 * (second - 110)
            database.execute("INSERT INTO samples VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                             (session, begin + second * 1000, second, 60 + second * 37 % 50, int(limit * share), limit,
                              6 + second // 30, 64, int(killed), 0, second << 18, 1 << 30))
        database.execute("INSERT INTO notes VALUES (?,?,?,?)",
                         (session, begin + 111_000, "restarted", "a process was killed: the session used 512 MB, its limit"))
        database.execute("UPDATE sessions SET memory_bytes = ?, pids = 64, limits_enforced = 1, backend = 'docker', "
                         "isolation = 'container', state = 'ended: it used its memory, 512 MB, again'", (limit,))
        database.commit()
        database.close()
        with self.opened(theme, folder) as window:
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.key("ctrl+alt+3")
            window.press("Session", "page tab")
            window.press("1 h")
            self.take(window, f"session-killed-{theme}", 3)

    def session_empty(self, theme):
        with self.opened(theme, self.project(())) as window:
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.key("ctrl+alt+3")
            self.take(window, f"session-empty-{theme}", 2)

    def log(self, theme):
        with self.opened(theme, self.project(("bob",))) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.press("Log", "page tab")
            self.take(window, f"log-{theme}", 2)
            box = window.need("Filter the log", "text")
            box.queryEditableText().setTextContents("/loss 0\\.[0-4]/ node:train")
            self.take(window, f"log-filter-{theme}", 2)
            box.queryEditableText().setTextContents("/(/")
            self.take(window, f"log-error-{theme}", 2)

    def artifacts(self, theme):
        with self.opened(theme, self.project(("bob",))) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.key("ctrl+alt+4")
            window.press("Cards")
            self.take(window, f"artifacts-grid-{theme}", 3)
            field = window.need("Filter the artifacts")
            for name, picture in (("mass_by_species.svg", "drawing"), ("penguins.parquet", "preview"), ("report.md", "markdown"),
                                  ("model.bin", "none"), ("node:nobody", "nomatch")):
                field.queryEditableText().setTextContents(name)
                self.take(window, f"artifacts-{picture}-{theme}", 10 if picture == "preview" else 3)

    def artifacts_empty(self, theme):
        with self.opened(theme, self.project(())) as window:
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.key("ctrl+alt+4")
            self.take(window, f"artifacts-empty-{theme}", 2)
            window.press("Show example code", "button")
            self.take(window, f"artifacts-example-{theme}", 2)

    def storage(self, theme):
        with self.opened(theme, self.project()) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.press("Storage", "page tab")
            window.need("Database", contains=True)
            window.press("Predict", "button")
            self.take(window, f"storage-{theme}", 3)

    def session_error(self, theme):
        """A graph that wants an engine which does not answer."""
        folder = self.project(())
        with open(os.path.join(folder, "field.graph.json"), "w", encoding="utf-8") as file:
            json.dump({**GRAPH, "sandbox": {"backend": "docker"}}, file)
        os.environ["DOCKER_HOST"] = "unix:///nowhere/docker.sock"
        with self.opened(theme, folder) as window:
            del os.environ["DOCKER_HOST"]
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.key("ctrl+alt+3")
            window.press("Session", "page tab")
            window.press("Run", "button")
            self.take(window, f"session-error-{theme}", 4)

    def terminal(self, theme):
        with self.opened(theme, self.project(())) as window:
            self.ran(window)
            window.key("ctrl+alt+3")
            window.press("Terminal", "page tab")
            window.press("Open a terminal", "button")
            time.sleep(1)
            window.type("PS1='\\[\\e[32m\\]session\\[\\e[0m\\]> '; clear\n")
            window.type("ls -la --color=always artifacts notes\n")
            window.type("for i in 1 2 3 4 5 6; do printf '\\e[3%dmcolour %d\\e[0m  ' $i $i; done; echo\n")
            window.type("echo '\u8868 \u2500\u2500 wide letters \u4f60\u597d'\n")
            window.type("cat notes/missing.txt\n")
            self.take(window, f"terminal-{theme}", 2)
            window.type("exit 3\n")
            self.take(window, f"terminal-ended-{theme}", 2)

    def log_empty(self, theme):
        with self.opened(theme, self.project(())) as window:
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.press("Log", "page tab")
            self.take(window, f"log-empty-{theme}", 2)

    def files_empty(self, theme):
        with self.opened(theme, self.project(())) as window:
            window.resize(1600, 1000)
            window.need("report, python node", contains=True)
            window.key("ctrl+alt+3")
            window.press("Files", "page tab")
            self.take(window, f"files-empty-{theme}", 2)

    def files_error(self, theme):
        """Files of an ended session whose contents are gone."""
        folder = self.project(("bob",))
        shutil.rmtree(os.path.join(folder, ".sandglass", "snapshots"), ignore_errors=True)
        with self.opened(theme, folder) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.key("ctrl+alt+3")
            window.press("Files", "page tab")
            time.sleep(1.5)
            self.click(window.need("CACHEDIR.TAG", contains=True))
            window.key("Return")
            self.take(window, f"files-error-{theme}", 3)

    def table_error(self, theme):
        """A table whose content is damaged, and one that is missing."""
        folder = self.project(("bob",))
        database = sqlite3.connect(os.path.join(folder, ".sandglass", "artifacts.sqlite"))
        hashes = dict(database.execute("SELECT name, sha256 FROM artifacts"))
        database.close()
        for name, content in (("penguins.parquet", b"PAR1 no table PAR1"), ("penguins_clean.csv", None)):
            path = os.path.join(folder, ".sandglass", "blobs", hashes[name][:2], hashes[name][2:4], hashes[name])
            os.remove(path)
            if content:
                with open(path, "wb") as file:
                    file.write(content)
        with self.opened(theme, folder) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.key("ctrl+alt+4")
            field = window.need("Filter the artifacts")
            for name, picture in (("penguins.parquet", "damaged"), ("penguins_clean", "missing")):
                field.queryEditableText().setTextContents(name)
                self.take(window, f"table-{picture}-{theme}", 8)

    def artifacts_table(self, theme):
        with self.opened(theme, self.project()) as window:
            window.resize(1600, 1000)
            window.need("report, python node, done", contains=True, wait=30)
            window.key("ctrl+alt+4")
            window.press("All threads", "check box")
            window.press("Table")
            time.sleep(1)
            self.take(window, f"artifacts-table-{theme}", 3)

    def all(self):
        for state in ("session", "session_killed", "session_empty", "session_error", "terminal", "log", "log_empty", "files_empty",
                      "files_error", "artifacts", "artifacts_empty", "artifacts_table", "table_error", "storage"):
            for theme in ("light", "dark"):
                if not self.wanted or f"{state}_{theme}".replace("_", "-") in self.wanted:
                    getattr(self, state)(theme)


if __name__ == "__main__":
    window_driver.enter_display(1700, 1100)
    screenshots.Pictures = SessionPictures
    screenshots.main()
