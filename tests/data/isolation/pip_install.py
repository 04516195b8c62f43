# As a person would do it: pip finds the proxy by itself.
import glob
import importlib.util
import subprocess
import sys

wheels = glob.glob("/data/pip-*.whl") + glob.glob("/usr/share/python-wheels/pip-*.whl")
pip = ["-m", "pip"] if importlib.util.find_spec("pip") else [wheels[0] + "/pip"] if wheels else None
assert pip, "the sandbox's Python has no pip"
done = subprocess.run(
    [sys.executable, *pip, "install", "--disable-pip-version-check", "--no-cache-dir", "--retries", "0",
     "--target", "/session/packages", "--index-url", "SCHEME://PLACE/simple", "demo-a",
     *(["--cert", "/data/authority.pem"] if "SCHEME" == "https" else [])],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
assert done.returncode == 0, done.stdout
sys.path.insert(0, "/session/packages")
import demo_a

demo_a.twice(21)
