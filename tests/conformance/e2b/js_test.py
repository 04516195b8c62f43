"""E2B's official SDK for JavaScript, unchanged, against `sandglass serve --e2b`. usage: js_test.py SANDGLASS"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "support"))
import require  # noqa: E402

for part in ("e2b_js", "bubblewrap"):
    if require.missing(part):
        require.leave(part, require.missing(part))
EXAMPLE = HERE.parents[2] / "resources" / "examples" / "counter" / "counter.graph.json"

with tempfile.TemporaryDirectory(prefix="sg-e2b-") as folder:
    (pathlib.Path(folder) / "counter.graph.json").write_text(EXAMPLE.read_text())
    environment = {k: v for k, v in os.environ.items() if k in ("SANDGLASS_PYTHON", "HOME", "XDG_DATA_HOME", "PATH", "SG_E2B_JS")}
    command = [sys.argv[1], "serve", "--e2b", "--json", "--project", folder, "--backend", "bubblewrap"]
    made = subprocess.run([*command, "--new-key", "js"], capture_output=True, check=True, env=environment)
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            url = json.loads(server.stdout.readline())["serving"]
            environment.update(E2B_API_URL=url, E2B_SANDBOX_URL=url, E2B_API_KEY=json.loads(made.stdout)["key"])
            ended = subprocess.run(["node", "--test", str(HERE / "js" / "sdk_test.mjs")], env=environment, timeout=150).returncode
        finally:
            server.terminate()
sys.exit(1 if ended else 0)
