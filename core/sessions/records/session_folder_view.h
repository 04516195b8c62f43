#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sg::sessions {

// The contents of a BIND session's folder, of this program or of LangGraph-Sandbox. The session's code could
// write all of it: nothing is opened through a link, everything is bounded, and what cannot be read becomes a
// problem.
struct SessionFolderView {
    Value metadata; // session_metadata.json; null where there is none
    ValueList log; // the last lines of session.log, oldest first; {"problem", "line"} for one that is no JSON
    std::int64_t logLines = 0; // all of them
    Value state; // python_state.json
    struct File {
        std::string path; // beneath artifacts/
        std::int64_t bytes = 0;
    };
    std::vector<File> artifacts; // files that are still there, by path
    std::vector<std::string> problems; // "session.log: a symbolic link, not read"
};

struct SessionFolderQuery {
    std::size_t lines = 20; // of the log; 0: all of the last 8 MiB
    bool state = true;
    bool artifacts = true;
};
// Errc::NotFound where there is no such folder.
Result<SessionFolderView> viewSessionFolder(const std::filesystem::path& folder,
                                            const SessionFolderQuery& query);

} // namespace sg::sessions
