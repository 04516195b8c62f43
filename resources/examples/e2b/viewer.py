"""Shows what a conversation of tools.py did in its sandbox: python3 viewer.py CONVERSATION [--limit NUMBER] [--serve]

With --serve the sandbox itself serves a page that shows it, and goes on showing; the address is printed."""

import argparse
import json
import sys

from tools import LOG, sandbox_of

NAMES = """
import json, types
print(json.dumps({name: type(value).__name__ for name, value in list(globals().items())
                  if not name.startswith("_") and not isinstance(value, (types.ModuleType, types.FunctionType, types.MethodType, type))}))
"""
PORT = 8501
PAGE = r'''
import html, http.server, json, os

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        entries = [json.loads(line) for line in open("session.log")] if os.path.exists("session.log") else []
        rows = "".join("<tr><td>%s<td><pre>%s</pre>" % (html.escape(each.pop("time")), html.escape(json.dumps(each, indent=1))) for each in entries)
        body = ("<!doctype html><meta http-equiv=refresh content=2><title>session</title><table>%s</table>" % rows).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

http.server.ThreadingHTTPServer(("127.0.0.1", 8501), Page).serve_forever()
'''


def entries_of(sandbox):
    text = sandbox.files.read(LOG) if sandbox.files.exists(LOG) else ""
    return [json.loads(line) for line in text.splitlines()]


def show(sandbox, limit):
    info = sandbox.get_info()
    print("sandbox %s, from %s to %s" % (info.sandbox_id, info.started_at.isoformat(), info.end_at.isoformat()))
    for entry in entries_of(sandbox)[-limit:]:
        print("\n[%s]" % entry.pop("time"))
        for key, value in entry.items():
            if value not in (None, ""):
                print("  %s: %s" % (key, str(value).strip().replace("\n", "\n    ")))
    print("\nnames: %s" % json.loads("".join(sandbox.run_code(NAMES).logs.stdout)))
    print("files: %s" % ", ".join("%s (%d)" % (each.path, each.size) for each in sandbox.files.list(".", depth=2) if each.type and each.type.value == "file"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("conversation")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--serve", action="store_true")
    wanted = parser.parse_args()
    sandbox = sandbox_of(wanted.conversation, create=False)
    if sandbox is None:
        sys.exit("There is no sandbox of a conversation %s." % wanted.conversation)
    if wanted.serve:
        sandbox.commands.run("python3 -c \"$PAGE\"", background=True, envs={"PAGE": PAGE}, timeout=0)
        print("http://" + sandbox.get_host(PORT))
    else:
        show(sandbox, wanted.limit)


if __name__ == "__main__":
    main()
