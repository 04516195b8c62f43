#pragma once

#include "core/base/child_process.h"
#include "core/base/msgpack.h"
#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/sandbox.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace sg::test {

// The runner's end of the stream, in the hands of a test.
class ScriptedRunner {
public:
    explicit ScriptedRunner(Fd socket)
        : m_socket(std::move(socket))
    {
    }

    // The next request; null at the end of the stream.
    Value read()
    {
        std::string header = readExactly(4);
        if (header.empty())
            return {};
        std::size_t length = 0;
        for (const char byte : header)
            length = length << 8U | static_cast<unsigned char>(byte);
        auto request = decodeMsgpack(readExactly(length));
        return request ? *request : Value();
    }
    void sendRaw(const std::string& bytes) const
    {
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t sent = ::send(m_socket.get(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
            if (sent <= 0)
                return;
            at += static_cast<std::size_t>(sent);
        }
    }
    void send(const ValueMap& event) const
    {
        const std::string body = encodeMsgpack(Value(event));
        std::string frame(4, '\0');
        for (unsigned i = 0; i < 4; ++i)
            frame[i] = static_cast<char>(body.size() >> (8U * (3 - i)));
        sendRaw(frame + body);
    }
    // Answers each hello, gives the first request that is none.
    Value greet()
    {
        while (true) {
            Value request = read();
            if (request.stringOr("op", "") != "hello")
                return request;
            send({ { "ev", "ready" }, { "v", 1 } });
        }
    }

    void close() { m_socket.reset(); }

private:
    std::string readExactly(std::size_t count)
    {
        std::string bytes(count, '\0');
        for (std::size_t at = 0; at < count;) {
            const ssize_t got = ::recv(m_socket.get(), bytes.data() + at, count - at, 0);
            if (got <= 0)
                return {};
            at += static_cast<std::size_t>(got);
        }
        return bytes;
    }
    Fd m_socket;
};

// Sandboxes whose runner is a function of the test, on a thread of its own.
class ScriptedBackend final : public sandbox::SandboxBackend {
public:
    using Script = std::function<void(ScriptedRunner&)>;
    explicit ScriptedBackend(Script script)
        : m_script(std::move(script))
    {
    }

    Result<sandbox::BackendInfo> probe() override
    {
        return sandbox::BackendInfo{ "scripted", "1", "none", true, {}, {} };
    }
    Result<std::unique_ptr<sandbox::Sandbox>> start(const sandbox::SandboxSpec&) override
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            return Error{ Errc::Io, "socketpair" };
        return std::unique_ptr<sandbox::Sandbox>(std::make_unique<Running>(*this, Fd(ends[0]), Fd(ends[1])));
    }
    Result<std::vector<sandbox::FoundSandbox>> find() override
    {
        return std::vector<sandbox::FoundSandbox>();
    }
    Result<std::unique_ptr<sandbox::Sandbox>> attach(const sandbox::FoundSandbox&) override
    {
        return Error{ Errc::NotFound, "gone" };
    }
    Result<void> remove(const sandbox::FoundSandbox&) override { return {}; }

    std::atomic<int> ended = 0;
    std::atomic<int> letGo = 0; // of those: that nobody told to end
    sandbox::ResourceSample sampled; // set before the start
    std::string words; // its last ones; so too

private:
    class Running final : public sandbox::Sandbox {
    public:
        Running(ScriptedBackend& backend, Fd ours, Fd theirs)
            : m_backend(backend)
            , m_stream(std::move(ours))
            , m_runner(std::move(theirs))
            , m_thread([this] { m_backend.m_script(m_runner); })
        {
        }
        ~Running() override
        {
            if (!m_ended)
                ++m_backend.letGo;
            end();
        }
        [[nodiscard]] std::string name() const override { return "scripted"; }
        sandbox::ByteStream& stream() override { return m_stream; }
        Result<sandbox::ResourceSample> sample() override { return m_backend.sampled; }
        [[nodiscard]] sandbox::SandboxEnd state() override
        {
            return m_ended ? sandbox::SandboxEnd::Stopped : sandbox::SandboxEnd::Lost;
        }
        [[nodiscard]] std::string lastWords() override { return m_backend.words; }
        void end() override
        {
            if (m_ended.exchange(true))
                return;
            m_stream.close();
            m_thread.join();
            ++m_backend.ended;
        }

    private:
        ScriptedBackend& m_backend;
        std::atomic<bool> m_ended = false;
        sandbox::DescriptorStream m_stream;
        ScriptedRunner m_runner;
        std::thread m_thread;
    };

    const Script m_script;
};

} // namespace sg::test
