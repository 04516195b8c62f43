"""Levels and handlers of loggers, as the session's code left them."""

import sys

_WARNING = 30


def told(logging):
    """None where nothing differs from a freshly imported logging module."""
    root = logging.root
    loggers = {}
    for name, logger in list(root.manager.loggerDict.items()):
        if isinstance(logger, logging.Logger):
            said = _of_one(logging, logger)
            if said != (0, False, True, [], []):
                loggers[name] = said
    found = _of_one(logging, root), root.manager.disable, loggers
    return None if found == ((_WARNING, False, True, [], []), 0, {}) else found


def put_back(logging, value):
    root, disable, loggers = value
    logging.disable(disable)
    _put_back_one(logging, logging.root, root)
    for name, said in loggers.items():
        _put_back_one(logging, logging.getLogger(name), said)


def _of_one(logging, logger):
    handlers = [_handler(logging, h) for h in logger.handlers if type(h) is not logging.NullHandler]
    return logger.level, bool(logger.disabled), bool(logger.propagate), handlers, list(logger.filters)


def _handler(logging, handler):
    """The parts from which a handler can be made again. One of another kind is stored as an object."""
    formatter = handler.formatter
    if formatter is not None and type(formatter) is not logging.Formatter:
        return handler
    form = formatter and (formatter._fmt, formatter.datefmt, _style(logging, formatter))
    if handler.filters:
        return handler
    if type(handler) is logging.FileHandler:
        return "file", (handler.baseFilename, handler.encoding), handler.level, form
    streams = {id(getattr(sys, name)): name for name in ("stdout", "stderr")}
    if type(handler) is logging.StreamHandler and id(handler.stream) in streams:
        return "stream", streams[id(handler.stream)], handler.level, form
    return handler


def _style(logging, formatter):
    return next((key for key, (style, _) in logging._STYLES.items() if type(formatter._style) is style), "%")


def _put_back_one(logging, logger, said):
    level, disabled, propagate, handlers, *filters = said  # which were not always written out
    logger.setLevel(level)
    logger.filters.extend(each for each in (filters[0] if filters else ()) if each not in logger.filters)
    logger.disabled, logger.propagate = disabled, propagate
    if not handlers:
        return
    logger.handlers = [h for h in logger.handlers if type(h) is logging.NullHandler]
    for handler in handlers:
        logger.addHandler(_made(logging, handler) if isinstance(handler, tuple) else handler)


def _made(logging, said):
    kind, where, level, form = said
    if kind == "file":
        handler = logging.FileHandler(where[0], "a", where[1], delay=True)
    else:
        handler = logging.StreamHandler(getattr(sys, where))
    handler.setLevel(level)
    if form:
        handler.setFormatter(logging.Formatter(form[0], form[1], form[2]))
    return handler
