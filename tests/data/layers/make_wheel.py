"""make_wheel.py FOLDER NAME VERSION [REQUIREMENT…]: a wheel with one module NAME that knows its version. Prints its path."""

import base64
import hashlib
import os
import sys
import zipfile

folder, name, version, *requirements = sys.argv[1:]
info = "%s-%s.dist-info" % (name, version)
metadata = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)
files = {
    name + ".py": "VERSION = %r\n\n\ndef twice(number):\n    return 2 * number\n" % version,
    info + "/METADATA": metadata + "".join("Requires-Dist: %s\n" % each for each in requirements),
    info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


record = "".join("%s,sha256=%s,%d\n" % (path, digest(text), len(text)) for path, text in files.items())
files[info + "/RECORD"] = record + info + "/RECORD,,\n"
path = os.path.join(folder, "%s-%s-py3-none-any.whl" % (name, version))
with zipfile.ZipFile(path, "w") as wheel:
    for place, text in files.items():
        wheel.writestr(zipfile.ZipInfo(place, (2024, 1, 1, 0, 0, 0)), text)
print(path)
