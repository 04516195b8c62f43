# A secret's file: who may read it, and how long it is.
import os
import stat

path = "/run/secrets/planted"
mode = oct(stat.S_IMODE(os.stat(path).st_mode))
f"{mode} {os.path.getsize(path)}"
