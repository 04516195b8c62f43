#include "core/config/mcp_servers.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"
#include "core/base/user_folders.h"
#include "core/config/project_sessions.h"
#include "core/config/secrets.h"
#include "core/mcp/http_wire.h"
#include "core/mcp/stdio_wire.h"
#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace fs = std::filesystem;

namespace sg::config {
namespace {

constexpr std::string_view kSecretMark = "{secret}";

fs::path consentFile()
{
    const fs::path data = userDataFolder();
    return data.empty() ? data : data / "sandglass" / "allowed_mcp_servers";
}

std::string withSecret(std::string text, const std::optional<settings::Secret>& secret)
{
    for (std::size_t at = 0; secret && (at = text.find(kSecretMark, at)) != std::string::npos;
         at += secret->reveal().size())
        text.replace(at, kSecretMark.size(), secret->reveal());
    return text;
}

// Starts the servers of one graph.
class Starter {
public:
    explicit Starter(McpWorld world)
        : m_world(std::move(world))
        , m_consent(m_world.project.folder)
        , m_backends(makeBackends(m_world.project.id, m_world.settings.merged))
    {
        const auto options = sessionOptions(m_world.project, m_world.runtime, true);
        m_python = options.python;
    }

    Result<std::unique_ptr<mcp::Client>> open(const mcp::ServerSettings& server, bool legacy,
                                              const std::stop_token& stop)
    {
        if (!m_consent.isAllowed(server))
            return Error{ Errc::PermissionDenied,
                          "nobody has allowed it yet: it " + server.risk()
                              + ". If it may, say so with: sandglass mcp allow " + server.name };
        std::optional<settings::Secret> secret;
        if (!server.secret.empty()) {
            auto found = userSecrets(stop).find(server.secret);
            if (!found)
                return std::move(found.error());
            secret.emplace(std::move(*found));
        }
        if (auto noted = note(server); !noted)
            return std::move(noted.error());
        auto wire = connect(server, secret, stop);
        if (!wire)
            return std::move(wire.error());
        mcp::ClientOptions options;
        options.legacy = legacy;
        return mcp::Client::open(std::move(*wire), options, stop);
    }

private:
    Result<std::unique_ptr<mcp::Wire>> connect(const mcp::ServerSettings& server,
                                               const std::optional<settings::Secret>& secret,
                                               const std::stop_token& stop)
    {
        if (!server.url.empty()) {
            mcp::HttpPlace place{ server.url, server.headers,
                                  processEnvironment("SSL_CERT_FILE").value_or("") };
            for (auto& [name, value] : place.headers)
                value = withSecret(std::move(value), secret);
            return mcp::makeHttpWire(std::move(place));
        }
        mcp::ServerCommand command{ .words = server.command };
        for (const auto& [name, value] : server.environment)
            command.environment.push_back(name + '=' + withSecret(value, secret));
        auto process = server.outside ? outside(server, std::move(command))
                                      : inSandbox(server, std::move(command), stop);
        if (!process)
            return std::move(process.error());
        return mcp::makeStdioWire(std::move(*process), [name = server.name](const std::string& line) {
            logMessage(LogLevel::Debug,
                       "MCP server " + name + " said something that is no message: " + printableText(line));
        });
    }

    Result<std::unique_ptr<mcp::ServerProcess>> outside(const mcp::ServerSettings& server,
                                                        mcp::ServerCommand command) const
    {
        command.folder = (m_world.project.folder / server.files).string();
        return mcp::startOutside(command);
    }

    Result<std::unique_ptr<mcp::ServerProcess>>
    inSandbox(const mcp::ServerSettings& server, mcp::ServerCommand command, const std::stop_token& stop)
    {
        const sessions::SessionSpec& session = m_world.settings.session;
        Error last{ Errc::Unavailable, "there is no sandbox" };
        for (const sandbox::BackendKind& kind : sandbox::backendKinds()) {
            const auto backend = m_backends.find(std::string(kind.name));
            const bool isMeant =
                session.backend == sandbox::kAutoBackend ? kind.isAutomatic : session.backend == kind.name;
            if (!isMeant || backend == m_backends.end())
                continue;
            if (auto probed = backend->second->probe(); !probed) {
                last = std::move(probed.error());
                continue;
            }
            auto started = startOn(std::string(kind.name), *backend->second, server, command, stop);
            if (started || session.backend != sandbox::kAutoBackend
                || started.error().code == Errc::Cancelled)
                return started;
            last = std::move(started.error());
        }
        return std::move(last).during("start the sandbox of the MCP server");
    }

    Result<std::unique_ptr<mcp::ServerProcess>>
    startOn(const std::string& name, sandbox::SandboxBackend& backend, const mcp::ServerSettings& server,
            mcp::ServerCommand command, const std::stop_token& stop)
    {
        const sessions::SessionSpec& session = m_world.settings.session;
        sandbox::SandboxSpec spec;
        std::array<char, 4> chance{};
        fillRandomBytes(chance.data(), chance.size());
        spec.session = SessionId("mcp-" + server.name + "-" + toHex({ chance.data(), chance.size() }));
        spec.project = m_world.project.id;
        spec.image = session.image;
        spec.python = m_python;
        spec.runnerFolder = m_world.runtime.runner.parent_path() / "mcp";
        spec.limits = session.limits;
        command.folder = "/session";
        if (!server.files.empty()) {
            auto folder = insideProject(server.files);
            if (!folder)
                return std::move(folder.error());
            spec.mounts.push_back({ std::move(*folder), mcp::kFilesInside, true });
            command.folder = mcp::kFilesInside;
        }
        std::optional<sessions::Layer> layer;
        if (!server.requirements.empty()) {
            if (m_world.layers == nullptr)
                return Error{ Errc::Unsupported, "\"requirements\" of MCP servers are not offered here" };
            auto made = m_world.layers->layerFor({ name,
                                                   backend,
                                                   spec.image,
                                                   spec.python,
                                                   m_world.runtime.runner,
                                                   server.requirements,
                                                   session.offline,
                                                   {},
                                                   stop });
            if (!made)
                return std::move(made.error());
            layer.emplace(std::move(*made));
            spec.mounts.push_back({ layer->packages, sessions::kLayerMount, true });
            command.environment.push_back("PYTHONPATH=" + std::string(sessions::kLayerMount));
        }
        auto started = mcp::startInSandbox(backend, std::move(spec), m_world.runtime.runner, command);
        if (started && layer) {
            const std::lock_guard lock(m_mutex);
            m_holds.push_back(layer->hold);
        }
        return started;
    }

    // A folder of the project, also after following links.
    [[nodiscard]] Result<fs::path> insideProject(const std::string& files) const
    {
        std::error_code failed;
        const fs::path real = fs::canonical(m_world.project.folder / files, failed);
        if (failed || !fs::is_directory(real, failed))
            return Error{ Errc::NotFound, "\"files\": there is no folder " + files + " in the project" };
        const fs::path below = real.lexically_relative(fs::canonical(m_world.project.folder, failed));
        if (failed || below.empty() || *below.begin() == ".." || *below.begin() == ".")
            return Error{ Errc::PermissionDenied,
                          "\"files\": " + files + " must be a folder below the project's" };
        return real;
    }

    Result<void> note(const mcp::ServerSettings& server)
    {
        if (m_world.audit == nullptr)
            return {};
        audit::AuditEntry row;
        row.kind = audit::Kind::Mcp;
        row.subject = server.name;
        row.outcome = audit::Outcome::Started;
        row.details = Value::map(
            { { "where", server.url.empty() ? server.outside ? "outside" : "sandbox" : server.url },
              { "secret", server.secret } });
        return m_world.audit->add(std::move(row));
    }

    const McpWorld m_world;
    const McpConsent m_consent;
    const sessions::SessionManager::Backends m_backends;
    fs::path m_python;
    std::mutex m_mutex;
    std::vector<std::shared_ptr<const void>> m_holds; // of layers in use; guarded by m_mutex
};

} // namespace

McpConsent::McpConsent(fs::path project)
    : m_file(consentFile())
    , m_project(std::move(project))
{
}

std::string McpConsent::mark(const mcp::ServerSettings& server) const
{
    return settings::ConsentFile::mark(m_project, server.name + "\n" + toJson(server.written));
}

bool McpConsent::isAllowed(const mcp::ServerSettings& server) const
{
    return server.risk().empty() || m_file.has(mark(server));
}

Result<void> McpConsent::allow(const mcp::ServerSettings& server)
{
    return isAllowed(server) ? Result<void>() : m_file.add(mark(server));
}

Result<std::shared_ptr<mcp::ToolServers>> SharedServers::of(const graph::Graph& graph, McpWorld world)
{
    if (graph.mcp.isNull())
        return std::shared_ptr<mcp::ToolServers>();
    std::shared_ptr<mcp::ToolServers> others; // may end here, which takes a moment, but not under the lock
    const std::lock_guard lock(m_mutex);
    if (m_servers && m_written == graph.mcp && m_session == world.settings.session)
        return m_servers;
    auto servers = mcp::readServers(graph.mcp);
    if (!servers)
        return std::move(servers.error());
    m_written = graph.mcp;
    m_session = world.settings.session;
    const Clock& clock = world.clock;
    const auto starter = std::make_shared<Starter>(std::move(world));
    others = std::move(m_servers);
    m_servers = std::make_shared<mcp::ToolServers>(
        std::move(*servers),
        [starter](const mcp::ServerSettings& server, bool legacy, const std::stop_token& stop) {
            return starter->open(server, legacy, stop);
        },
        clock);
    return m_servers;
}

} // namespace sg::config
