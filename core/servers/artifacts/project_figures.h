#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/audit/audit_log.h"
#include "core/base/clock.h"
#include "core/projects/project.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace sg::servers {

// A project's figures in Prometheus' text format: sessions, cells and their durations, limits that were hit,
// decisions about the network, contents. Each call counts only what is new, and of a long log only a part
// (sandglass_audit_rows_unread tells what is left). A caller gets the previous text while another is being
// answered, so that nobody waits long. Any thread.
class ProjectFigures {
public:
    ProjectFigures(projects::ProjectPaths project, artifacts::ArtifactStore& artifacts)
        : m_project(std::move(project))
        , m_artifacts(artifacts)
    {
    }
    std::string text();

    // The upper limits of the buckets for cells' durations, in seconds.
    static constexpr std::array<double, 8> kBuckets{ 0.01, 0.1, 0.5, 1, 5, 30, 120, 600 };

private:
    void readAudit();
    void take(const audit::AuditGroup& group);
    void countContents();
    [[nodiscard]] std::string gathered() const;

    const projects::ProjectPaths m_project;
    artifacts::ArtifactStore& m_artifacts;

    std::mutex m_textMutex;
    std::string m_text; // the last answer; guarded by m_textMutex

    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::unique_ptr<audit::AuditLog> m_log; // null until there is one
    std::int64_t m_readTo = 0;
    std::int64_t m_newest = 0; // the newest row's number
    std::map<std::string, std::int64_t> m_sessions; // by outcome
    std::map<std::string, std::int64_t> m_cells; // by outcome
    std::map<std::string, std::int64_t> m_limits; // by the limit that was hit
    std::map<std::string, std::int64_t> m_egress; // by decision
    std::array<std::int64_t, kBuckets.size()> m_durations{}; // cells in each bucket or a lower one
    double m_seconds = 0;
    std::int64_t m_cellCount = 0;
    std::int64_t m_secretsGiven = 0;
    SteadyTime m_countedAt{};
    std::int64_t m_artifactCount = 0;
    std::int64_t m_blobs = 0;
    std::uint64_t m_blobBytes = 0;
};

} // namespace sg::servers
