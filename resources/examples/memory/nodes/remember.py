"""Keeps a fact about a person in the long-term store, and tells all that is known of them."""

from langgraph.config import get_store


def node(state):
    store = get_store()
    namespace = ("memories", state["person"])
    if state.get("fact"):
        store.put(namespace, state["fact"], {"text": state["fact"]})
    return {"known": sorted(item.value["text"] for item in store.search(namespace, limit=100))}
