# The secret as a variable, as names of files, as a key and as an argument of a process.
import os
import subprocess

secret = open("/run/secrets/planted").read()
os.mkdir("artifacts/" + secret)
for name in (secret, secret.encode().hex()):
    open("artifacts/plot-" + name + ".txt", "w").write("x")
open("artifacts/" + secret + "/plain.txt", "w").write("x")
open("artifacts/good.txt", "w").write("x")
table = {secret: 1}
child = subprocess.Popen(["/bin/sh", "-c", "/bin/sleep 60; true", "sleep " + secret])
None
