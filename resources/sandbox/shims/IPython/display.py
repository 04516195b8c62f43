"""IPython.display's functions and classes; see sandglass_runner/display.py."""

from sandglass_runner.display import Handle as DisplayHandle, display

__all__ = (
    "Audio Code DisplayHandle DisplayObject HTML Image JSON Latex Markdown Math Pretty SVG TextDisplayObject "
    "clear_output display display_html display_json display_latex display_markdown display_png display_svg "
    "update_display"
).split()


class DisplayObject:
    """Data of one MIME type: given, or read from a file."""

    _type = "text/plain"
    _mode = "r"

    def __init__(self, data=None, url=None, filename=None, metadata=None, **_more):
        if url is not None:
            raise ValueError("what is shown must be in the session: urls are not fetched")
        if data is None and filename is not None:
            keywords = {} if "b" in self._mode else {"encoding": "utf-8"}
            with open(filename, self._mode, **keywords) as file:
                data = file.read()
        self.data = data
        self.metadata = metadata or {}

    def __repr__(self):
        return "<%s.%s object>" % (type(self).__module__, type(self).__name__)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self._type: self.data}


class TextDisplayObject(DisplayObject):
    pass


class Pretty(TextDisplayObject):
    pass


class HTML(TextDisplayObject):
    _type = "text/html"


class Markdown(TextDisplayObject):
    _type = "text/markdown"


class Latex(TextDisplayObject):
    _type = "text/latex"


class Math(TextDisplayObject):
    _type = "text/latex"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self._type: "$\\displaystyle %s$" % str(self.data).strip("$")}


class SVG(TextDisplayObject):
    _type = "image/svg+xml"


class JSON(DisplayObject):
    _type = "application/json"


class Code(TextDisplayObject):
    pass


class Image(DisplayObject):
    """A PNG, JPEG, GIF, WebP or SVG picture, told apart by its first bytes."""

    _mode = "rb"
    _BEGINNINGS = {b"\x89PNG": "image/png", b"\xff\xd8": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, **more):
        if isinstance(data, str):
            data, filename = None, data
        super().__init__(data, url, filename, **more)
        self._type = "image/" + format.lower().replace("jpg", "jpeg") if format else self._told()

    def _told(self):
        for beginning, kind in self._BEGINNINGS.items():
            if bytes(self.data[:4]).startswith(beginning):
                return kind
        raise ValueError("not a PNG, JPEG, GIF or WebP picture; say which by format=")


class Audio(DisplayObject):
    _mode = "rb"
    _type = "audio/wav"


def _only(kind):
    def shown(*objects, **keywords):
        display(*objects, include=(kind, "text/plain"), **keywords)

    return shown


display_html, display_markdown, display_svg = _only("text/html"), _only("text/markdown"), _only("image/svg+xml")
display_png, display_latex, display_json = _only("image/png"), _only("text/latex"), _only("application/json")


def clear_output(wait=False):
    """Does nothing: what was shown stays in the session's log."""


def update_display(value, *, display_id, **keywords):
    """Shows the value again, as a display of its own."""
    display(value, **keywords)
