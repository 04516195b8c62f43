# Which processes' environment, arguments or mounts hold the secret.
import glob

secret = open("/run/secrets/planted", "rb").read()
found = []
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/mountinfo"):
    try:
        with open(path, "rb") as file:
            if secret in file.read():
                found.append(path)
    except OSError:
        pass
found
