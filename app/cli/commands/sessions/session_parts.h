#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/session_option.h"
#include "core/base/result.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <stop_token>
#include <string>

// Parts that the session verbs share; each of their files adds its own verbs.
namespace sg::cli {

struct SessionPlace {
    enum class For { Use, Reading };
    std::string project = ".";
    std::string database; // empty: the project's
    SessionOption session;

    // Adds --project, and with `makesSessions` the options that make a session.
    void add(Verb verb, bool makesSessions);
    // Adds --db, for verbs about what threads keep.
    void addDatabase(Verb verb);
    // For::Reading also opens a project that cannot be written.
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> open(For what = For::Use) const;
};

// A thread's session that a person talks to, and the project with which it ends.
struct TalkedTo {
    std::unique_ptr<workbench::Workbench> project;
    config::SessionSettings settings;
    std::shared_ptr<sessions::Session> session;
};
// Keeps the session if its backend can, so that the same command returns to it. Prints to `out` what it waits
// for.
Result<TalkedTo> sessionToTalkTo(const SessionPlace& place, const ThreadId& thread, const Output& out,
                                 const std::stop_token& stop);

// {session_id, thread_id, part, backend, isolation, sandbox, state, mode, created_at, last_used_at,
// expires_at, cells, layer, packages, limits: {memory_bytes, tmpfs_bytes, pids, cpus, open_files}}; unknown
// values are null.
Value sessionDocument(const sessions::SessionInfo& info);
// The information of a record, as `list --all` and `view` show it.
sessions::SessionInfo infoOf(const sessions::SessionRecord& record);

// The traceback and, where that does not tell it, the reason: a deadline, a limit, the death of the
// interpreter.
std::string errorText(const sessions::CellError& error);

void addSessionCare(Verb verb, Shell& shell); // start, pause, unpause, extend, limits, gc, settings
void addSessionView(Verb verb, Shell& shell);
void addSessionAttach(Verb verb, Shell& shell);
void addSessionShell(Verb verb, Shell& shellOf);

} // namespace sg::cli
