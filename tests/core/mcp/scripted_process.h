#pragma once

#include "core/mcp/json_rpc.h"
#include "core/mcp/server_process.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sg::test {

// The program of a server, played by the test: it gets each message, and says what it likes.
class ScriptedProcess final : public mcp::ServerProcess {
public:
    struct Script {
        std::mutex mutex;
        std::condition_variable changed;
        std::string said; // not read yet; guarded by mutex
        std::vector<mcp::RpcMessage> heard; // guarded by mutex
        bool isClosed = false; // guarded by mutex
        std::atomic<int> living = 0;
        std::function<void(Script&, const mcp::RpcMessage&)> answer; // constant; called with mutex held

        void say(const mcp::RpcMessage& message) // with mutex held
        {
            said += mcp::messageText(message) + "\n";
            changed.notify_all();
        }
        bool hasHeard(const std::string& method, std::size_t times = 1)
        {
            const std::lock_guard lock(mutex);
            std::size_t found = 0;
            for (const mcp::RpcMessage& message : heard)
                found += message.method == method ? 1 : 0;
            return found >= times;
        }
    };

    explicit ScriptedProcess(Script& script)
        : m_script(script)
    {
        const std::lock_guard lock(m_script.mutex);
        m_script.said.clear();
        m_script.isClosed = false;
        ++m_script.living;
    }
    ~ScriptedProcess() override { --m_script.living; }

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override
    {
        std::unique_lock lock(m_script.mutex);
        if (!m_script.changed.wait_for(lock, timeout,
                                       [this] { return !m_script.said.empty() || m_script.isClosed; }))
            return Error{ Errc::Timeout, "nothing came" };
        const std::size_t got = m_script.said.copy(buffer, size);
        m_script.said.erase(0, got);
        return got;
    }
    Result<void> write(std::string_view bytes) override
    {
        const auto message = mcp::parseMessage(bytes.substr(0, bytes.size() - 1));
        const std::lock_guard lock(m_script.mutex);
        if (!message || m_script.isClosed)
            return Error{ Errc::Unavailable, "gone" };
        m_script.heard.push_back(*message);
        m_script.answer(m_script, *message);
        return {};
    }
    void close() override
    {
        const std::lock_guard lock(m_script.mutex);
        m_script.isClosed = true;
        m_script.changed.notify_all();
    }
    [[nodiscard]] std::string lastWords() override { return {}; }

private:
    Script& m_script;
};

} // namespace sg::test
