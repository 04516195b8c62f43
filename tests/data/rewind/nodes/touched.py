import os
import threading
import time


class Acts:
    """Who looks at it leaves something behind."""

    def __repr__(self):
        open("looked", "w").close()
        return "Acts"


def beat():
    while True:
        time.sleep(0.01)


def node(state):
    global acts
    seen = [name for name in ("late", "looked") if os.path.exists(name)]
    seen += [thread.name for thread in threading.enumerate() if thread.name == "beat"]
    acts = Acts()
    if state["how"] == "thread" and not seen:
        threading.Thread(target=beat, daemon=True, name="beat").start()
    if state["how"] == "end":
        os._exit(1)
    if state["how"] == "outside":
        with open("/tmp/left", "a") as file:
            file.write("x")
    return {"seen": [", ".join(seen) or "nothing"]}
