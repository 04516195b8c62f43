"""The value of a cell's last expression as a map from MIME type to what is shown."""

from .failures import cut

TEXT_LIMIT = 1048576


def bundle(value):
    """None where there is nothing to show."""
    if value is None:
        return None
    return {"text/plain": cut(repr(value), TEXT_LIMIT)}
