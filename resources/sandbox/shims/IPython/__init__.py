"""Names that code written for notebooks imports, for sessions without IPython."""

from IPython import display

__all__ = ["display", "get_ipython"]


def get_ipython():
    """None: this is no IPython."""
    return None
