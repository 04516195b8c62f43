# Looks in everything that this code can read for a text of that length and hash; the value is the places where it is.
import hashlib, os, re

PATTERN = re.compile(rb"planted-[0-9a-f]{%d}" % (LENGTH - 8))


def holds(data):
    return any(hashlib.sha256(found).hexdigest() == "HASH" for found in PATTERN.findall(data))


def files(top):
    for folder, _folders, names in os.walk(top):
        for name in names:
            yield os.path.join(folder, name)


places = []
for top in ("/session", "/tmp", "/run", "/etc", "/dev/shm"):
    for path in files(top):
        try:
            with open(path, "rb") as file:
                if os.path.isfile(path) and holds(file.read(1 << 20)):
                    places.append(path)
        except OSError:
            pass
for process in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline", "mountinfo", "status"):
        try:
            with open("/proc/%s/%s" % (process, name), "rb") as file:
                if holds(file.read()):
                    places.append((process, name))
        except OSError:
            pass
# This interpreter's own memory.
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        first, last = (int(part, 16) for part in line.split()[0].split("-"))
        if line.split()[1].startswith("rw") and last - first < 1 << 28:
            try:
                memory.seek(first)
                if holds(memory.read(last - first)):
                    places.append(line)
            except OSError:
                pass
places
