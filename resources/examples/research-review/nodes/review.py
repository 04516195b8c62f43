"""The reviewer's tools."""


def check(fact: str) -> bool:
    """Tells whether a fact ends with a full stop."""
    return fact.endswith(".")


def publish(text: str) -> str:
    """Publishes a text."""
    with open("/session/artifacts/published.txt", "w") as file:
        file.write(text + "\n")
    return "published %d characters" % len(text)
