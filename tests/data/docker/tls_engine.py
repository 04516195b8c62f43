"""An engine's first answers by TLS on 127.0.0.1, which wants certificates. Folders of them are made in the folder that is named:
good, none (no certificate of ours), foreign (ours is of another authority), unknown (the engine's is)."""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading

top = sys.argv[1]


def openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, cwd=top, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def authority(name):
    openssl("req", "-x509", *KEY, "-keyout", name + ".key", "-out", name + ".pem", "-days", "2", "-subj", "/CN=" + name)


def certificate(name, by, extension):
    with open(os.path.join(top, name + ".ext"), "w") as file:
        file.write(extension + "\n")
    openssl("req", *KEY, "-keyout", name + ".key", "-out", name + ".csr", "-subj", "/CN=" + name)
    openssl(
        *("x509", "-req", "-in", name + ".csr", "-CA", by + ".pem", "-CAkey", by + ".key", "-CAcreateserial"),
        *("-out", name + ".pem", "-days", "2", "-extfile", name + ".ext"),
    )


def folder(name, ca, own):
    os.mkdir(os.path.join(top, name))
    shutil.copy(os.path.join(top, ca + ".pem"), os.path.join(top, name, "ca.pem"))
    if own:
        shutil.copy(os.path.join(top, own + ".pem"), os.path.join(top, name, "cert.pem"))
        shutil.copy(os.path.join(top, own + ".key"), os.path.join(top, name, "key.pem"))


authority("ours")
authority("theirs")
certificate("engine", "ours", "subjectAltName=IP:127.0.0.1")
certificate("client", "ours", "extendedKeyUsage=clientAuth")
certificate("stranger", "theirs", "extendedKeyUsage=clientAuth")
folder("good", "ours", "client")
folder("none", "ours", None)
folder("foreign", "ours", "stranger")
folder("unknown", "theirs", "client")

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.path.join(top, "engine.pem"), os.path.join(top, "engine.key"))
context.load_verify_locations(os.path.join(top, "ours.pem"))
context.verify_mode = ssl.CERT_REQUIRED


def serve(raw):
    try:
        with context.wrap_socket(raw, server_side=True) as peer:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = peer.recv(4096)
                if not piece:
                    return
                head += piece
            if head.startswith(b"POST "):
                peer.sendall(b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
                while True:
                    piece = peer.recv(65536)
                    if not piece:
                        return
                    peer.sendall(piece)
            body = b'{"Version":"20.10.24","ApiVersion":"1.41"}' if b"/version" in head else b"OK"
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
    except (OSError, ssl.SSLError):
        pass


listener = socket.socket()
listener.bind(("0.0.0.0", 0))
listener.listen(16)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
