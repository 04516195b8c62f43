#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/live/intake_batch.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session.h"

#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// ArtifactIntake moves the files of a session's artifacts folder into the store. The runner opens them inside
// the sandbox; this process opens large ones itself where it can see the folder, without following links.
// Names and sizes that the runner tells are checked all the same. Only stored files are removed from the
// session. One owner, one thread at a time.
class ArtifactIntake {
public:
    explicit ArtifactIntake(artifacts::ArtifactStore& store)
        : m_store(store)
    {
    }

    // The cell whose artifacts are taken, and where its outcome goes.
    struct Cell {
        RunnerLink& link;
        const artifacts::ArtifactOrigin& origin;
        std::stop_token stop;
        CellResult& result;
        sandbox::FolderView* view = nullptr; // of the same sandbox; null: the folder cannot be seen from here
        std::function<void(std::size_t)> progress{}; // files that were taken so far; called seldom
    };
    // Adds to the result's artifacts and warnings. An error means that the link to the runner failed.
    Result<void> collect(const Cell& cell);

private:
    Result<void> takeAll(const Cell& cell);
    void takeRefused(const Value& refused, const Cell& cell);
    Result<void> takeFiles(const ValueList& listed, const Cell& cell);
    Result<void> takeTogether(std::vector<IncomingArtifact>& files, const Cell& cell);
    Result<void> takeOne(IncomingArtifact& file, const Cell& cell);
    Result<std::optional<IncomingArtifact>> wanted(const Value& entry, const Cell& cell);
    void conclude(IncomingArtifact& file, const Cell& cell);
    // Says nothing that was said after an earlier cell.
    void warn(CellResult& result, const std::string& path, const std::string& reason);
    // Warns of content of the user's that is not stored, for a cause that will not go away by itself. The
    // cell lost it if its stamp is not the one of an earlier cell: code that leaves a file again loses it
    // again.
    void lose(CellResult& result, const std::string& path, const std::string& reason,
              const std::string& stamp);

    artifacts::ArtifactStore& m_store;
    std::set<std::string> m_warned; // warned of after an earlier cell and still true
    std::set<std::string> m_warnedNow;
    std::set<std::string> m_lost; // told after an earlier cell and still there, as that cell left it
    std::set<std::string> m_lostNow;
    std::set<ListedFile> m_tooLarge; // not read again while unchanged
    std::set<ListedFile> m_tooLargeBefore;
    std::size_t m_unsaid = 0; // warnings beyond the most that are shown
    std::size_t m_taken = 0; // during collect()
};

} // namespace sg::sessions
