#include "app/cli/commands/sessions/session_parts.h"

#include "app/cli/project_option.h"
#include "core/history/database.h"
#include "core/sandbox/backend_kinds.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace sg::cli {
namespace {

Value textOrNull(const std::string& text)
{
    return text.empty() ? Value() : Value(text);
}

} // namespace

void SessionPlace::add(Verb verb, bool makesSessions)
{
    addProject(verb, project);
    if (makesSessions)
        session.add(verb);
}

void SessionPlace::addDatabase(Verb verb)
{
    verb.option("--db", database,
                "checkpoint database: a file, or postgresql://HOST/DATABASE (default: the project's)");
}

Result<std::unique_ptr<workbench::Workbench>> SessionPlace::open(For what) const
{
    auto paths = project == "." ? projects::findProject(".") : projects::locateProject(project);
    if (!paths)
        return std::move(paths.error());
    if (auto chosen = history::chooseDatabase(*paths, database); !chosen)
        return std::move(chosen.error());
    workbench::WorkbenchOptions options;
    std::error_code failed;
    options.readOnly = what == For::Reading && std::filesystem::exists(paths->checkpoints, failed)
        && ::access(paths->data.c_str(), W_OK) != 0;
    options.project = std::move(*paths);
    if (auto applied = session.apply(options); !applied)
        return std::move(applied.error());
    return workbench::Workbench::open(std::move(options));
}

Result<TalkedTo> sessionToTalkTo(const SessionPlace& place, const ThreadId& thread, const Output& out,
                                 const std::stop_token& stop)
{
    auto project = place.open();
    if (!project)
        return std::move(project.error());
    auto settings = (*project)->sessionSettings();
    if (!settings)
        return std::move(settings.error());
    const auto backend = (*project)->sessions().backendInfo(settings->session.backend);
    settings->session.keep = settings->session.keep || (backend && sandbox::mayBeKept(backend->name));
    auto session = (*project)->sessions().acquire(thread, settings->session, stop,
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return std::move(session.error());
    return TalkedTo{ *std::move(project), *std::move(settings), *std::move(session) };
}

Value sessionDocument(const sessions::SessionInfo& info)
{
    const sandbox::Limits& limits = info.limits;
    return Value::map({ { "session_id", info.id.value },
                        { "thread_id", info.thread.value },
                        { "part", info.part.text() },
                        { "backend", info.backend },
                        { "isolation", textOrNull(info.isolation) },
                        { "sandbox", info.sandboxName },
                        { "state", info.state.text() },
                        { "storage", textOrNull(info.storage.text()) },
                        { "datasets", textOrNull(info.datasets.text()) },
                        { "created_at", textOrNull(info.createdAt) },
                        { "last_used_at", textOrNull(info.lastUsedAt) },
                        { "expires_at", textOrNull(info.expiresAt) },
                        { "cells", info.cells },
                        { "layer", textOrNull(info.layer) },
                        { "packages", ValueList(info.packages.begin(), info.packages.end()) },
                        { "limits",
                          Value::map({ { "memory_bytes", limits.memoryBytes },
                                       { "tmpfs_bytes", limits.tmpfsBytes },
                                       { "pids", limits.pids },
                                       { "cpus", limits.cpus },
                                       { "open_files", limits.openFiles } }) } });
}

std::string errorText(const sessions::CellError& error)
{
    std::string text = error.traceback;
    while (text.ends_with('\n'))
        text.pop_back();
    // The message of a syntax error also names the place, which the traceback shows.
    const std::string last = text.substr(text.rfind('\n') + 1);
    const std::string named = error.type + ": ";
    const bool isSaid = text.find(error.message.substr(0, error.message.find('\n'))) != std::string::npos
        || (last.starts_with(named) && error.message.starts_with(last.substr(named.size())));
    if (text.empty() || !isSaid)
        text += (text.empty() ? "" : "\n") + error.type + ": " + error.message;
    return text;
}

sessions::SessionInfo infoOf(const sessions::SessionRecord& record)
{
    sessions::SessionInfo info = record.info;
    info.lastUsedAt = isoTime(record.lastUsed);
    info.cells = record.cells;
    if (const auto expiry = record.expiry(); expiry && !record.hasEnded())
        info.expiresAt = isoTime(expiry->at);
    return info;
}

} // namespace sg::cli
