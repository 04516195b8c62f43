#pragma once

#include "core/audit/audit_writer.h"
#include "core/base/clock.h"
#include "core/config/runtime.h"
#include "core/config/session_settings.h"
#include "core/graph/graph.h"
#include "core/layers/requirement_layers.h"
#include "core/mcp/tool_servers.h"
#include "core/projects/project.h"
#include "core/settings/consent_file.h"

#include <filesystem>
#include <memory>
#include <mutex>

namespace sg::config {

// A project may come from anybody, and its graph may name programs to run here, addresses to ask and secrets
// to show them. Such a server is used only once this machine's user has allowed exactly that entry. Consent
// is stored outside of the project, one hash a line.
class McpConsent {
public:
    explicit McpConsent(std::filesystem::path project);

    [[nodiscard]] bool isAllowed(const mcp::ServerSettings& server) const;
    Result<void> allow(const mcp::ServerSettings& server);

private:
    [[nodiscard]] std::string mark(const mcp::ServerSettings& server) const;

    settings::ConsentFile m_file;
    const std::filesystem::path m_project;
};

// The parts of a project by which its servers are started. All that is referred to outlives the servers.
struct McpWorld {
    projects::ProjectPaths project;
    RuntimePaths runtime;
    SessionSettings settings; // of the graph: its programs run in sandboxes like those of sessions
    const Clock& clock;
    layers::RequirementLayers* layers = nullptr; // null: servers have no packages of their own
    audit::AuditWriter* audit = nullptr; // told of each start and each secret; null: nobody
};

// The servers of a workbench, which all of its runs share. Where the graph's "mcp" or its sandbox has
// changed, later runs get others; a run keeps those that it began with. Any thread.
class SharedServers {
public:
    // Returns the servers that the graph names; null: none. Errc::InvalidArgument: an entry is wrong.
    Result<std::shared_ptr<mcp::ToolServers>> of(const graph::Graph& graph, McpWorld world);

private:
    std::mutex m_mutex;
    // Guarded by m_mutex:
    Value m_written;
    sessions::SessionSpec m_session;
    std::shared_ptr<mcp::ToolServers> m_servers;
};

} // namespace sg::config
