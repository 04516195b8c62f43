#include "core/mcp/stdio_wire.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sg::mcp {
namespace {

using Kind = RpcMessage::Kind;

constexpr std::chrono::milliseconds kReadTurn{ 1000 };
constexpr std::size_t kMostWaiting = 10'000; // messages for one request
constexpr std::size_t kMostQuestions = 100; // of the server's own that nobody has answered yet

RpcMessage refusal(const RpcMessage& request)
{
    if (request.method == "ping")
        return rpcAnswer(request.id, Value(ValueMap{}));
    return rpcFailure(request.id, rpc_code::kNoMethod, "nothing here answers " + request.method);
}

class StdioWire final : public Wire {
public:
    StdioWire(std::unique_ptr<ServerProcess> process, std::function<void(const std::string&)> onStrayLine,
              std::function<void(const RpcMessage&)> onStrayNotice)
        : m_process(std::move(process))
        , m_onStrayLine(std::move(onStrayLine))
        , m_onStrayNotice(std::move(onStrayNotice))
        , m_reader([this](const std::stop_token& stop) { readAll(stop); })
    {
    }

    ~StdioWire() override
    {
        m_reader.request_stop();
        m_process->close();
    }

    Result<RpcMessage> ask(const Ask& ask) override
    {
        const std::int64_t id = m_nextId++;
        Pending pending;
        if (auto turn = waitForTurn(ask); !turn)
            return std::move(turn.error());
        {
            const std::lock_guard lock(m_mutex);
            m_pending.emplace(id, &pending);
        }
        auto answer = askAs(id, pending, ask);
        std::vector<RpcMessage> refused;
        {
            const std::lock_guard lock(m_mutex);
            m_pending.erase(id);
            takeBack(pending, refused);
            for (RpcMessage& question : giveQuestions())
                refused.push_back(std::move(question));
            m_came.notify_all();
        }
        refuse(refused);
        if (!answer && (answer.error().code == Errc::Timeout || answer.error().code == Errc::Cancelled)
            && ask.method != "initialize" && ask.method != "server/discover")
            static_cast<void>(tell(rpcNotice(
                "notifications/cancelled",
                Value::map({ { "requestId", id }, { "reason", answer.error().message } })))); // may be gone
        return answer;
    }

    Result<void> tell(const RpcMessage& notice) override
    {
        auto written = m_process->write(messageText(notice) + "\n");
        return written ? written : Result<void>(gone());
    }

    void settle(const std::string&) override { }

private:
    struct Pending {
        std::deque<RpcMessage> messages; // guarded by m_mutex
    };

    // A server that asks by itself does not say for which call it does, so that one is made at a time.
    Result<void> waitForTurn(const Ask& ask)
    {
        std::unique_lock lock(m_mutex);
        const bool isMine = m_came.wait_for(lock, ask.stop, ask.timeout,
                                            [&] { return !m_asksByItself || m_pending.empty() || m_isOver; });
        if (ask.stop.stop_requested())
            return Error{ Errc::Cancelled, "the call was stopped" };
        if (!isMine)
            return Error{ Errc::Timeout,
                          "the server, which takes one call at a time, was busy for "
                              + std::to_string(ask.timeout.count() / 1000) + " s" };
        return {};
    }

    Result<RpcMessage> askAs(std::int64_t id, Pending& pending, const Ask& ask)
    {
        if (auto sent = tell(rpcRequest(id, ask.method, paramsOf(ask, id))); !sent)
            return std::move(sent.error());
        const auto end = std::chrono::steady_clock::now() + ask.timeout;
        for (;;) {
            std::unique_lock lock(m_mutex);
            const bool hasWord =
                m_came.wait_until(lock, ask.stop, end, [&] { return !pending.messages.empty() || m_isOver; });
            if (ask.stop.stop_requested())
                return Error{ Errc::Cancelled, "the call was stopped" };
            if (!hasWord)
                return Error{ Errc::Timeout,
                              "the server has not answered " + ask.method + " in "
                                  + std::to_string(ask.timeout.count() / 1000) + " s" };
            if (pending.messages.empty()) {
                lock.unlock();
                return gone();
            }
            RpcMessage message = std::move(pending.messages.front());
            pending.messages.pop_front();
            m_unanswered -= message.kind == Kind::Request ? 1 : 0;
            lock.unlock();
            if (message.kind == Kind::Answer || message.kind == Kind::Failure)
                return message;
            if (message.kind == Kind::Notification && ask.onNotice)
                ask.onNotice(message);
            if (message.kind == Kind::Request)
                if (auto told = tell(ask.onRequest ? ask.onRequest(message) : refusal(message)); !told)
                    return std::move(told.error());
        }
    }

    Error gone()
    {
        const std::string words = m_process->lastWords();
        return { Errc::Unavailable,
                 "the server has ended" + (words.empty() ? "" : "; its last words: " + words) };
    }

    void readAll(const std::stop_token& stop)
    {
        std::string line;
        std::vector<char> buffer(64U << 10);
        bool isTooLong = false;
        while (!stop.stop_requested()) {
            const auto got = m_process->read(buffer.data(), buffer.size(), kReadTurn);
            if (!got && got.error().code == Errc::Timeout)
                continue;
            if (!got || *got == 0)
                break;
            std::string_view bytes(buffer.data(), *got);
            for (std::size_t feed = 0; (feed = bytes.find('\n')) != std::string_view::npos;) {
                line += bytes.substr(0, feed);
                bytes.remove_prefix(feed + 1);
                if (!isTooLong)
                    take(line);
                line.clear();
                isTooLong = false;
            }
            if (!isTooLong)
                line += bytes;
            if (line.size() > kMostMessage) { // its request ends at its deadline
                stray("a line of more than 64 MiB was skipped");
                line.clear();
                isTooLong = true;
            }
        }
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
        m_came.notify_all();
    }

    void take(const std::string& line)
    {
        auto message = parseMessage(line);
        if (!message) {
            if (line.find_first_not_of(" \t\r") != std::string::npos)
                stray(cutText(line, 500));
            return;
        }
        std::unique_lock lock(m_mutex);
        if (message->kind == Kind::Request && message->method != "ping" && !m_pending.empty()) {
            m_asksByItself = true;
            if (m_unanswered >= kMostQuestions) {
                lock.unlock();
                static_cast<void>(tell(
                    rpcFailure(message->id, rpc_code::kInternal, // it may be gone
                               std::to_string(kMostQuestions) + " questions wait for an answer already")));
                return;
            }
            ++m_unanswered;
            m_questions.push_back(std::move(*message));
            const auto refused = giveQuestions();
            m_came.notify_all();
            lock.unlock();
            refuse(refused);
            return;
        }
        Pending* const receiver = receiverOf(*message);
        if (receiver != nullptr) {
            if (receiver->messages.size() < kMostWaiting || message->kind != Kind::Notification)
                receiver->messages.push_back(std::move(*message));
            m_came.notify_all();
            return;
        }
        lock.unlock();
        if (message->kind == Kind::Request)
            static_cast<void>(tell(refusal(*message)));
        else if (message->kind == Kind::Notification && m_onStrayNotice)
            m_onStrayNotice(*message);
    }

    // Called with m_mutex held. Questions of the server's own wait until one request is left that they can be
    // about: they must not reach another run's person. Returns those that nobody can get: all that are left
    // ask.
    std::vector<RpcMessage> giveQuestions()
    {
        std::vector<RpcMessage> refused;
        if (m_pending.size() == 1) {
            auto& messages = m_pending.begin()->second->messages;
            messages.insert(messages.end(), std::make_move_iterator(m_questions.begin()),
                            std::make_move_iterator(m_questions.end()));
        } else if (m_pending.empty() || m_questions.size() >= m_pending.size()) {
            m_unanswered -= m_questions.size();
            refused.assign(std::make_move_iterator(m_questions.begin()),
                           std::make_move_iterator(m_questions.end()));
        } else {
            return refused;
        }
        m_questions.clear();
        return refused;
    }

    // Called with m_mutex held, for a request that is over: the server waits for answers to its questions.
    void takeBack(Pending& pending, std::vector<RpcMessage>& questions)
    {
        for (RpcMessage& message : pending.messages)
            if (message.kind == Kind::Request)
                questions.push_back(std::move(message));
        m_unanswered -= questions.size();
        pending.messages.clear();
    }

    void refuse(const std::vector<RpcMessage>& questions)
    {
        for (const RpcMessage& question : questions)
            static_cast<void>(tell(refusal(question))); // the server may be gone
    }

    // Called with m_mutex held. A late answer has none.
    Pending* receiverOf(const RpcMessage& message)
    {
        const auto numbered = [this](const Value& id) -> Pending* {
            std::int64_t number = -1;
            if (id.isInt())
                number = id.asInt();
            else if (id.isString() && id.asString().size() < 18
                     && id.asString().find_first_not_of("0123456789") == std::string::npos
                     && !id.asString().empty()) // some servers give numbers back as text
                number = std::stoll(id.asString());
            const auto found = m_pending.find(number);
            return found == m_pending.end() ? nullptr : found->second;
        };
        switch (message.kind) {
        case Kind::Answer:
        case Kind::Failure: return numbered(message.id);
        case Kind::Notification:
            if (message.method != "notifications/progress")
                return nullptr;
            return numbered(message.content["progressToken"]);
        case Kind::Request: return nullptr;
        }
        return nullptr;
    }

    void stray(const std::string& line)
    {
        if (m_onStrayLine)
            m_onStrayLine(line);
    }

    const std::unique_ptr<ServerProcess> m_process;
    const std::function<void(const std::string&)> m_onStrayLine;
    const std::function<void(const RpcMessage&)> m_onStrayNotice;
    std::atomic<std::int64_t> m_nextId = 1;
    std::mutex m_mutex;
    std::condition_variable_any m_came;
    // Guarded by m_mutex:
    std::map<std::int64_t, Pending*> m_pending;
    std::deque<RpcMessage> m_questions; // of the server's own, which nobody has got yet
    std::size_t m_unanswered = 0; // those, and those that a request has got and not looked at yet
    bool m_asksByItself = false; // it has sent such a question
    bool m_isOver = false;
    std::jthread m_reader; // last: it uses all of the above
};

} // namespace

std::unique_ptr<Wire> makeStdioWire(std::unique_ptr<ServerProcess> process,
                                    std::function<void(const std::string& line)> onStrayLine,
                                    std::function<void(const RpcMessage&)> onStrayNotice)
{
    return std::make_unique<StdioWire>(std::move(process), std::move(onStrayLine), std::move(onStrayNotice));
}

} // namespace sg::mcp
