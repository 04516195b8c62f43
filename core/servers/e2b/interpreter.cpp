#include "core/servers/e2b/interpreter.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/servers/e2b/wire.h"
#include "core/sessions/runner/cell_frames.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <string_view>
#include <utility>

namespace sg::servers::e2b {
namespace {

using net::HttpExchange;

constexpr std::chrono::seconds kKeepAlive{ 5 };
constexpr std::string_view kRestart = "/restart";
constexpr const char* kPythonAlone =
    "This server's contexts run Python alone; commands.run() starts other programs of the sandbox";

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
        if (parsed)
            return std::move(*parsed);
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

bool isPython(const Value& language)
{
    return language.isString() && (language.asString() == "python" || language.asString() == "python3");
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

// The context of an execution; null: a refusal was answered.
ContextPtr contextOf(HttpExchange& exchange, Sandbox& sandbox, const Value& asked)
{
    const Value& context = asked["context_id"];
    const Value& language = asked["language"];
    if (!context.isNull() && !language.isNull()) {
        exchange.answer(net::textAnswer(400, "Only one of context_id or language can be provided"));
        return nullptr;
    }
    if (!language.isNull() && !isPython(language)) {
        exchange.answer(net::textAnswer(500, kPythonAlone));
        return nullptr;
    }
    auto found = sandbox.contexts->find(context.isString() ? context.asString() : kOwnContext);
    if (!found || !(context.isNull() || context.isString())) {
        exchange.answer(net::textAnswer(404, "Context not found"));
        return nullptr;
    }
    return found;
}

void execute(HttpExchange& exchange, Sandbox& sandbox, const Value& asked)
{
    const ContextPtr context = contextOf(exchange, sandbox, asked);
    if (!context)
        return;
    exchange.begin(200, "Content-Type: application/x-ndjson\r\nCache-Control: no-store\r\n");
    Lines lines(exchange);
    Context::Work work;
    work.code = asked.stringOr("code", "");
    work.variables = asked["env_vars"];
    work.begins = [&](int number) {
        lines.say(Value::map({ { "type", "number_of_executions" }, { "execution_count", number } }));
    };
    work.handlers.output = [&](const sessions::CellOutput& output) {
        if (output.stream == sessions::CellOutput::Stream::Event)
            return;
        const bool isOut = output.stream == sessions::CellOutput::Stream::Stdout;
        lines.say(Value::map({ { "type", isOut ? "stdout" : "stderr" },
                               { "text", output.bytes },
                               { "timestamp", isoTime(std::chrono::system_clock::now()) } }));
    };
    work.handlers.display = [&](const Value& shown) {
        if (shown.isMap())
            lines.say(resultLine(shown, false));
    };
    const auto result = context->run(*sandbox.session, work, exchange.gone());
    if (result.droppedBytes > 0)
        lines.say(
            Value::map({ { "type", "stderr" },
                         { "text",
                           std::to_string(result.droppedBytes) + " bytes of output beyond "
                               + sessions::byteText(sessions::CellLimits().outputBytes) + " were dropped\n" },
                         { "timestamp", isoTime(std::chrono::system_clock::now()) } }));
    if (result.value.isMap() && result.value.asMap().size() > 0)
        lines.say(resultLine(result.value, true));
    if (result.error)
        lines.say(errorLine(result));
    lines.say(Value::map({ { "type", "end_of_execution" } }));
}

void makeContext(HttpExchange& exchange, Sandbox& sandbox)
{
    const auto asked = readObject(exchange);
    if (!asked)
        return;
    const Value& language = (*asked)["language"];
    const Value& cwd = (*asked)["cwd"];
    if (!language.isNull() && !isPython(language))
        return exchange.answer(net::textAnswer(500, kPythonAlone));
    if (!cwd.isNull() && !cwd.isString())
        return exchange.answer(net::textAnswer(400, "cwd is no text"));
    const auto made = sandbox.contexts->create(*sandbox.session, asked->stringOr("cwd", ""), exchange.gone());
    if (!made)
        return exchange.answer(net::textAnswer(statusOf(made.error().code), made.error().message));
    exchange.answer(net::jsonAnswer(200, (*made)->value()));
}

// DELETE /contexts/ID, POST /contexts/ID/restart
void changeContext(HttpExchange& exchange, Sandbox& sandbox, std::string_view rest)
{
    const bool isRestart = rest.ends_with(kRestart);
    const std::string id(isRestart ? rest.substr(0, rest.size() - kRestart.size()) : rest);
    const ContextPtr context = sandbox.contexts->find(id);
    if (!context)
        return exchange.answer(net::textAnswer(404, "Context not found"));
    if (exchange.head().method != (isRestart ? "POST" : "DELETE"))
        return exchange.answer(net::textAnswer(405, "A context is removed by DELETE, and POST restarts it"));
    if (!isRestart && id == kOwnContext)
        return exchange.answer(
            net::textAnswer(400, "The sandbox's own context cannot be removed; it can be restarted"));
    if (!isRestart) {
        (void)sandbox.contexts->remove(id);
        return exchange.answer(net::textAnswer(200, ""));
    }
    if (!readObject(exchange))
        return;
    if (auto done = context->restart(*sandbox.session, exchange.gone()); !done)
        return exchange.answer(net::textAnswer(statusOf(done.error().code), done.error().message));
    exchange.answer(net::jsonAnswer(200, context->value()));
}

} // namespace

void answerInterpreter(HttpExchange& exchange, const std::string& path, Sandbox& sandbox)
{
    constexpr std::string_view kBelow = "/contexts/";
    const std::string& method = exchange.head().method;
    if (path == "/health")
        return exchange.answer(net::textAnswer(200, "OK"));
    if (path == "/execute" && method == "POST") {
        if (const auto asked = readObject(exchange))
            execute(exchange, sandbox, *asked);
        return;
    }
    if (path == "/contexts" && method == "GET") {
        ValueList listed;
        for (const ContextPtr& each : sandbox.contexts->all())
            listed.push_back(each->value());
        return exchange.answer(net::jsonAnswer(200, Value(std::move(listed))));
    }
    if (path == "/contexts" && method == "POST")
        return makeContext(exchange, sandbox);
    if (path.starts_with(kBelow))
        return changeContext(exchange, sandbox, std::string_view(path).substr(kBelow.size()));
    exchange.answer(net::textAnswer(404, "There is nothing here"));
}

} // namespace sg::servers::e2b
