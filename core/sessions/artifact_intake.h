#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/runner_link.h"
#include "core/sessions/session.h"

#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace sg::sessions {

// Takes what lies in a session's artifacts folder into the store. The runner opens the files inside the
// sandbox, or, where they are large and the folder can be seen from here, this process beneath that folder,
// following no link. The runner's word on names and sizes is checked all the same. Only what was stored is
// removed from the session. One owner, one thread at a time.
class ArtifactIntake {
public:
    explicit ArtifactIntake(artifacts::ArtifactStore& store)
        : m_store(store)
    {
    }

    // Adds to the result's artifacts and warnings. An error means that the link to the runner failed. `view`:
    // of the same sandbox; null: it cannot be seen.
    Result<void> collect(RunnerLink& link, const artifacts::ArtifactOrigin& origin, std::stop_token stop,
                         CellResult& result, sandbox::FolderView* view = nullptr);

private:
    struct Listed {
        std::string path;
        std::int64_t size = 0;
        std::int64_t modifiedNs = 0;
        std::int64_t inode = 0;
        auto operator<=>(const Listed&) const = default;
    };

    void takeRefused(const Value& refused, CellResult& result);
    Result<void> takeFile(RunnerLink& link, const Value& entry, const artifacts::ArtifactOrigin& origin,
                          std::stop_token stop, CellResult& result);
    static Result<Listed> listedOf(const Value& entry);
    Result<artifacts::Artifact> store(RunnerLink& link, const Listed& file, const RelativePath& path,
                                      const artifacts::ArtifactOrigin& origin, std::stop_token stop);
    static Result<void> copy(RunnerLink& link, const Listed& file, artifacts::ArtifactWriter& writer,
                             std::stop_token stop);
    // nullopt: the file cannot be opened from here.
    std::optional<Result<void>> copySeen(const Listed& file, artifacts::ArtifactWriter& writer,
                                         const std::stop_token& stop);
    void warn(CellResult& result, const std::string& path, const std::string& reason);

    artifacts::ArtifactStore& m_store;
    std::set<std::string> m_warned; // said after an earlier cell and still true
    std::set<std::string> m_warnedNow;
    std::set<Listed> m_tooLarge; // not read again while unchanged
    std::set<Listed> m_tooLargeBefore;
    std::size_t m_unsaid = 0;
    sandbox::FolderView* m_view = nullptr; // during collect()
};

} // namespace sg::sessions
