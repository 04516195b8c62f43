"""Reducers of the state's channels that `operator` does not have."""

import json


def last(left, right):
    return right


def largest(left, right):
    return left if left >= right else right


def smallest(left, right):
    return left if left <= right else right


def union(left, right):
    """Both lists as one without duplicates, in the order of their JSON text."""
    by_text = {json.dumps(item, sort_keys=True): item for item in [*left, *right]}
    return [by_text[text] for text in sorted(by_text)]


def extend(items, writes):
    """For DeltaChannel: the list with everything that one superstep wrote."""
    items = list(items)
    for write in writes:
        items.extend(write)
    return items
