#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sessions/records/folder_size.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::sessions {

// SessionFolder is the folder of a BIND session, which is /session inside: session.log (JSON lines),
// session_metadata.json, python_state.json, artifacts/. The session's code may change everything in it at any
// time, so nothing is opened through a link or trusted when read back. The folder is on this machine's disk,
// so known secrets are removed from what is written. One thread at a time.
class SessionFolder {
public:
    // Creates the folder where it is missing; removes only files that a killed program was saving.
    static Result<SessionFolder> open(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    // Appends {"timestamp": …, "event": …, …} as one line, also after a line that was cut off. A log over 64
    // MiB is renamed to session.log.1.
    Result<void> log(const std::string& timestamp, const std::string& event, const ValueMap& details);
    Result<void> saveMetadata(const ValueMap& metadata) const;
    Result<void> saveState(const ValueMap& state) const; // python_state.json
    // True for names that this program writes there, not the session's code.
    static bool isItsOwn(std::string_view name);
    // Bytes allocated by its files, of 100,000 at most; links are not followed.
    [[nodiscard]] FolderSize size() const;

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
