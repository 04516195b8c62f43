"""matplotlib's figures: those open at the end of a cell are shown and closed, as in notebooks."""

import sys

from . import late

_MOST = 50  # figures shown at once


def install(emit):
    late.install(("matplotlib.pyplot",), lambda _name, pyplot: _add_to(pyplot, emit))


def _add_to(pyplot, emit):
    def show(*_arguments, **_keywords):
        """Shows the open figures now and closes them."""
        flush(emit)

    pyplot.show = show
    # Figure.show() would open a window, and there is none; the figure is shown with the cell's others.
    pyplot.Figure.show = lambda self, warn=True: None


def flush(emit, shown=None):
    """Shows the open figures, except `shown`, and closes them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    numbers = pyplot.get_fignums() if hasattr(pyplot, "get_fignums") else ()
    if not numbers:
        return
    try:
        for number in numbers[:_MOST]:
            figure = pyplot.figure(number)
            if figure is not shown:
                emit({"image/png": png(figure), "text/plain": repr(figure)})
        if len(numbers) > _MOST:
            print("display: %d more figures are not shown" % (len(numbers) - _MOST), file=sys.stderr)
    finally:
        pyplot.close("all")


def png(figure):
    import io

    data = io.BytesIO()
    figure.savefig(data, format="png", bbox_inches="tight", facecolor=figure.get_facecolor())
    return data.getvalue()
