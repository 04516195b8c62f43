#include "core/servers/artifacts/project_figures.h"

#include "core/audit/audit_log.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string_view>

namespace sg::servers {
namespace {

constexpr std::int64_t kMostAtOnce = 100'000; // rows, which take a tenth of a second
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

// Returns the name of the limit that ended the cells; empty if none did.
std::string limitOf(const audit::AuditGroup& cells)
{
    if (cells.outcome == audit::Outcome::TimedOut)
        return "time";
    if (cells.error == "MemoryError")
        return "memory";
    if (cells.error == "DiskLimitExceeded")
        return "disk";
    return cells.hasDropped ? "output" : "";
}

} // namespace

void ProjectFigures::take(const audit::AuditGroup& group)
{
    if (group.kind == audit::Kind::Session)
        m_sessions[group.outcome.text()] += group.rows;
    else if (group.kind == audit::Kind::Egress)
        m_egress[group.outcome.text()] += group.times;
    else if (group.kind == audit::Kind::Secret)
        m_secretsGiven += group.rows;
    if (group.kind != audit::Kind::Cell
        || group.outcome == audit::Outcome::Started) // each cell has another row when it ends
        return;
    m_cells[group.outcome.text()] += group.rows;
    if (const std::string limit = limitOf(group); !limit.empty())
        m_limits[limit] += group.rows;
    m_seconds += group.seconds;
    m_cellCount += group.rows;
    for (std::size_t i = 0; i < kBuckets.size(); ++i)
        m_durations[i] += group.within[i];
}

void ProjectFigures::readAudit()
{
    if (!m_log)
        if (auto opened = audit::openAudit(m_project.audit, m_project.folder, false))
            m_log = std::move(*opened);
    if (!m_log)
        return;
    if (const auto newest = m_log->newest())
        m_newest = *newest;
    const std::int64_t upTo = std::min(m_newest, m_readTo + kMostAtOnce);
    if (upTo == m_readTo)
        return;
    const auto groups = m_log->groups(m_readTo, upTo, { kBuckets.begin(), kBuckets.end() });
    if (!groups)
        return;
    for (const audit::AuditGroup& group : *groups)
        take(group);
    m_readTo = upTo;
}

void ProjectFigures::countContents()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    if (m_countedAt != SteadyTime() && now - m_countedAt < kCountAgain)
        return;
    const auto listed = m_artifacts.list({});
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
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (!lock) {
        const std::lock_guard before(m_textMutex);
        return m_text;
    }
    readAudit();
    countContents();
    std::string text = gathered();
    const std::lock_guard told(m_textMutex);
    m_text = text;
    return text;
}

std::string ProjectFigures::gathered() const
{
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
    gauge(text, "sandglass_audit_rows_unread", m_newest - m_readTo,
          "Rows of the audit log that the figures above do not count yet.");
    gauge(text, "sandglass_blob_bytes", static_cast<std::int64_t>(m_blobBytes), "Bytes of these contents.");
    return text;
}

} // namespace sg::servers
