#include "core/servers/e2b/interpreter.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/servers/e2b/wire.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <string_view>
#include <utility>

namespace sg::servers::e2b {
namespace {

using net::HttpExchange;

constexpr std::chrono::seconds kKeepAlive{ 5 };
constexpr std::chrono::hours kLongest{ 24 }; // a client's time is over when it goes away
constexpr const char* kContext = "default";

struct Form {
    std::string_view mime;
    const char* key;
};
constexpr std::array<Form, 10> kForms{ { { "text/plain", "text" },
                                         { "text/html", "html" },
                                         { "text/markdown", "markdown" },
                                         { "image/svg+xml", "svg" },
                                         { "image/png", "png" },
                                         { "image/jpeg", "jpeg" },
                                         { "application/pdf", "pdf" },
                                         { "text/latex", "latex" },
                                         { "application/json", "json" },
                                         { "application/javascript", "javascript" } } };

std::string unquoted(std::string text)
{
    const bool isQuoted =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.front() == text.back();
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

Value contentOf(std::string_view mime, const Value& content)
{
    if (content.isBytes())
        return toBase64(content.asBytes());
    if (mime == "text/plain" && content.isString())
        return unquoted(content.asString());
    if (mime == "application/json" && content.isString()) {
        auto parsed = parseJson(content.asString());
        return parsed ? std::move(*parsed) : content;
    }
    return content;
}

Value resultLine(const Value& shown, bool isMain)
{
    ValueMap line{ { "type", "result" }, { "is_main_result", isMain } };
    ValueMap extra;
    for (const auto& [mime, content] : shown.asMap()) {
        if (!mime.isString())
            continue;
        const auto known = std::ranges::find(kForms, std::string_view(mime.asString()), &Form::mime);
        if (known != kForms.end())
            line.set(known->key, contentOf(mime.asString(), content));
        else if (mime.asString() == "e2b/data" || mime.asString() == "e2b/chart")
            line.set(mime.asString().substr(4), contentOf("application/json", content));
        else
            extra.set(mime, contentOf(mime.asString(), content));
    }
    if (extra.size() > 0)
        line.set("extra", Value(std::move(extra)));
    return Value(std::move(line));
}

// Lines of JSON for the client, and one every five seconds without any, by which a dead client is noticed.
class Lines {
public:
    explicit Lines(HttpExchange& exchange)
        : m_exchange(exchange)
        , m_alive([this](const std::stop_token& stop) { keepAlive(stop); })
    {
    }
    void say(const Value& line)
    {
        const std::lock_guard lock(m_mutex);
        (void)m_exchange.write(toJson(line) + "\n");
        m_isQuiet = false;
    }

private:
    void keepAlive(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        while (!m_ended.wait_for(lock, stop, kKeepAlive, [&] { return stop.stop_requested(); }))
            if (std::exchange(m_isQuiet, true) && m_exchange.canWrite())
                (void)m_exchange.write("{\"type\":\"keepalive\"}\n");
    }
    HttpExchange& m_exchange;
    std::mutex m_mutex;
    std::condition_variable_any m_ended;
    bool m_isQuiet = true; // guarded by m_mutex
    std::jthread m_alive; // last, so that it ends first
};

// Code that sets the variables of one execution, and code that puts back what was there.
std::pair<std::string, std::string> environmentCode(const Value& variables)
{
    const std::string text = toJson(Value(toJson(variables)));
    return {
        "import json as _sg_json, os as _sg_os\n_sg_set = _sg_json.loads(" + text
            + ")\n_sg_before = {k: _sg_os.environ.get(k) for k in _sg_set}\n_sg_os.environ.update(_sg_set)\n",
        "for _sg_k, _sg_v in _sg_before.items():\n    _sg_os.environ.pop(_sg_k, None) if _sg_v is None else "
        "_sg_os.environ.__setitem__(_sg_k, _sg_v)\ndel _sg_json, _sg_os, _sg_set, _sg_before\n"
    };
}

sessions::CellResult runQuietly(Sandbox& sandbox, const std::string& code, const std::stop_token& stop)
{
    artifacts::ArtifactOrigin origin;
    origin.thread = ThreadId("e2b-" + sandbox.id);
    return sandbox.session->runCell(code, {}, origin, {}, stop);
}

Value errorLine(const sessions::CellResult& result)
{
    if (result.status == sessions::CellStatus::Died)
        return Value::map(
            { { "type", "error" },
              { "name", "UnexpectedEndOfExecution" },
              { "value", result.error ? result.error->message : "the interpreter has ended" },
              { "traceback",
                "The interpreter has ended; a fresh one is there, without the names of before." } });
    return Value::map({ { "type", "error" },
                        { "name", result.error->type },
                        { "value", result.error->message },
                        { "traceback", result.error->traceback } });
}

void execute(HttpExchange& exchange, Sandbox& sandbox, const Value& asked)
{
    const Value& context = asked["context_id"];
    const Value& language = asked["language"];
    if (!context.isNull() && !language.isNull())
        return exchange.answer(net::textAnswer(400, "Only one of context_id or language can be provided"));
    if (!context.isNull() && !(context.isString() && context.asString() == kContext))
        return exchange.answer(net::textAnswer(404, "Context not found"));
    if (!language.isNull() && !(language.isString() && language.asString() == "python"))
        return exchange.answer(net::textAnswer(500, "This sandbox runs Python code only"));
    exchange.begin(200, "Content-Type: application/x-ndjson\r\nCache-Control: no-store\r\n");
    Lines lines(exchange);
    const std::stop_token stop = exchange.gone();
    lines.say(
        Value::map({ { "type", "number_of_executions" }, { "execution_count", ++sandbox.executions } }));
    ValueMap variables;
    if (sandbox.executions == 1 && sandbox.environment.asMap().size() > 0)
        (void)runQuietly(sandbox,
                         "import os as _sg_os, json as _sg_json\n_sg_os.environ.update(_sg_json.loads("
                             + toJson(Value(toJson(sandbox.environment))) + "))\ndel _sg_os, _sg_json\n",
                         stop);
    const bool hasVariables = asked["env_vars"].isMap() && asked["env_vars"].asMap().size() > 0;
    const auto [before, after] = environmentCode(hasVariables ? asked["env_vars"] : Value(ValueMap{}));
    if (hasVariables)
        (void)runQuietly(sandbox, before, stop);
    sessions::CellHandlers handlers;
    handlers.output = [&](const sessions::CellOutput& output) {
        if (output.stream == sessions::CellOutput::Stream::Event)
            return;
        const bool isOut = output.stream == sessions::CellOutput::Stream::Stdout;
        lines.say(Value::map({ { "type", isOut ? "stdout" : "stderr" },
                               { "text", output.bytes },
                               { "timestamp", isoTime(std::chrono::system_clock::now()) } }));
    };
    handlers.display = [&](const Value& shown) {
        if (shown.isMap())
            lines.say(resultLine(shown, false));
    };
    sessions::CellLimits limits;
    limits.deadline = kLongest;
    artifacts::ArtifactOrigin origin;
    origin.thread = ThreadId("e2b-" + sandbox.id);
    const auto result = sandbox.session->runCell(asked.stringOr("code", ""), limits, origin, handlers, stop);
    if (result.value.isMap() && result.value.asMap().size() > 0)
        lines.say(resultLine(result.value, true));
    if (result.error)
        lines.say(errorLine(result));
    if (hasVariables)
        (void)runQuietly(sandbox, after, {});
    lines.say(Value::map({ { "type", "end_of_execution" } }));
}

} // namespace

void answerInterpreter(HttpExchange& exchange, const std::string& path, Sandbox& sandbox)
{
    const std::string& method = exchange.head().method;
    const Value context =
        Value::map({ { "id", kContext }, { "language", "python" }, { "cwd", "/home/user" } });
    if (path == "/health")
        return exchange.answer(net::textAnswer(200, "OK"));
    if (path == "/execute" && method == "POST") {
        if (const auto asked = readObject(exchange))
            execute(exchange, sandbox, *asked);
        return;
    }
    if (path == "/contexts" && method == "GET")
        return exchange.answer(net::jsonAnswer(200, Value::list({ context })));
    if (path == "/contexts" && method == "POST")
        return exchange.answer(net::textAnswer(
            501, "A sandbox of this server has one context, the one that run_code uses without any"));
    if (path == std::string("/contexts/") + kContext + "/restart" && method == "POST") {
        const auto asked = readObject(exchange);
        if (!asked)
            return;
        (void)runQuietly(sandbox, "import os\nos._exit(0)", {});
        sandbox.executions = 0;
        return exchange.answer(net::jsonAnswer(200, context));
    }
    exchange.answer(net::textAnswer(404, "Context not found"));
}

} // namespace sg::servers::e2b
