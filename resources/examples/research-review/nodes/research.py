"""The researcher's tools. It may not use `delete_notes`: the graph's permissions leave it out."""

FACTS = {"krill": "Krill are crustaceans.", "penguins": "Penguins cannot fly."}


def search(topic: str) -> str:
    """Looks a topic up."""
    return FACTS[topic]


def delete_notes() -> str:
    """Deletes all notes."""
    return "deleted"
