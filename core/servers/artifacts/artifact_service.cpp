#include "core/servers/artifacts/artifact_service.h"

#include "core/artifacts/artifact_server.h"
#include "core/artifacts/export_name.h"
#include "core/artifacts/signed_token.h"
#include "core/base/redaction.h"
#include "core/config/artifact_place.h"
#include "core/config/setting_layers.h"
#include "core/net/http_server.h"
#include "core/servers/artifacts/project_figures.h"

#include <algorithm>
#include <system_error>

namespace sg::servers {
namespace {

constexpr std::size_t kShortestChosenKey = 16;

// Takes ARTIFACTS_SECRET, as LangGraph-Sandbox does, else the project's own key.
Result<std::string> keyOf(const projects::ProjectPaths& project)
{
    if (auto chosen = config::processEnvironment("ARTIFACTS_SECRET"); chosen && !chosen->empty()) {
        if (chosen->size() < kShortestChosenKey)
            return Error{
                Errc::InvalidArgument,
                "ARTIFACTS_SECRET has fewer than 16 characters and could be guessed; choose a longer one, or "
                "unset it: the project has a key of its own"
            };
        keepOut("ARTIFACTS_SECRET", *chosen);
        return std::move(*chosen);
    }
    return artifacts::tokenKey(project.data / "artifacts.key");
}

Result<std::unique_ptr<artifacts::ArtifactStore>> openStore(const projects::ProjectPaths& project)
{
    std::error_code failed;
    if (!std::filesystem::exists(project.artifacts, failed))
        return Error{ Errc::NotFound, "no artifacts in " + project.folder.string() + " yet" };
    return config::openArtifacts(project);
}

class Service final : public ArtifactService {
public:
    Service(std::unique_ptr<artifacts::ArtifactStore> store, std::string key,
            const projects::ProjectPaths& project, const ServeOptions& options)
        : m_store(std::move(store))
        , m_figures(project, *m_store)
        , m_server(*m_store, m_clock,
                   { std::move(key), options.hosts, options.port, [this] { return m_figures.text(); } })
    {
    }
    Result<void> listen(const ServeOptions& options)
    {
        net::HttpServerOptions chosen;
        chosen.address = options.address;
        chosen.port = options.port;
        chosen.threads = options.threads;
        chosen.certificate = options.certificate;
        chosen.key = options.key;
        auto started = net::HttpServer::start(
            chosen, [this](const net::HttpHead& request) { return m_server.answer(request); });
        if (!started)
            return std::move(started.error());
        m_http = std::move(*started);
        m_server.setPort(m_http->port());
        return {};
    }
    [[nodiscard]] std::uint16_t port() const override { return m_http->port(); }

private:
    const SystemClock m_clock;
    const std::unique_ptr<artifacts::ArtifactStore> m_store;
    ProjectFigures m_figures;
    artifacts::ArtifactServer m_server;
    std::unique_ptr<net::HttpServer> m_http; // last, so that its threads end before what they use
};

// Returns a folder below `folder`, numbered if a file has its name.
std::filesystem::path inner(const std::filesystem::path& folder, const std::string& part)
{
    const std::string name = artifacts::exportName(part);
    std::filesystem::path made = folder / name;
    std::error_code failed;
    for (int number = 2; number < 100 && std::filesystem::exists(made, failed)
         && !std::filesystem::is_directory(made, failed);
         ++number)
        made = folder / artifacts::numberedExportName(name, number);
    return made;
}

} // namespace

std::filesystem::path exportFolder(const artifacts::Artifact& artifact, const std::filesystem::path& to,
                                   bool byThread)
{
    std::filesystem::path folder = to;
    std::string thread = artifact.origin.thread.value;
    std::ranges::replace(thread, '/', '_');
    if (byThread)
        folder = inner(folder, thread);
    for (const std::filesystem::path& part : std::filesystem::path(artifact.path).parent_path())
        folder = inner(folder, part.string());
    return folder;
}

Result<std::unique_ptr<ArtifactService>> ArtifactService::start(const projects::ProjectPaths& project,
                                                                const ServeOptions& options)
{
    std::error_code failed; // told by the store
    std::filesystem::create_directories(project.data, failed);
    auto store = config::openArtifacts(project); // a first one may come yet
    if (!store)
        return std::move(store.error());
    auto key = keyOf(project);
    if (!key)
        return std::move(key.error());
    auto service = std::make_unique<Service>(std::move(*store), std::move(*key), project, options);
    if (auto listening = service->listen(options); !listening)
        return std::move(listening.error());
    return std::unique_ptr<ArtifactService>(std::move(service));
}

Result<std::string> artifactAddress(const projects::ProjectPaths& project, const ArtifactId& id,
                                    std::chrono::seconds time, std::string base, WallTime now)
{
    auto store = openStore(project);
    if (!store)
        return std::move(store.error());
    if (auto found = (*store)->find(id); !found)
        return std::move(found.error());
    const auto key = keyOf(project);
    if (!key)
        return key.error();
    if (base.empty())
        base = config::processEnvironment("ARTIFACTS_PUBLIC_BASE_URL").value_or("");
    if (base.empty())
        base = "http://localhost:" + config::processEnvironment("ARTIFACTS_SERVER_PORT").value_or("8000");
    while (base.ends_with('/'))
        base.pop_back();
    return base + "/artifacts/" + id.value + "?token=" + artifacts::signToken(*key, id, now + time);
}

} // namespace sg::servers
