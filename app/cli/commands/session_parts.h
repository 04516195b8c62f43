#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/session_option.h"
#include "core/base/result.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <stop_token>
#include <string>

// What the session verbs share; each file of them adds its own.
namespace sg::cli {

struct SessionPlace {
    enum class For { Use, Reading };
    std::string project = ".";
    SessionOption session;

    // --project alone, or with the options that make a session.
    void add(Verb verb, bool makesSessions);
    // For reading a project that cannot be written will do.
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> open(For what = For::Use) const;
};

// A thread's session that a person talks to, and the project that it ends with.
struct TalkedTo {
    std::unique_ptr<workbench::Workbench> project;
    config::SessionSettings settings;
    std::shared_ptr<sessions::Session> session;
};
// What can live on does: the way back is the same command. Says on `out` what it waits for.
Result<TalkedTo> sessionToTalkTo(const SessionPlace& place, const ThreadId& thread, const Output& out,
                                 const std::stop_token& stop);

// {session_id, thread_id, part, backend, isolation, sandbox, state, mode, created_at, last_used_at,
// expires_at, cells, layer, packages, limits: {memory_bytes, tmpfs_bytes, pids, cpus, open_files}}; null
// where it is not known
Value sessionDocument(const sessions::SessionInfo& info);
// Of a record, as `list --all` and `view` show it.
sessions::SessionInfo infoOf(const sessions::SessionRecord& record);

// The traceback, and what went wrong where that does not say it: a deadline, a limit, the death of the
// interpreter.
std::string errorText(const sessions::CellError& error);

void addSessionCare(Verb verb, Shell& shell); // start, pause, unpause, extend, limits, gc, settings
void addSessionView(Verb verb, Shell& shell);
void addSessionAttach(Verb verb, Shell& shell);
void addSessionShell(Verb verb, Shell& shellOf);

} // namespace sg::cli
