"""Settings of imported libraries that the session's code has changed. Known defaults are not recorded."""

import os
import sys

from . import dict_versions, log_settings
from .module_state import is_users

_NUMPY_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_NUMPY_PRINTS = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
    "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None,
}  # fmt: skip
_NOT_OF_FIGURES = ("backend", "backend_fallback", "interactive", "toolbar", "webagg.port")


_DECIMAL = (28, "ROUND_HALF_EVEN", -999999, 999999, 1, 0, [])
_DECIMAL_TRAPS = ("InvalidOperation", "DivisionByZero", "Overflow")


def _other_decimal(context):
    *parts, traps = context.__reduce__()[1]
    return None if tuple(parts) == _DECIMAL and tuple(trap.__name__ for trap in traps) == _DECIMAL_TRAPS else context


def _numpy(numpy):
    prints = {k: v for k, v in numpy.get_printoptions().items() if k not in _NUMPY_PRINTS or _NUMPY_PRINTS[k] != v}
    errors = {k: v for k, v in numpy.geterr().items() if _NUMPY_ERRORS.get(k) != v}
    call = numpy.geterrcall()
    return (prints, errors, call) if prints or errors or call is not None else None


def _set_numpy(numpy, value):
    prints, errors, call = value
    if prints:
        numpy.set_printoptions(**prints)
    numpy.seterr(**errors)
    numpy.seterrcall(call)


def _pandas(config):
    """Reads pandas' dictionaries directly, as asking by name warns of deprecated options."""
    changed = {}
    for name, option in config._registered_options.items():
        at = config._global_config
        for part in name.split("."):
            at = at[part]
        if at is not option.defval and at != option.defval:
            changed[name] = at
    return changed or None


def _set_pandas(config, changed):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, value in changed.items():
            config.set_option(name, value)


def _set_first_decimal(decimal, context):
    """Changes the default context, which each new thread copies."""
    for name in ("prec", "rounding", "Emin", "Emax", "capitals", "clamp"):
        setattr(decimal.DefaultContext, name, getattr(context, name))
    decimal.DefaultContext.traps.update(context.traps)


def _reductions(copyreg):
    """Reducers of the code's own classes or functions; others come with their libraries."""
    table = copyreg.dispatch_table
    if _same_reductions.holds(table):
        return None
    found = {c: f for c, f in table.items() if is_users(c.__module__) or is_users(getattr(f, "__module__", None))}
    if not found:
        _same_reductions.note(table)
    return found or None


_same_reductions = dict_versions.Same()  # while it holds none of the code's


def _thread_hook(threading):
    """Python 3.9 has no name for the original hook: it is the built-in one of _thread."""
    first = getattr(threading, "__excepthook__", None) or sys.modules["_thread"]._excepthook
    return None if threading.excepthook is first else threading.excepthook


def _longest_field(csv):
    longest = csv.field_size_limit()
    return None if longest == 131072 else longest


_DIALECT = ("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace", "strict")


def _dialects(csv):
    own = [name for name in csv.list_dialects() if name not in ("excel", "excel-tab", "unix")]
    return {name: {part: getattr(csv.get_dialect(name), part) for part in _DIALECT} for name in own} or None


def _set_dialects(csv, dialects):
    for name, parts in dialects.items():
        csv.register_dialect(name, **parts)


def _accessors(pandas):
    """Those of the session's code, of the classes that take any."""
    found = {}
    for kind in ("DataFrame", "Series", "Index"):
        names = getattr(pandas, kind).__dict__
        for name in names.get("_accessors", ()):
            accessor = getattr(names.get(name), "_accessor", None)
            if is_users(getattr(accessor, "__module__", None)):
                found[(kind, name)] = accessor
    return found or None


def _set_accessors(pandas, accessors):
    for (kind, name), accessor in accessors.items():
        getattr(pandas.api.extensions, "register_%s_accessor" % kind.lower())(name)(accessor)


def _figures(matplotlib):
    default = matplotlib.rcParamsDefault
    now = dict.items(matplotlib.rcParams)
    return {k: v for k, v in now if k not in _NOT_OF_FIGURES and dict.get(default, k) != v} or None


def _set_figures(matplotlib, changed):
    matplotlib.rcParams.update(changed)


def _types_of_files(mimetypes):
    """[(types, common types)] beside those that its own files say."""
    if mimetypes._db is None:
        return None
    if "types" not in _began:
        began = mimetypes.MimeTypes()
        for path in filter(os.path.isfile, mimetypes.knownfiles):
            began.read(path)
        _began["types"] = tuple(dict(each) for each in began.types_map)
    if mimetypes._db.types_map == _began["types"]:
        return None
    other = [
        {suffix: kind for suffix, kind in now.items() if began.get(suffix) != kind}
        for now, began in zip(mimetypes._db.types_map, _began["types"])
    ]
    return other


def _set_types_of_files(mimetypes, other):
    for is_strict, types in enumerate(other):
        for suffix, kind in types.items():
            mimetypes.add_type(kind, suffix, bool(is_strict))


_began = {}


def _of_the_code(table):
    """Entries whose functions are not the library's."""
    return {key: value for key, value in table.items() if getattr(value, "__module__", None) != "sqlite3.dbapi2"}


def _sqlite(sqlite3):
    found = {kind: f for (kind, _protocol), f in _of_the_code(sqlite3.adapters).items()}, _of_the_code(sqlite3.converters)
    return found if any(found) else None


def _set_sqlite(sqlite3, value):
    adapters, converters = value
    for kind, adapt in adapters.items():
        sqlite3.register_adapter(kind, adapt)
    for name, convert in converters.items():
        sqlite3.register_converter(name, convert)


def _start_method(context):
    method = context._default_context.get_start_method(allow_none=True)
    return None if method == context._default_context._default_context._name else method


def _tracing(tracemalloc):
    return tracemalloc.get_traceback_limit() if tracemalloc.is_tracing() else None


ALL = {  # name: (module, what is asked, what sets it again)
    "decimal context": ("decimal", lambda m: _other_decimal(m.getcontext()), lambda module, value: module.setcontext(value)),
    "first decimal context": ("decimal", lambda m: _other_decimal(m.DefaultContext), _set_first_decimal),
    "ways to pickle": ("copyreg", _reductions, lambda module, value: module.dispatch_table.update(value)),
    "socket timeout": ("socket", lambda m: m.getdefaulttimeout(), lambda m, value: m.setdefaulttimeout(value)),
    "stack size of threads": ("_thread", lambda m: m.stack_size() or None, lambda m, value: m.stack_size(value)),
    "hook of threads": ("threading", _thread_hook, lambda m, value: setattr(m, "excepthook", value)),
    "longest field of CSV": ("_csv", _longest_field, lambda m, v: m.field_size_limit(v)),
    "dialects of CSV": ("_csv", _dialects, _set_dialects),
    "types of files": ("mimetypes", _types_of_files, _set_types_of_files),
    "adapters of SQLite": ("sqlite3", _sqlite, _set_sqlite),
    "start of processes": ("multiprocessing.context", _start_method, lambda m, v: m._default_context.set_start_method(v, force=True)),
    "tracing of memory": ("tracemalloc", _tracing, lambda module, value: module.start(value)),
    "logging": ("logging", log_settings.told, log_settings.put_back),
    "numpy options": ("numpy", _numpy, _set_numpy),
    "pandas options": ("pandas._config.config", _pandas, _set_pandas),
    "pandas accessors": ("pandas", _accessors, _set_accessors),
    "matplotlib settings": ("matplotlib", _figures, _set_figures),
}


def asked():
    """{name: function that returns its value, or None}."""
    newest = next(reversed(sys.modules))
    seen = len(sys.modules), newest, id(sys.modules[newest])
    if seen != _looked.get("seen"):
        made = {name: lambda a=ask, m=module: a(sys.modules[m]) for name, (module, ask, _set) in ALL.items() if module in sys.modules}
        _looked.update(seen=seen, found=made)
    return _looked["found"]


_looked = {}


def change(name, value):
    module, _ask, set_again = ALL[name]
    __import__(module)
    set_again(sys.modules[module], value)
