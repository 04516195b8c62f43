#include "core/workbench/project_figures.h"

#include "core/workbench/audit_reading.h"

#include <cstdio>
#include <limits>
#include <set>
#include <string_view>

namespace sg::workbench {
namespace {

constexpr std::int64_t kPage = 5000;
constexpr std::chrono::seconds kCountAgain{ 10 };

std::string numberText(double number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", number);
    return text.data();
}

void head(std::string& text, const char* name, const char* kind, const char* help)
{
    text += std::string("# HELP ") + name + ' ' + help + "\n# TYPE " + name + ' ' + kind + '\n';
}

void counts(std::string& text, const char* name, const char* label,
            const std::map<std::string, std::int64_t>& by, const char* help)
{
    head(text, name, "counter", help);
    for (const auto& [key, count] : by)
        text += std::string(name) + '{' + label + "=\"" + key + "\"} " + std::to_string(count) + '\n';
}

void gauge(std::string& text, const char* name, std::int64_t value, const char* help)
{
    head(text, name, "gauge", help);
    text += std::string(name) + ' ' + std::to_string(value) + '\n';
}

// The word for a limit that ended a cell; empty where none did.
std::string limitOf(const audit::AuditEntry& row)
{
    const std::string error = row.details.stringOr("error", "");
    if (row.outcome == "timed out")
        return "time";
    if (error == "MemoryError")
        return "memory";
    if (error == "DiskLimitExceeded")
        return "disk";
    return row.details.intOr("dropped_bytes", 0) > 0 ? "output" : "";
}

} // namespace

void ProjectFigures::take(const audit::AuditEntry& row)
{
    if (row.kind == "session")
        ++m_sessions[row.outcome];
    else if (row.kind == "egress")
        ++m_egress[row.outcome];
    else if (row.kind == "secret")
        ++m_secretsGiven;
    if (row.kind != "cell")
        return;
    ++m_cells[row.outcome];
    if (const std::string limit = limitOf(row); !limit.empty())
        ++m_limits[limit];
    const Value& told = row.details["seconds"];
    const double seconds = told.isNumber() ? told.asDouble() : 0;
    m_seconds += seconds;
    ++m_cellCount;
    for (std::size_t i = 0; i < kBuckets.size(); ++i)
        if (seconds <= kBuckets[i])
            ++m_durations[i];
}

void ProjectFigures::readAudit()
{
    if (!m_log)
        if (auto opened = openAudit(m_project, false))
            m_log = std::move(*opened);
    while (m_log) {
        audit::AuditFilter filter;
        filter.after = m_readTo;
        filter.limit = kPage;
        const auto rows = m_log->read(filter);
        if (!rows || rows->empty())
            return;
        for (const audit::AuditEntry& row : *rows)
            take(row);
        m_readTo = rows->back().sequence;
    }
}

void ProjectFigures::countContents()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    if (m_countedAt != SteadyTime() && now - m_countedAt < kCountAgain)
        return;
    artifacts::ArtifactFilter all;
    all.limit = std::numeric_limits<std::int64_t>::max();
    const auto listed = m_artifacts.list(all);
    if (!listed)
        return;
    m_countedAt = now;
    m_artifactCount = static_cast<std::int64_t>(listed->size());
    m_blobBytes = 0;
    std::set<std::string_view> contents;
    for (const artifacts::Artifact& each : *listed)
        if (contents.insert(each.sha256).second)
            m_blobBytes += each.size;
    m_blobs = static_cast<std::int64_t>(contents.size());
}

std::string ProjectFigures::text()
{
    const std::lock_guard lock(m_mutex);
    readAudit();
    countContents();
    std::string text;
    counts(text, "sandglass_sessions_total", "event", m_sessions, "Sessions by what happened to them.");
    counts(text, "sandglass_cells_total", "status", m_cells, "Cells and calls by how they ended.");
    counts(text, "sandglass_limits_hit_total", "limit", m_limits, "Cells that a limit ended or cut.");
    counts(text, "sandglass_egress_decisions_total", "decision", m_egress, "Requests to the network.");
    head(text, "sandglass_secrets_given_total", "counter", "Secrets that sessions were given.");
    text += "sandglass_secrets_given_total " + std::to_string(m_secretsGiven) + '\n';
    head(text, "sandglass_cell_seconds", "histogram", "How long cells and calls took.");
    for (std::size_t i = 0; i < kBuckets.size(); ++i)
        text += "sandglass_cell_seconds_bucket{le=\"" + numberText(kBuckets[i]) + "\"} "
            + std::to_string(m_durations[i]) + '\n';
    text += "sandglass_cell_seconds_bucket{le=\"+Inf\"} " + std::to_string(m_cellCount)
        + "\nsandglass_cell_seconds_sum " + numberText(m_seconds) + "\nsandglass_cell_seconds_count "
        + std::to_string(m_cellCount) + '\n';
    gauge(text, "sandglass_artifacts", m_artifactCount, "Artifacts on the list.");
    gauge(text, "sandglass_blobs", m_blobs, "Contents of artifacts, each counted once.");
    gauge(text, "sandglass_blob_bytes", static_cast<std::int64_t>(m_blobBytes), "Bytes of these contents.");
    return text;
}

} // namespace sg::workbench
