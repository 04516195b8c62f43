"""The reducer for lists of messages, usable on its own."""

__all__ = ["REMOVE_ALL_MESSAGES", "add_messages"]

REMOVE_ALL_MESSAGES = "__remove_all__"


def _field(message, name):
    return message.get(name) if isinstance(message, dict) else getattr(message, name, None)


def _listed(messages):
    listed = list(messages) if isinstance(messages, (list, tuple)) else [messages]
    if len(listed) == 2 and isinstance(messages, tuple) and all(isinstance(m, str) for m in messages):
        listed = [messages]
    return [_message(m) for m in listed]


def _message(message):
    if isinstance(message, str):
        return {"type": "human", "content": message}
    if isinstance(message, tuple) and len(message) == 2:
        role = {"user": "human", "assistant": "ai"}.get(message[0], message[0])
        return {"type": role, "content": message[1]}
    return message


def add_messages(left, right):
    """Appends messages; one with the id of an earlier message replaces it, a removal removes it."""
    merged = _listed(left)
    for message in _listed(right):
        identifier = _field(message, "id")
        kind = _field(message, "type")
        if kind == "remove" and identifier == REMOVE_ALL_MESSAGES:
            merged = []
            continue
        places = [i for i, old in enumerate(merged) if identifier is not None and _field(old, "id") == identifier]
        if kind == "remove":
            if not places:
                raise ValueError("Attempting to delete a message with an ID that doesn't exist ('%s')" % identifier)
            del merged[places[0]]
        elif places:
            merged[places[0]] = message
        else:
            merged.append(message)
    return merged
