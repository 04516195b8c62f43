"""An HTTPS server on 127.0.0.1 with a certificate that it makes in the folder that is named: authority.pem believes it.

Files come from its "index"; what is posted is told again."""

import http.server
import os
import ssl
import subprocess
import sys

folder = sys.argv[1]


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, cwd=folder, stderr=subprocess.DEVNULL)


with open(os.path.join(folder, "names"), "w") as names:
    names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
openssl("req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.pem", "-days", "2", "-subj", "/CN=test")
openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
openssl(
    *("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"),
    *("-out", "server.pem", "-days", "2", "-extfile", "names"),
)


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=os.path.join(folder, "index"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = "%s %s %s %s %s" % (
            self.command, self.path, self.headers["Authorization"], self.headers["Host"], body.decode())
        self.send_response(200)
        self.end_headers()
        self.wfile.write(told.encode() + b"\n" + b"x" * 3_000_000 + b"the end")

    def log_message(self, *_arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.path.join(folder, "server.pem"), os.path.join(folder, "server.key"))
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
