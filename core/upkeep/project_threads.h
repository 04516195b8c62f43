#pragma once

#include "core/base/result.h"
#include "core/projects/project.h"
#include "core/upkeep/thread_move.h"

#include <stop_token>
#include <string>

namespace sg::upkeep {

// The ways between a project's own file and a PostgreSQL database that machines share.
enum class ThreadsWay { ToServer, ToFile };

struct ProjectThreads {
    std::string from; // for people; without a password
    std::string to;
    ThreadMove move;
};

// Carries the threads of a project one way, with what this machine has recorded of them. Everything else of a
// project (artifacts, audit, notes, contents of snapshots, long-term store) stays where it is. Errors: as
// moveThreads(); NotFound: nothing has run in the project yet; InvalidArgument: this is no address.
Result<ProjectThreads> moveProjectThreads(const projects::ProjectPaths& project, const std::string& address,
                                          ThreadsWay way, const ThreadChoice& choice,
                                          const TellThread& progress, const std::stop_token& stop);

} // namespace sg::upkeep
