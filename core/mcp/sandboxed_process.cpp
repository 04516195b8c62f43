#include "core/base/json.h"
#include "core/mcp/server_process.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace sg::mcp {
namespace {

constexpr const char* kSharedRunner = "/opt/sandglass/runner"; // resources/mcp/start.py knows it

class SandboxedProcess final : public ServerProcess {
public:
    explicit SandboxedProcess(std::unique_ptr<sandbox::Sandbox> sandbox)
        : m_sandbox(std::move(sandbox))
    {
    }

    ~SandboxedProcess() override { m_sandbox->end(); }

    Result<std::size_t> read(char* buffer, std::size_t size, std::chrono::milliseconds timeout) override
    {
        return m_sandbox->stream().read(buffer, size, timeout);
    }

    Result<void> write(std::string_view bytes) override
    {
        const std::lock_guard lock(m_writing);
        return m_sandbox->stream().write(bytes);
    }

    void close() override { m_sandbox->stream().close(); }
    std::string lastWords() override { return m_sandbox->lastWords(); }

private:
    const std::unique_ptr<sandbox::Sandbox> m_sandbox;
    std::mutex m_writing;
};

} // namespace

Result<std::unique_ptr<ServerProcess>> startInSandbox(sandbox::SandboxBackend& backend,
                                                      sandbox::SandboxSpec spec,
                                                      const std::filesystem::path& runner,
                                                      const ServerCommand& command)
{
    spec.mounts.push_back({ runner, kSharedRunner, true });
    auto sandbox = backend.start(spec);
    if (!sandbox)
        return std::move(sandbox.error());
    ValueList words(command.words.begin(), command.words.end());
    ValueMap environment;
    for (const std::string& each : command.environment) {
        const std::size_t sign = each.find('=');
        environment.set(each.substr(0, sign), sign == std::string::npos ? "" : each.substr(sign + 1));
    }
    // Its first line says what to start: a command line could be read by others, and holds secrets.
    const std::string first = toJson(Value::map({ { "argv", std::move(words) },
                                                  { "env", Value(std::move(environment)) },
                                                  { "cwd", command.folder } }))
        + "\n";
    auto process = std::make_unique<SandboxedProcess>(std::move(*sandbox));
    if (auto told = process->write(first); !told)
        return std::move(told.error());
    return std::unique_ptr<ServerProcess>(std::move(process));
}

} // namespace sg::mcp
