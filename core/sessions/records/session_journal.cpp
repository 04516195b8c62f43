#include "core/sessions/records/session_journal.h"

#include "core/base/log.h"
#include "core/base/redaction.h"

#include <utility>

namespace sg::sessions {
namespace {

// Secrets are removed before the text is cut: half a secret would not be recognised.
std::string cleanStart(const std::string& text, std::size_t most)
{
    return withoutSecrets(text).substr(0, most);
}

constexpr std::size_t kMostText = 64U << 10;
constexpr std::size_t kMostName = 256;
constexpr std::size_t kMostValue = 1000;
constexpr int kVariableTries = 3;

} // namespace

SessionJournal::SessionJournal(std::optional<SessionFolder> folder, const Clock& clock,
                               std::int64_t executions)
    : m_folder(std::move(folder))
    , m_clock(clock)
    , m_executions(executions)
{
}

void SessionJournal::note(const std::string& event, const ValueMap& details)
{
    const auto written = m_folder->log(isoTime(m_clock.now()), event, details);
    if (!written && !std::exchange(m_isWarned, true))
        logMessage(LogLevel::Warning, written.error().message);
}

void SessionJournal::save()
{
    m_isChanged = false;
    const auto saved = m_folder->saveMetadata(m_metadata);
    if (!saved && !std::exchange(m_isWarned, true))
        logMessage(LogLevel::Warning, saved.error().message);
}

void SessionJournal::started(const SessionInfo& info, const std::string& image)
{
    if (!m_folder)
        return;
    const std::lock_guard lock(m_mutex);
    m_metadata = { { "session_id", info.id.value },
                   { "thread_id", info.thread.value },
                   { "created_at", info.createdAt },
                   { "backend", info.backend },
                   { "container_id", info.sandboxName },
                   { "session_storage", info.storage.text() },
                   { "dataset_access", info.datasets.text() },
                   { "image", image },
                   { "execution_count", m_executions },
                   { "last_used", isoTime(m_clock.now()) } };
    note("session_started", { { "backend", info.backend }, { "container_id", info.sandboxName } });
    save();
}

void SessionJournal::executed(const std::string& code, const std::string& output, const CellResult& result)
{
    if (!m_folder)
        return;
    const std::lock_guard lock(m_mutex);
    const bool isFine = result.status == CellStatus::Ok || result.status == CellStatus::Interrupt;
    note("code_execution",
         { { "code", cleanStart(code, kMostText) },
           { "success", isFine },
           { "stdout", cleanStart(output, kMostText) },
           { "error", result.error ? Value(result.error->type + ": " + result.error->message) : Value() },
           { "seconds", result.seconds } });
    if (!result.artifacts.empty()) {
        ValueList files;
        for (const artifacts::Artifact& artifact : result.artifacts)
            files.push_back(Value(ValueMap{ { "id", artifact.id.value },
                                            { "filename", artifact.path },
                                            { "content_type", artifact.mime },
                                            { "size_bytes", static_cast<std::int64_t>(artifact.size) } }));
        note(
            "artifacts_created",
            { { "artifact_count", static_cast<std::int64_t>(files.size()) }, { "artifacts", Value(files) } });
    }
    m_metadata.set("execution_count", ++m_executions);
    m_metadata.set("last_used", isoTime(m_clock.now()));
    m_isChanged = true;
    m_variableTries = kVariableTries;
}

void SessionJournal::noted(const std::string& event)
{
    if (!m_folder)
        return;
    const std::lock_guard lock(m_mutex);
    note(event, {});
}

bool SessionJournal::wantsVariables()
{
    const std::lock_guard lock(m_mutex);
    if (!m_folder || m_variableTries == 0)
        return false;
    --m_variableTries;
    return true;
}

// Format, as in LangGraph-Sandbox: {"timestamp", "variables": {name: {"type", "value"}}, "imported_modules":
// [name, …]}.
void SessionJournal::saveVariables(const Value& told)
{
    const Value answer = valueWithoutSecrets(told); // before names and values are cut below
    const Value& variables = answer["variables"];
    if (!m_folder || !variables.isList())
        return;
    ValueMap named;
    for (const Value& variable : variables.asList())
        named.set(variable.stringOr("name", "").substr(0, kMostName),
                  Value::map({ { "type", variable.stringOr("type", "").substr(0, kMostName) },
                               { "value", variable.stringOr("preview", "").substr(0, kMostValue) } }));
    ValueList modules;
    if (answer["modules"].isList())
        for (const Value& name : answer["modules"].asList())
            if (name.isString())
                modules.emplace_back(name.asString().substr(0, kMostName));
    const std::lock_guard lock(m_mutex);
    m_variableTries = 0;
    const auto saved = m_folder->saveState({ { "timestamp", isoTime(m_clock.now()) },
                                             { "variables", std::move(named) },
                                             { "imported_modules", std::move(modules) } });
    if (!saved && !std::exchange(m_isWarned, true))
        logMessage(LogLevel::Warning, saved.error().message);
}

FolderSize SessionJournal::folderSize() const
{
    return m_folder ? m_folder->size() : FolderSize{};
}

void SessionJournal::stopped(const SessionInfo& info)
{
    if (!m_folder)
        return;
    const std::lock_guard lock(m_mutex);
    note("session_stopped", { { "container_id", info.sandboxName } });
    m_metadata.set("stopped_at", isoTime(m_clock.now()));
    m_metadata.set("final_execution_count", m_executions);
    save();
}

void SessionJournal::saveIfChanged()
{
    if (!m_folder)
        return;
    const std::lock_guard lock(m_mutex);
    if (m_isChanged)
        save();
}

} // namespace sg::sessions
