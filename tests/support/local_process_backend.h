#pragma once

#include "core/base/child_process.h"
#include "core/base/msgpack.h"
#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/sandbox.h"

#include <sys/socket.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace sg::test {

// Runs the runner as a plain child process without isolation, for tests of the layers above the backends.
// Each sandbox's /session is a folder of its own under `folder`.
class LocalProcessBackend final : public sandbox::SandboxBackend {
public:
    explicit LocalProcessBackend(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
    }

    Result<sandbox::BackendInfo> probe() override
    {
        if (!unavailable.empty())
            return Error{ Errc::Unavailable, unavailable };
        return sandbox::BackendInfo{ "local", "a child process", "none", false, {}, {} };
    }
    Result<std::unique_ptr<sandbox::Sandbox>> start(const sandbox::SandboxSpec& spec) override;
    Result<std::vector<sandbox::FoundSandbox>> find() override { return found; }
    Result<std::unique_ptr<sandbox::Sandbox>> attach(const sandbox::FoundSandbox&) override
    {
        return Error{ Errc::NotFound, "gone" };
    }
    Result<void> remove(const sandbox::FoundSandbox& one) override
    {
        std::erase_if(found, [&](const auto& other) { return other.name == one.name; });
        return {};
    }

    // The folder that is /session to the newest sandbox.
    [[nodiscard]] std::filesystem::path sessionFolder() const
    {
        return m_folder / std::to_string(starts.load());
    }

    std::string unavailable; // not empty: the reason why the backend cannot be used
    std::string startError; // not empty: start() fails
    std::vector<sandbox::FoundSandbox> found;
    std::atomic<int> starts = 0;
    std::atomic<int> alive = 0;
    std::atomic<int> lastPid = 0;
    std::atomic<bool> refusesLimits = false;
    std::atomic<std::int64_t> lastPids = 0; // as set by the newest setLimits()
    std::atomic<bool> diesOfMemory = false; // a dead sandbox's state() is OutOfMemory

private:
    const std::filesystem::path m_folder;
};

namespace local_process {

// Adds the folders' paths to the first frame, as only a real sandbox has them at fixed places.
class RelocatingStream final : public sandbox::ByteStream, public sandbox::DescriptorCarrier {
public:
    RelocatingStream(Fd socket, std::string home)
        : m_stream(std::move(socket))
        , m_home(std::move(home))
    {
    }
    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override
    {
        return m_stream.read(buffer, size, timeout);
    }
    Result<void> write(std::string_view bytes) override
    {
        if (std::exchange(m_greeted, true))
            return m_stream.write(bytes);
        auto hello = decodeMsgpack(bytes.substr(4));
        ValueMap options = hello ? (*hello)["options"].asMap() : ValueMap();
        options.set("home", m_home);
        options.set("roots",
                    Value(ValueMap{ { "session", m_home }, { "artifacts", m_home + "/artifacts" } }));
        hello->editMap().set("options", Value(options));
        std::string frame(4, '\0');
        appendMsgpack(frame, *hello);
        for (std::size_t i = 0; i < 4; ++i)
            frame[i] = static_cast<char>((frame.size() - 4) >> (8 * (3 - i)));
        return m_stream.write(frame);
    }
    Result<void> writeWith(std::string_view bytes, int descriptor) override
    {
        return m_stream.writeWith(bytes, descriptor);
    }
    void close() override { m_stream.close(); }

private:
    sandbox::DescriptorStream m_stream;
    const std::string m_home;
    bool m_greeted = false;
};

class LocalSandbox final : public sandbox::Sandbox {
public:
    LocalSandbox(LocalProcessBackend& backend, ChildProcess process, Fd socket, const std::string& home)
        : m_backend(backend)
        , m_process(std::move(process))
        , m_stream(std::move(socket), home)
    {
        ++m_backend.alive;
        m_backend.lastPid = m_process.pid();
    }
    ~LocalSandbox() override { end(); }
    [[nodiscard]] std::string name() const override { return "local pid " + std::to_string(m_process.pid()); }
    sandbox::ByteStream& stream() override { return m_stream; }
    Result<sandbox::ResourceSample> sample() override
    {
        sandbox::ResourceSample sample;
        sample.memoryBytes = 1 << 20;
        return sample;
    }
    [[nodiscard]] sandbox::SandboxEnd state() override
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended)
            return sandbox::SandboxEnd::Stopped;
        if (!m_process.wait(std::chrono::milliseconds(0)))
            return sandbox::SandboxEnd::Running;
        return m_backend.diesOfMemory ? sandbox::SandboxEnd::OutOfMemory : sandbox::SandboxEnd::Exited;
    }
    [[nodiscard]] std::string lastWords() override { return {}; }
    void end() override
    {
        const std::lock_guard lock(m_mutex);
        if (std::exchange(m_ended, true))
            return;
        if (m_paused)
            m_process.kill(SIGCONT);
        m_stream.close(); // at the end of its stream the runner ends all it started
        if (!m_process.wait(std::chrono::seconds(5)))
            m_process.kill(SIGKILL);
        static_cast<void>(m_process.wait(std::chrono::seconds(5)));
        --m_backend.alive;
    }

    // Only the runner is stopped, which is enough for the layers above.
    Result<void> pause() override { return stand(true); }
    Result<void> unpause() override { return stand(false); }
    [[nodiscard]] bool isPaused() override
    {
        const std::lock_guard lock(m_mutex);
        return m_paused;
    }
    Result<void> setLimits(const sandbox::Limits& limits) override
    {
        if (m_backend.refusesLimits)
            return Error{ Errc::Unsupported, "fixed limits" };
        m_backend.lastPids = limits.pids;
        return {};
    }

private:
    Result<void> stand(bool paused)
    {
        const std::lock_guard lock(m_mutex);
        if (m_ended)
            return Error{ Errc::NotFound, "ended" };
        m_process.kill(paused ? SIGSTOP : SIGCONT);
        m_paused = paused;
        return {};
    }

    LocalProcessBackend& m_backend;
    std::mutex m_mutex;
    bool m_paused = false; // guarded by m_mutex
    ChildProcess m_process; // waiting is guarded by m_mutex
    bool m_ended = false; // guarded by m_mutex
    RelocatingStream m_stream;
};

} // namespace local_process

inline Result<std::unique_ptr<sandbox::Sandbox>> LocalProcessBackend::start(const sandbox::SandboxSpec& spec)
{
    if (!startError.empty())
        return Error{ Errc::Unavailable, startError };
    ++starts;
    const std::filesystem::path home = spec.sessionFolder.empty() ? sessionFolder() : spec.sessionFolder;
    std::filesystem::create_directories(home / "artifacts");
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error{ Errc::Io, "socketpair" };
    Fd ours(ends[0]);
    Fd theirs(ends[1]);
    ProcessSpec process;
    process.program = "/usr/bin/python3";
    process.arguments = { "-I", "-B", "-X", "utf8", (spec.runnerFolder / "start.py").string(), "--fd", "3" };
    process.keepDescriptors = { { theirs.get(), 3 } };
    auto child = ChildProcess::start(process);
    if (!child)
        return child.error();
    return std::unique_ptr<sandbox::Sandbox>(std::make_unique<local_process::LocalSandbox>(
        *this, std::move(*child), std::move(ours), home.string()));
}

} // namespace sg::test
