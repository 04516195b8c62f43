#include "core/nodes/http_node.h"

#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/base/utf8.h"
#include "core/engine/effect_key.h"
#include "core/models/base_url.h"
#include "core/models/model_desk.h"
#include "core/nodes/jq_node.h"
#include "core/nodes/setting_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::nodes {
namespace {

using engine::Failure;
using engine::TaskContext;
using Answer = std::variant<Value, engine::Interrupted, Failure>;
using MayAsk = std::function<Result<void>(const std::string& place)>;

constexpr std::size_t kMostOfAnswer = 500; // of an answer, in a failure
constexpr std::string_view kSecretMark = "{secret}";
constexpr std::string_view kEffectHeader = "idempotency-key";
constexpr std::array<std::string_view, 7> kMethods{
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"
};
// Headers that say where a message ends or goes are the client's own.
constexpr std::array<std::string_view, 6> kOwnHeaders{
    "host", "content-length", "transfer-encoding", "connection", "proxy-authorization", "te"
};

Failure httpFailure(const char* type, std::string_view message, std::string_view detail = {},
                    bool mayHelp = false)
{
    return engine::failed(type, withoutSecrets(message), withoutSecrets(detail), mayHelp);
}

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return text;
}

std::string textOf(const Value& value)
{
    return value.isString() ? value.asString() : toJson(value);
}

bool isSendable(const std::string& name, const std::string& value)
{
    const bool isName = !name.empty() && std::ranges::all_of(name, [](char letter) {
        return letter > 0x20 && letter < 0x7f
            && std::string_view("()<>@,;:\\\"/[]?={}").find(letter) == std::string_view::npos;
    });
    return isName && value.find_first_of("\r\n") == std::string::npos && value.find('\0') == std::string::npos
        && std::ranges::find(kOwnHeaders, lower(name)) == kOwnHeaders.end();
}

// One request.
class HttpTask {
public:
    HttpTask(const NodeWorld& world, net::HttpClient& client, const HttpChoice& choice, TaskContext& context)
        : m_world(world)
        , m_client(client)
        , m_choice(choice)
        , m_context(context)
    {
        m_request.method = choice.method;
        m_request.url = choice.url;
        m_request.headers = choice.headers;
    }

    // Puts the program's result in place of the settings.
    std::optional<Failure> take(const Value& made)
    {
        if (!made.isMap())
            return httpFailure("TypeError",
                               "the program of a request must give an object, not "
                                   + cutText(toJson(made), kMostOfAnswer));
        if (const Value* url = made.find("url"))
            m_request.url = textOf(*url);
        if (const Value* method = made.find("method"))
            m_request.method = textOf(*method);
        if (const Value& query = made["query"]; query.isMap())
            for (const auto& [name, value] : query.asMap()) {
                m_request.url += m_request.url.find('?') == std::string::npos ? '?' : '&';
                m_request.url += net::percentEncoded(textOf(name)) + '=' + net::percentEncoded(textOf(value));
            }
        if (const Value& headers = made["headers"]; headers.isMap())
            for (const auto& [name, value] : headers.asMap())
                m_request.headers.emplace_back(textOf(name), textOf(value));
        if (const Value* body = made.find("body"); body != nullptr && !body->isNull()) {
            if (!body->isString())
                m_request.headers.emplace_back("Content-Type", "application/json");
            m_request.body = textOf(*body);
        }
        return std::nullopt;
    }

    // Lets the server recognise a request that is made again, unless the graph says how itself. The other
    // methods do no more when they are repeated.
    void nameEffect(const std::string& id)
    {
        if (m_request.method != "POST" && m_request.method != "PATCH")
            return;
        m_effect = engine::effectKey(m_context.info(), "http " + id);
        const auto isNamed = [](const auto& header) { return lower(header.first) == kEffectHeader; };
        if (std::ranges::none_of(m_request.headers, isNamed))
            m_request.headers.emplace_back(kEffectHeader, m_effect);
    }

    Answer run(const MayAsk& mayAsk)
    {
        if (std::ranges::find(kMethods, m_request.method) == kMethods.end())
            return httpFailure("ValueError", "there is no method \"" + m_request.method + "\"");
        const std::size_t end = m_request.url.find_first_of("?#");
        auto base = models::parseBaseUrl(m_request.url.substr(0, end));
        if (!base)
            return httpFailure("ValueError", "\"url\": " + base.error().message);
        if (mayAsk)
            if (auto may = mayAsk(base->place()); !may)
                return httpFailure("PermissionError", may.error().message);
        if (!m_world.mayReach)
            return httpFailure("PermissionError", "this run was started without a network for nodes");
        if (auto may = m_world.mayReach(*base); !may)
            return httpFailure("PermissionError", may.error().message);
        if (auto failed = fillHeaders(*base))
            return *failed;
        if (m_effect.empty())
            return send(*base);
        switch (engine::beginEffect(m_world.effects, m_context, m_effect,
                                    withoutSecrets(m_request.method + " " + base->place() + base->path))) {
        case engine::Consent::Waits: return engine::Interrupted{};
        case engine::Consent::Refused: return Value();
        case engine::Consent::Given:
        case engine::Consent::Repeated: break;
        }
        return send(*base);
    }

private:
    std::optional<Failure> fillHeaders(const models::BaseUrl& base)
    {
        const auto hasMark = [](const auto& header) {
            return header.second.find(kSecretMark) != std::string::npos;
        };
        if (std::ranges::any_of(m_request.headers, hasMark)) {
            if (m_choice.secret.empty() || !m_world.models || !m_world.models->findKey)
                return httpFailure("ValueError",
                                   "a header says {secret}, but the node names none in \"secret\"");
            const engine::TaskInfo& task = m_context.info();
            auto secret = m_world.models->findKey(m_choice.secret, base, { task.thread, task.run, task.node },
                                                  m_context.stopToken());
            if (!secret)
                return httpFailure("PermissionError", secret.error().message);
            for (auto& [name, value] : m_request.headers)
                for (std::size_t at = 0; (at = value.find(kSecretMark, at)) != std::string::npos;
                     at += secret->reveal().size())
                    value.replace(at, kSecretMark.size(), secret->reveal());
        }
        for (const auto& [name, value] : m_request.headers)
            if (!isSendable(name, value))
                return httpFailure("ValueError", "the header \"" + name + "\" cannot be sent");
        return std::nullopt;
    }

    Answer send(const models::BaseUrl& base)
    {
        m_request.timeout = m_choice.timeout;
        m_request.bodyLimit = m_choice.mostBytes;
        m_request.stop = m_context.stopToken();
        if (m_world.models)
            m_request.authorities = m_world.models->authorities;
        const auto answer = m_client.send(m_request);
        tellEnd(answer);
        const std::string what = m_request.method + " " + base.place() + base.path;
        if (!answer && answer.error().code == Errc::LimitExceeded)
            return httpFailure("ValueError",
                               what + ": the answer has more than "
                                   + std::to_string(m_choice.mostBytes / 1024)
                                   + " KiB; raise \"max_kb\" if it may");
        if (!answer)
            return httpFailure(answer.error().code == Errc::Timeout ? "TimeoutError" : "ConnectionError",
                               what + ": " + answer.error().message, {}, true);
        m_context.log(TaskContext::Stream::Event,
                      withoutSecrets(what) + ": " + std::to_string(answer->status) + ", "
                          + std::to_string(answer->body.size()) + " bytes");
        if (m_choice.takesAll) {
            ValueMap headers;
            for (const auto& [name, value] : answer->headers)
                headers.set(name, value);
            return valueWithoutSecrets(Value::map({ { "status", answer->status },
                                                    { "headers", Value(std::move(headers)) },
                                                    { "body", bodyOf(*answer) } }));
        }
        if (answer->status >= 300)
            return httpFailure(
                "HTTPStatusError",
                what + ": the server answered " + std::to_string(answer->status)
                    + (answer->status < 400 ? ", which sends elsewhere and is not followed" : ""),
                cutText(answer->body, kMostOfAnswer), answer->status >= 500 || answer->status == 429);
        return valueWithoutSecrets(bodyOf(*answer)); // the server was shown one, and may say it again
    }

    // If no answer came, only a server that was never reached has certainly done nothing.
    void tellEnd(const Result<net::HttpResponse>& answer) const
    {
        if (m_effect.empty() || m_world.effects == nullptr)
            return;
        if (answer && (answer->status < 300 || m_choice.takesAll))
            m_world.effects->done(m_context.info(), m_effect);
        else if (answer || answer.error().code == Errc::Unavailable)
            m_world.effects->failed(m_context.info(), m_effect);
    }

    static Value bodyOf(const net::HttpResponse& answer)
    {
        const std::string type = answer.header("content-type");
        if (type.starts_with("application/json") || type.find("+json") != std::string::npos)
            if (auto value = parseJson(answer.body))
                return std::move(*value);
        return isValidUtf8(answer.body) ? Value(answer.body) : Value(Bytes{ answer.body });
    }

    const NodeWorld& m_world;
    net::HttpClient& m_client;
    const HttpChoice& m_choice;
    TaskContext& m_context;
    net::HttpRequest m_request;
    std::string m_effect; // its name; empty: it may be repeated
};

class HttpBody final : public engine::NodeBody {
public:
    HttpBody(std::shared_ptr<const NodeWorld> world, const std::shared_ptr<JqPrograms>& programs,
             HttpChoice choice)
        : m_asker(std::move(world), programs, std::move(choice))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(TaskContext& context) override
    {
        const bool hasProgram = !m_asker.choice().program.empty();
        auto answer = m_asker.ask(hasProgram ? context.input() : Value(ValueMap()), context);
        if (std::holds_alternative<engine::Interrupted>(answer))
            return engine::Interrupted{};
        if (auto* failure = std::get_if<Failure>(&answer))
            return std::move(*failure);
        auto& value = std::get<Value>(answer);
        if (!m_asker.choice().channel.empty())
            return engine::Returned{ Value(ValueMap{ { m_asker.choice().channel, std::move(value) } }) };
        if (value.isMap() || value.isNull())
            return engine::Returned{ std::move(value) };
        return httpFailure("TypeError",
                           "the answer must be an object of channels, because the node names no \"channel\"");
    }

private:
    HttpAsker m_asker;
};

} // namespace

HttpAsker::HttpAsker(std::shared_ptr<const NodeWorld> world, const std::shared_ptr<JqPrograms>& programs,
                     HttpChoice choice)
    : m_world(std::move(world))
    , m_programs(programs)
    , m_choice(std::move(choice))
{
    if (!m_choice.program.empty())
        m_program = m_programs->add(m_choice.program);
}

Answer HttpAsker::ask(const Value& input, TaskContext& context, const MayAsk& mayAsk, const std::string& id)
{
    HttpTask task(*m_world, m_client, m_choice, context);
    auto made = m_program ? m_programs->evaluate(*m_program, input) : Result<Value>(input);
    if (!made)
        return jqFailure(made.error());
    if (auto failed = task.take(*made))
        return *std::move(failed);
    task.nameEffect(id);
    return task.run(mayAsk);
}

Result<HttpChoice> readHttpChoice(const ValueMap& settings)
{
    const auto wrong = [](const char* what) { return Error{ Errc::InvalidArgument, what }; };
    SettingReader reader("http", settings);
    HttpChoice choice;
    choice.method = reader.text("method");
    choice.url = reader.text("url");
    choice.program = reader.text("request");
    choice.secret = reader.text("secret");
    choice.channel = reader.text("channel");
    choice.takesAll = reader.value("whole") == Value(true);
    choice.mostBytes = static_cast<std::size_t>(reader.number("max_kb").value_or(1024)) * 1024;
    choice.timeout = std::chrono::milliseconds(
        static_cast<std::int64_t>(std::ceil(reader.number("timeout_s").value_or(30) * 1000)));
    if (reader.error())
        return *reader.error();
    if (const Value headers = reader.value("headers"); headers.isMap()) {
        for (const auto& [name, value] : headers.asMap()) {
            if (!name.isString() || !value.isString())
                return wrong("\"headers\" must be an object of texts");
            choice.headers.emplace_back(name.asString(), value.asString());
        }
    }
    if (choice.url.empty() && choice.program.empty())
        return wrong("it needs an address in \"url\", or a program in \"request\" that makes it");
    return choice;
}

std::unique_ptr<engine::NodeBody> makeHttpBody(std::shared_ptr<const NodeWorld> world,
                                               const std::shared_ptr<JqPrograms>& programs, HttpChoice choice)
{
    return std::make_unique<HttpBody>(std::move(world), programs, std::move(choice));
}

} // namespace sg::nodes
