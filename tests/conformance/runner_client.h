#pragma once

#include "core/base/msgpack.h"
#include "core/sandbox/descriptor_carrier.h"
#include "core/sandbox/sandbox.h"

#include <cstdint>
#include <string>

namespace sg::test {

// Just enough of the runner's protocol to execute cells in a sandbox and see what they print.
class RunnerClient {
public:
    explicit RunnerClient(sandbox::ByteStream& stream)
        : m_stream(stream)
    {
    }

    struct Cell {
        std::string status; // "ok", "error", … or "lost: why" when the stream ended
        std::string text; // stdout and stderr
        std::string error;
    };

    [[nodiscard]] bool hello()
    {
        send(Value::map({ { "op", "hello" }, { "v", 1 } }));
        const Value answer = receive(std::chrono::seconds(60));
        return answer.stringOr("ev", "") == "ready";
    }

    Cell run(const std::string& code, std::chrono::milliseconds timeout = std::chrono::seconds(120))
    {
        const std::int64_t id = ++m_lastId;
        send(Value::map({ { "op", "cell" }, { "id", id }, { "code", code } }));
        Cell cell;
        while (cell.status.empty()) {
            const Value event = receive(timeout);
            const std::string kind = event.stringOr("ev", "");
            if (kind == "out")
                cell.text += event["data"].isBytes() ? event["data"].asBytes() : "";
            else if (kind == "done" && event.intOr("id", 0) == id) {
                cell.status = event.stringOr("status", "?");
                cell.error = event["error"].stringOr("text", "");
            } else if (kind.empty())
                cell.status = "lost: " + m_lost;
        }
        return cell;
    }

    // Returns the answer that comes next. With a descriptor the request brings that along; the stream must be
    // able to.
    Value ask(ValueMap request, const int* descriptor = nullptr)
    {
        request.set("id", ++m_lastId);
        send(Value(std::move(request)), descriptor);
        return next();
    }
    Value next() { return receive(std::chrono::seconds(60)); }

private:
    void send(const Value& frame, const int* descriptor = nullptr)
    {
        std::string text(4, '\0');
        appendMsgpack(text, frame);
        const auto length = static_cast<std::uint32_t>(text.size() - 4);
        for (unsigned at = 0; at < 4; ++at)
            text[at] = static_cast<char>(length >> (24 - 8 * at));
        auto* const carrier = dynamic_cast<sandbox::DescriptorCarrier*>(&m_stream);
        if (auto written =
                descriptor != nullptr ? carrier->writeWith(text, *descriptor) : m_stream.write(text);
            !written)
            m_lost = written.error().message;
    }

    Value receive(std::chrono::milliseconds timeout)
    {
        const std::string head = take(4, timeout);
        if (head.size() != 4)
            return {};
        std::uint32_t length = 0;
        for (const char byte : head)
            length = length << 8U | static_cast<unsigned char>(byte);
        auto frame = decodeMsgpack(take(length, timeout));
        return frame ? std::move(*frame) : Value();
    }

    std::string take(std::size_t count, std::chrono::milliseconds timeout)
    {
        while (m_received.size() < count) {
            char buffer[65536];
            auto got = m_stream.read(buffer, sizeof buffer, timeout);
            if (!got || *got == 0) {
                m_lost = got ? "the stream ended" : got.error().message;
                return {};
            }
            m_received.append(buffer, *got);
        }
        std::string taken = m_received.substr(0, count);
        m_received.erase(0, count);
        return taken;
    }

    sandbox::ByteStream& m_stream;
    std::string m_received;
    std::string m_lost;
    std::int64_t m_lastId = 0;
};

} // namespace sg::test
