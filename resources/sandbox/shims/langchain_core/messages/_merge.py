"""Merges the pieces of a message."""


def merge_dicts(left, *others):
    merged = dict(left)
    for other in others:
        for key, value in other.items():
            if merged.get(key) is None:
                merged[key] = value
            elif value is not None:
                merged[key] = _merged(key, merged[key], value)
    return merged


def _merged(key, old, new):
    if type(old) is not type(new):
        raise TypeError('additional_kwargs["%s"] already exists in this message, but with a different type.' % key)
    if isinstance(old, str):
        is_same = key in ("id", "output_version", "model_provider") and old == new
        return old if is_same or (key == "index" and old.startswith("lc_")) else old + new
    if isinstance(old, dict):
        return merge_dicts(old, new)
    if isinstance(old, list):
        return merge_lists(old, new)
    if old == new:
        return old
    if isinstance(old, int) and not isinstance(old, bool):
        return new if key in ("index", "created", "timestamp") else old + new
    raise TypeError(
        "Additional kwargs key %s already exists in left dict and value has unsupported type %s." % (key, type(old))
    )


def merge_lists(left, *others):
    """Merges entries with the same index into one."""
    merged = None if left is None else list(left)
    for other in others:
        if merged is None or other is None:
            merged = merged if other is None else list(other)
            continue
        for entry in other:
            place = _place_of(entry, merged)
            if place is None:
                merged.append(entry)
            else:
                merged[place] = merge_dicts(merged[place], _without_type(entry, merged[place]))
    return merged


def _place_of(entry, merged):
    index = entry.get("index") if isinstance(entry, dict) else None
    if not isinstance(index, int) and not (isinstance(index, str) and index.startswith("lc_")):
        return None
    for place, old in enumerate(merged):
        if isinstance(old, dict) and "index" in old and old["index"] == index:
            identifiers = (old.get("id"), entry.get("id"))
            if identifiers[0] == identifiers[1] or not all(identifiers):
                return place
    return None


def _without_type(entry, old):
    if old.get("type") and entry.get("type") == "non_standard" and "value" in entry:
        value = {key: part for key, part in entry["value"].items() if key != "type"}
        if old["type"] != "non_standard":
            return {"extras": value}
        return {"value": value, "index": entry["index"]}
    return {key: part for key, part in entry.items() if key != "type"}


def merge_obj(left, right):
    if left is None or right is None:
        return right if left is None else left
    if type(left) is not type(right):
        raise TypeError("left and right are of different types: %s, %s" % (type(left), type(right)))
    if isinstance(left, str):
        return left + right
    if isinstance(left, dict):
        return merge_dicts(left, right)
    if isinstance(left, list):
        return merge_lists(left, right)
    if left == right:
        return left
    raise ValueError("Unable to merge left=%r and right=%r." % (left, right))
