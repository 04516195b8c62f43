#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::sessions {

// The folder of a BIND session, /session inside: session.log (JSON lines), session_metadata.json,
// python_state.json, artifacts/. The session's code may change everything in it at any moment, so nothing
// here is ever opened through a link or read back as truth. What is written holds no known secret: the folder
// is on this machine's disk. One thread at a time.
class SessionFolder {
public:
    // Made where it is missing; what is there stays, but for files that a killed program was saving.
    static Result<SessionFolder> open(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    // {"timestamp": …, "event": …, …} as one line, also behind one that was cut off. Over 64 MiB the log is
    // put aside as session.log.1.
    Result<void> log(const std::string& timestamp, const std::string& event, const ValueMap& details);
    Result<void> saveMetadata(const ValueMap& metadata) const;
    Result<void> saveState(const ValueMap& state) const; // python_state.json
    // A name in it that is none of the code's: what this program writes there.
    static bool isItsOwn(std::string_view name);
    // Allocated by all files in it together; links are not followed. Of 100,000 files at most.
    [[nodiscard]] std::int64_t bytes() const;

private:
    SessionFolder(std::filesystem::path path, Fd folder)
        : m_path(std::move(path))
        , m_folder(std::move(folder))
    {
    }
    Result<Fd> openLog();
    Result<void> saveFile(const char* name, const ValueMap& content) const;

    std::filesystem::path m_path;
    Fd m_folder;
};

} // namespace sg::sessions
