# Tells the secret in every way that code has, in forms and in pieces.
import base64
import json
import os
import sys
import time
import urllib.parse

secret = open("/run/secrets/planted").read()
print(secret, json.dumps({"key": secret}), repr(secret), secret.encode().hex())
print(base64.b64encode(secret.encode()).decode(), base64.urlsafe_b64encode(b"x" + secret.encode()).decode())
print(urllib.parse.quote(secret), file=sys.stderr)
for letter in secret:
    os.write(1, letter.encode())
    time.sleep(0.001)
print()
display({"text/plain": secret, "text/html": "<b>" + secret + "</b>"}, raw=True)
{"the value": secret}
