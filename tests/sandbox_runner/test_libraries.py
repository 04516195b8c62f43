"""Live snapshots with the usual libraries loaded: always exact, whatever threads of their own they keep."""

import os
import unittest

from host import Host
import require

PYTHON = os.environ.get("SANDGLASS_TEST_PYTHON") or require.runtime_python()
USE = """
import numpy as np, pandas as pd, pyarrow as pa, pyarrow.compute as pc, io
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt
rng = np.random.default_rng(5)
a = rng.random((600, 600)); b = a @ a                       # BLAS has started its threads
frame = pd.DataFrame({"g": np.arange(9000) % 7, "x": rng.random(9000)})
table = pa.Table.from_pandas(frame)                           # Arrow has started its threads
total = pc.sum(table["x"]).as_py()
figure, axes = plt.subplots(); axes.plot(frame.x[:50])
steps = (i for i in range(100))
"""
STEP = """
n = next(steps)
a = a @ (b / np.linalg.norm(b)); frame["x"] *= 1.01
told = (n, round(float(a.sum()), 3), round(float(frame.groupby("g").x.sum().iloc[3]), 6),
        round(pc.sum(pa.Table.from_pandas(frame)["x"]).as_py(), 6), len(axes.lines), float(rng.random()))
axes.plot([n, n + 1])
"""


@require.needs("runtime")
class Libraries(unittest.TestCase):
    def test_snapshots_are_always_exact(self):
        host = Host(python=PYTHON)
        self.addCleanup(host.close)
        self.assertEqual(host.cell(USE, timeout=120)["status"], "ok")
        told = []
        for i in range(5):
            answer = host.ask("snapshot", snapshot="s%d" % i)
            self.assertEqual((answer["asleep"], answer["obstacles"]), (True, []))
            told.append(host.value(STEP + "told"))
        for i in (3, 0, 4, 2, 0, 1):
            self.assertEqual(host.ask("wake", snapshot="s%d" % i)["lost"], [])
            self.assertEqual(host.value(STEP + "told"), told[i])

    def test_pyarrow_keeps_no_thread_that_each_copy_would_pay_for(self):
        host = Host(python=PYTHON, options={"env": {"OPENBLAS_NUM_THREADS": "1"}})
        self.addCleanup(host.close)
        self.assertEqual(host.cell("import os, pandas, pyarrow", timeout=120)["status"], "ok")
        self.assertEqual(host.value("len(os.listdir('/proc/self/task'))"), "1")

    def test_a_thread_of_the_users_sends_it_to_stored(self):
        host = Host(python=PYTHON)
        self.addCleanup(host.close)
        host.cell(USE, timeout=120)
        host.cell("import threading; go = threading.Event(); t = threading.Thread(target=go.wait, name='mine', daemon=True); t.start()")
        answer = host.ask("snapshot", snapshot="a")
        self.assertEqual((answer["asleep"], answer["obstacles"]), (False, [{"kind": "thread", "name": "mine"}]))


if __name__ == "__main__":
    unittest.main()
