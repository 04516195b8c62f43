"""Installs a graph's requirements into /session/packages, as wheels, within a sandbox made for that alone.

The host runs this file as a cell and then calls install(). It trusts only the outcome in /session/result.json, and nothing else
that is left here."""

import glob
import json
import os
import re
import subprocess
import sys
import sysconfig

SESSION = "/session"
LOG = SESSION + "/pip.log"  # holds the reason why an index was skipped, which pip reports nowhere else
UNREACHABLE = re.compile(
    r"NewConnectionError|ConnectTimeout|ReadTimeout|Temporary failure in name|Name or service not known|"
    r"No route to host|Network is unreachable|Connection refused|Connection reset|ProxyError|SSLError|"
    r"CERTIFICATE_VERIFY|HTTP error (?:401|403|407|5..)|(?:401|403|407) Client Error|5.. Server Error|Tunnel connection failed|Max retries"
)
KINDS = (
    ("hash", re.compile(r"DO NOT MATCH THE HASHES|hashes are required|THESE PACKAGES DO NOT MATCH")),
    ("disk", re.compile(r"No space left|Disk quota|File too large")),
    ("conflict", re.compile(r"ResolutionImpossible|conflicting dependencies|Double requirement")),
    ("missing", re.compile(r"No matching distribution|Could not find a version|is not a supported wheel|sdist")),
)


class Failed(Exception):
    def __init__(self, kind, lines):
        super().__init__(kind)
        self.kind, self.lines = kind, lines


class Pip:
    def __init__(self, wheel, environment):
        self._command = [sys.executable, "-I"] + ([wheel + "/pip"] if wheel else ["-m", "pip"])
        self._environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": SESSION + "/home",
            "TMPDIR": SESSION + "/tmp",
            "LANG": "C.UTF-8",
            "PIP_CACHE_DIR": SESSION + "/cache",  # the second step need not fetch the first one's files again
            "PIP_CONFIG_FILE": os.devnull,  # the user's own settings come with `environment`
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_LOG": LOG,
            "PIP_NO_INPUT": "1",
            "PIP_NO_COLOR": "1",
            "PIP_PROGRESS_BAR": "off",
            "PIP_ROOT_USER_ACTION": "ignore",
            "PIP_RETRIES": "1",  # a refused address is refused every time, and pip's default of five takes 8 s
        }
        self._environment.update(environment)
        for folder in ("home", "tmp"):
            os.makedirs(SESSION + "/" + folder, exist_ok=True)

    def install(self, *options):
        command = self._command + ["install", "--only-binary", ":all:"] + list(options)
        lines = []
        process = subprocess.Popen(
            command,
            env=self._environment,
            cwd=SESSION,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        try:
            for line in process.stdout:
                line = line.rstrip()
                if line:
                    lines.append(line)
                    print(line, flush=True)
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        if code:
            raise _failure(lines)


def _failure(lines):
    text = "\n".join(lines)
    told = [line.partition(":")[2].strip() for line in lines if line.startswith("ERROR:")] or lines[-3:]
    if "No module named pip" in text:
        return Failed("pip", told)
    kind = next((kind for kind, pattern in KINDS if pattern.search(text)), "other")
    if kind in ("missing", "other"):
        unreached = [line for line in lines + _passed_over() if UNREACHABLE.search(line)]
        if unreached:
            return Failed("unreachable", unreached[-1:] + told[:1])
    return Failed(kind, told[:6])


def _passed_over():
    try:
        with open(LOG, errors="replace") as file:
            return [line.partition("Could not fetch ")[2].strip() for line in file if "Could not fetch " in line]
    except OSError:
        return []


def _pin(item):
    """One resolved package as a requirement from which pip finds the same file again."""
    about, source = item["metadata"], item.get("download_info") or {}
    archive = source.get("archive_info") or {}
    sha256 = (archive.get("hashes") or {}).get("sha256") or archive.get("hash", "").partition("sha256=")[2]
    pin = {"name": about["name"], "version": about["version"], "sha256": sha256}
    if item.get("is_direct"):
        pin["url"] = source.get("url", "")
    return pin


def _line(pin):
    what = "%s @ %s" % (pin["name"], pin["url"]) if pin.get("url") else "%s==%s" % (pin["name"], pin["version"])
    return what + (" --hash=sha256:" + pin["sha256"] if pin["sha256"] else "")


def _normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def _resolve(pip, lines):
    with open(SESSION + "/required.txt", "w") as file:
        file.write("\n".join(lines) + "\n")
    report = SESSION + "/report.json"
    pip.install("--dry-run", "--report", report, "-r", SESSION + "/required.txt")
    with open(report) as file:
        return sorted((_pin(item) for item in json.load(file)["install"]), key=lambda pin: _normal(pin["name"]))


def _warnings(wheel, pins):
    """Packages of the image that need another version of a package than the layer brings."""
    if wheel:
        sys.path.insert(0, wheel)
    try:
        from importlib.metadata import distributions

        from pip._vendor.packaging.requirements import Requirement
    except ImportError:
        return []
    new = {_normal(pin["name"]): pin["version"] for pin in pins}
    found = []
    for installed in distributions():
        name = installed.metadata["Name"] or ""
        if _normal(name) in new:
            continue
        for text in installed.requires or ():
            try:
                needs = Requirement(text)
                if needs.marker is not None and not needs.marker.evaluate({"extra": ""}):
                    continue
                version = new.get(_normal(needs.name))
                if version is not None and not needs.specifier.contains(version, prereleases=True):
                    found.append(
                        "%s %s of the sandbox needs %s, but the requirements bring %s"
                        % (name, installed.version, text.partition(";")[0].strip(), version)
                    )
            except Exception:  # an unreadable requirement binds nobody
                pass
    return found[:20]


def _install(wanted):
    pip = Pip(wanted["pip"], wanted["environment"])
    pins = wanted.get("pins") or _resolve(pip, wanted["requirements"])
    packages = SESSION + "/packages"
    os.makedirs(packages, exist_ok=True)
    if pins:
        with open(SESSION + "/pinned.txt", "w") as file:
            file.write("\n".join(map(_line, pins)) + "\n")
        pip.install("--no-deps", "--upgrade", "--target", packages, "-r", SESSION + "/pinned.txt")
    return {
        "python": "%d.%d.%d" % sys.version_info[:3],
        "platform": sysconfig.get_platform(),
        "pins": pins,
        "warnings": _warnings(wanted["pip"], pins),
    }


def install(wanted):
    try:
        result = _install(wanted)
    except Failed as failed:
        result = {"failure": failed.kind, "lines": [line[:1000] for line in failed.lines]}
    except OSError as error:
        result = {"failure": "disk" if error.errno in (28, 122) else "other", "lines": [str(error)]}
    for old in glob.glob(SESSION + "/result.json"):
        os.unlink(old)
    with open(SESSION + "/result.json", "w") as file:
        json.dump(result, file)
