

def __sg_schema__(hint):
    """The JSON Schema that pydantic makes of an annotation. What it does not know may be anything."""
    import enum
    import types
    import typing

    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        schema = __sg_schema__(arguments[0])
        told = next((each for each in arguments[1:] if isinstance(each, str)), None)
        return {**schema, "description": told} if told else schema
    plain = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}
    if hint in plain:
        return {"type": plain[hint]}
    if origin is typing.Literal:
        kinds = {plain.get(type(each)) for each in arguments}
        shown = {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
        return {**shown, "type": kinds.pop()} if len(kinds) == 1 else shown
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        return {"anyOf": [__sg_schema__(each) for each in arguments]}
    if hint in (list, tuple, set) or origin in (list, tuple, set, frozenset) or getattr(origin, "__name__", "") == "Sequence":
        inner = [each for each in arguments if each is not Ellipsis]
        schema = {"type": "array", "items": __sg_schema__(inner[0]) if inner else {}}
        return {**schema, "uniqueItems": True} if set in (hint, origin) else schema
    if hint is dict or origin is dict:
        return {"type": "object", "additionalProperties": __sg_schema__(arguments[1]) if arguments and arguments[1] is not typing.Any else True}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [each.value for each in hint]}
    if isinstance(hint, type) and (hasattr(hint, "__required_keys__") or hasattr(hint, "__dataclass_fields__")):
        fields = typing.get_type_hints(hint)
        required = sorted(getattr(hint, "__required_keys__", fields))
        return {"type": "object", "properties": {name: __sg_schema__(each) for name, each in fields.items()}, "required": required}
    return {}


class __sg_wrong__(Exception):
    """Arguments that do not fit, as [(place, message)]."""


def __sg_fit__(hint, value, place):
    """The value as pydantic would convert it for an annotation; raises __sg_wrong__ in its words."""
    import types
    import typing

    def wrong(message):
        return __sg_wrong__([(place, message)])

    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return __sg_fit__(arguments[0], value, place)
    if hint is int:
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                raise wrong("Input should be a finite number")
            if value != int(value):
                raise wrong("Input should be a valid integer, got a number with a fractional part")
            return int(value)
        if isinstance(value, str):
            try:
                return int(value.strip())
            except ValueError:
                raise wrong("Input should be a valid integer, unable to parse string as an integer") from None
        if not isinstance(value, int):
            raise wrong("Input should be a valid integer")
        return value
    if hint is float:
        if isinstance(value, str):
            try:
                return float(value)
            except ValueError:
                raise wrong("Input should be a valid number, unable to parse string as a number") from None
        if not isinstance(value, (int, float)):
            raise wrong("Input should be a valid number")
        return float(value)
    if hint is str:
        if not isinstance(value, str):
            raise wrong("Input should be a valid string")
        return value
    if hint is bool:
        if isinstance(value, bool):
            return value
        known = {"true": True, "t": True, "yes": True, "y": True, "on": True, "1": True, "false": False, "f": False, "no": False, "n": False, "off": False, "0": False}
        if isinstance(value, str) and value.lower() in known:
            return known[value.lower()]
        if isinstance(value, (int, float)) and value in (0, 1):
            return bool(value)
        raise wrong("Input should be a valid boolean" + (", unable to interpret input" if isinstance(value, (str, int, float)) else ""))
    if hint is type(None):
        if value is not None:
            raise wrong("Input should be None")
        return value
    if origin is typing.Literal:
        if value not in arguments:
            named = [repr(each) for each in arguments]
            raise wrong("Input should be " + (", ".join(named[:-1]) + " or " + named[-1] if len(named) > 1 else named[0]))
        return value
    if origin is typing.Union or origin is getattr(types, "UnionType", None):
        others = [each for each in arguments if each is not type(None)]
        if value is None and len(others) < len(arguments):
            return None
        if len(others) == 1:
            return __sg_fit__(others[0], value, place)
        for each in others:
            if isinstance(each, type) and type(value) is each:
                return value
        found = []
        for each in others:
            try:
                return __sg_fit__(each, value, place + "." + getattr(each, "__name__", str(each)))
            except __sg_wrong__ as error:
                found.extend(error.args[0])
        raise __sg_wrong__(found)
    if hint in (list, tuple, set) or origin in (list, tuple, set, frozenset) or getattr(origin, "__name__", "") == "Sequence":
        kind = origin if origin in (list, tuple, set, frozenset) else hint if hint in (list, tuple, set) else list
        if not isinstance(value, (list, tuple)):
            raise wrong("Input should be a valid %s" % kind.__name__)
        inner = [each for each in arguments if each is not Ellipsis]
        items, found = [], []
        for index, each in enumerate(value):
            try:
                items.append(__sg_fit__(inner[0], each, "%s.%d" % (place, index)) if inner else each)
            except __sg_wrong__ as error:
                found.extend(error.args[0])
        if found:
            raise __sg_wrong__(found)
        return kind(items)
    if hint is dict or origin is dict:
        if not isinstance(value, dict):
            raise wrong("Input should be a valid dictionary")
        return {name: __sg_fit__(arguments[1], each, "%s.%s" % (place, name)) for name, each in value.items()} if arguments else value
    if isinstance(hint, type) and hasattr(hint, "__dataclass_fields__") and isinstance(value, dict):
        hints = typing.get_type_hints(hint)
        return hint(**{name: __sg_fit__(hints[name], each, place + "." + name) for name, each in value.items() if name in hints})
    if isinstance(hint, type) and hasattr(hint, "__members__"):
        try:
            return hint(value)
        except ValueError:
            named = [repr(each.value) for each in hint]
            raise wrong("Input should be " + (", ".join(named[:-1]) + " or " + named[-1] if len(named) > 1 else named[0])) from None
    return value


def __sg_arguments__(function):
    """{name: (annotation, default)} of what a model gives, and the names that are given by us."""
    import inspect
    import typing

    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception:
        hints = dict(getattr(function, "__annotations__", {}))
    asked, given = {}, []
    for name, each in inspect.signature(function).parameters.items():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if name in ("config", "runtime", "writer", "store"):
            given.append(name)
        else:
            asked[name] = (hints.get(name, typing.Any), each.default)
    return asked, given


def __sg_is_tool__(each):
    """An object that LangChain's @tool made, where the sandbox has LangChain."""
    return hasattr(each, "tool_call_schema") and hasattr(each, "invoke")


def __sg_tools__(state, config):
    """What a model is told of the file's functions: of those named, or of all public ones."""
    import inspect
    import textwrap

    module = globals()
    named = state["functions"]
    if not named:
        named = [
            name
            for name, each in module.items()
            if not name.startswith("_")
            and (__sg_is_tool__(each) or inspect.isfunction(each) and each.__code__.co_filename == state["file"])
        ]
    found = []
    for name in named:
        each = module.get(name)
        if __sg_is_tool__(each):
            schema = each.tool_call_schema
            schema = schema if isinstance(schema, dict) else schema.model_json_schema()
            found.append({"name": each.name, "description": each.description, "parameters": schema, "direct": bool(each.return_direct), "function": name})
            continue
        if not callable(each):
            raise AttributeError("%s defines no function '%s' for an agent" % (state["file"], name))
        asked, _ = __sg_arguments__(each)
        properties = {}
        for argument, (hint, default) in asked.items():
            properties[argument] = __sg_schema__(hint)
            if default is not inspect.Parameter.empty:
                try:
                    repr(__import__("json").dumps(default))
                    properties[argument] = {"default": default, **properties[argument]}
                except TypeError:
                    pass
        schema = {"type": "object", "properties": properties}
        required = [argument for argument, (_, default) in asked.items() if default is inspect.Parameter.empty]
        if required:
            schema["required"] = required
        described = textwrap.dedent(each.__doc__ or "").strip()
        if not described:
            raise ValueError("the function '%s' of %s has no docstring: it tells the model what the tool does" % (name, state["file"]))
        found.append({"name": name, "description": described, "parameters": schema, "direct": False, "function": name})
    return {"tools": found}


def __sg_text__(result):
    """What LangChain makes of a tool's result."""
    import json

    if isinstance(result, str):
        return result
    blocks = ("text", "image_url", "image", "json", "search_result", "custom_tool_call_output", "document", "file")
    if isinstance(result, list) and all(isinstance(each, dict) and each.get("type") in blocks for each in result):
        return result
    try:
        return json.dumps(result, ensure_ascii=False)
    except Exception:
        return str(result)


def __sg_file__(name, ending, content):
    """A result as an artifact, and as a file that stays in the session for code; artifacts are taken away. The file's path.

    Some models give calls of every turn the same ids: a file that holds something else stays, and this one gets a number.
    """
    import os

    number, numbered = 1, name + ending
    while True:
        path = os.path.join("/session/tool-results", numbered)
        try:
            with open(path, "rb") as file:
                if file.read() == content:
                    break
        except FileNotFoundError:
            break
        number += 1
        numbered = "%s-%d%s" % (name, number, ending)
    for folder in ("/session/artifacts/tool-results", "/session/tool-results"):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, numbered), "wb") as file:
            file.write(content)
    return path


def __sg_kept__(content, state):
    """A long text is a file; the model sees its beginning, its end and its path."""
    most = state["most"]
    if not isinstance(content, str) or len(content) <= most:
        return content
    name = "".join(c if c.isascii() and c.isalnum() or c in "-_" else "_" for c in "%s-%s" % (state["tool"], state["id"]))[:120]
    path = __sg_file__(name, ".txt", content.encode("utf-8", "replace"))
    return "%s\n[… %d characters in all; the whole result is the file %s …]\n%s" % (
        content[: most * 3 // 4], len(content), path, content[len(content) - most // 8 :])


def __sg_keep__(state, config):
    """Keeps a result that came from outside the session."""
    return {"path": __sg_file__(state["name"], state["ending"], state["content"])}


def __sg_call__(state, config):
    """Calls one function with the arguments that a model gave. {"content"}, {"invalid"}, or what it returned itself."""
    import inspect

    each = globals().get(state["function"])
    if __sg_is_tool__(each):
        result = each.invoke({"name": state["tool"], "args": state["args"], "id": state["id"], "type": "tool_call"}, config)
        return result if type(result).__name__ in ("Command",) else {"content": __sg_kept__(__sg_text__(getattr(result, "content", result)), state)}
    asked, given = __sg_arguments__(each)
    arguments, wrong = {}, []
    for name, (hint, default) in asked.items():
        if name in state["args"]:
            try:
                arguments[name] = __sg_fit__(hint, state["args"][name], name)
            except __sg_wrong__ as error:
                wrong.extend(error.args[0])
        elif default is inspect.Parameter.empty:
            wrong.append((name, "Field required"))
    if wrong:
        return {"invalid": "Error invoking tool '%s' with kwargs %s with error:\n %s\n Please fix the error and try again." % (
            state["tool"], state["args"], "\n".join("%s: %s" % each for each in wrong))}
    for name in given:
        arguments[name] = __sg_given__(name, each, config)
    result = each(**arguments)
    if hasattr(result, "__await__"):
        return __sg_awaited__(result, state)
    return __sg_result__(result, state)


def __sg_given__(name, function, config):
    if name == "config":
        return config
    from sandglass_runner import arguments, context

    return arguments._ASKED[name](context.current, function)


async def __sg_awaited__(result, state):
    return __sg_result__(await result, state)


def __sg_result__(result, state):
    if type(result).__name__ == "Command":
        return result
    if type(result).__name__ == "ToolMessage":
        return {"content": __sg_kept__(__sg_text__(result.content), state), "status": getattr(result, "status", "success")}
    return {"content": __sg_kept__(__sg_text__(result), state)}


def __sg_run__(state, config):
    """Runs a piece of code among the session's names. Its result is what it printed and its last expression."""
    import ast
    import linecache
    import os
    import sys

    class Heard:
        def __init__(self, stream):
            self.stream = stream

        def write(self, text):
            heard.append(text)
            return self.stream.write(text)

        def __getattr__(self, name):
            return getattr(self.stream, name)

    def files():
        found = {}
        for folder, _, names in os.walk("/session/artifacts"):
            for name in names:
                path = os.path.join(folder, name)
                try:
                    found[path] = os.stat(path).st_mtime_ns
                except OSError:
                    pass
        return found

    code, heard, before = state["args"]["code"], [], files()
    name = "<code %s>" % state["id"]
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Heard(out), Heard(err)
    failed = None
    try:
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec", 0, True), globals())
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval", 0, True), globals())
            if value is not None:
                heard.append(("" if not heard or heard[-1].endswith("\n") else "\n") + repr(value))
    except Exception as error:
        if type(error).__name__ == "GraphInterrupt":
            raise
        # A sandbox without its packages is for its user to mend: a model would only work around it.
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in state["missing"]:
            raise
        import traceback

        shown = error.__traceback__
        while shown is not None and shown.tb_frame.f_code.co_filename != name:
            shown = shown.tb_next
        failed = "".join(traceback.format_exception(type(error), error, shown))
    finally:
        sys.stdout, sys.stderr = out, err
    text = "".join(heard)
    if failed:
        text += ("\n" if text and not text.endswith("\n") else "") + failed
    made = sorted(path for path, time in files().items() if before.get(path) != time)
    if made:
        text += ("\n" if text and not text.endswith("\n") else "") + "[files: %s]" % ", ".join(made)
    return {"content": __sg_kept__(text or "(it printed nothing)", state), "status": "error" if failed else "success"}


def __sg_dataset__(state, config):
    import json

    import sandglass

    if state["tool"] == "list_datasets":
        return {"content": __sg_kept__(json.dumps(sandglass.list_datasets(), ensure_ascii=False), state)}
    if state["tool"] == "select_dataset":
        return {"content": sandglass.select_dataset(state["args"]["dataset_id"])}
    import os

    path = state["args"]["path"]
    sandglass.export_datasets(path)
    return {"content": "exported %s, %d bytes" % (os.path.basename(path), os.path.getsize(path))}
