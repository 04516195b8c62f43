#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/audit/audit_log.h"
#include "core/base/clock.h"
#include "core/base/word.h"
#include "core/datasets/dataset_export.h"
#include "core/datasets/dataset_providers.h"
#include "core/sessions/session.h"

#include <array>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::datasets {

struct StagedDataset {
    std::string id;
    std::string path{}; // its path in the session
    std::string provider{};
    std::string format{};
    std::int64_t bytes = 0;
};

struct DatasetStatus {
    StagedDataset dataset; // path only if it is loaded; bytes -1: unknown
    enum class State { Available, Pending, Loaded, Failed };
    State state = State::Available;
    std::string error{}; // for Failed
};
constexpr auto namesOf(DatasetStatus::State)
{
    using State = DatasetStatus::State;
    return std::to_array<std::pair<State, std::string_view>>({
        { State::Available, "AVAILABLE" },
        { State::Pending, "PENDING" },
        { State::Loaded, "LOADED" },
        { State::Failed, "FAILED" },
    });
}
constexpr std::string_view nameOf(DatasetStatus::State state)
{
    return nameAmong(state);
}

// Makes an audit row for a secret that `source` was given.
audit::AuditEntry secretRow(const DatasetSource& source);

// Serves a session's code and its owner: datasets into sessions, and files out of them. It remembers for each
// session what is PENDING, LOADED or FAILED. A dataset is fetched once, however many ask at the same time,
// and fetched again on request if it failed or is no longer in the session. Any thread.
class DatasetDesk {
public:
    using Audit = std::function<void(audit::AuditEntry)>;
    // `localFolder` is the folder that LOCAL_RO and HYBRID sessions mount. `audit` gets uses of secrets.
    DatasetDesk(DatasetFolders folders, std::function<std::filesystem::path()> localFolder,
                artifacts::ArtifactStore& artifacts, const Clock& clock, Audit audit = {});

    // Serves as SessionManagerOptions::answerTool.
    Result<Value> answer(sessions::Session& session, const sessions::ToolCall& call);

    using GoesOn = std::function<bool()>;
    using Say = std::function<void(const std::string&)>;
    Result<StagedDataset> select(sessions::Session& session, const std::string& id, const GoesOn& goesOn,
                                 const Say& say);
    Result<std::vector<DatasetStatus>> list(sessions::Session& session);
    // `origin` says which task wants it; empty where a person does.
    Result<ExportedFile> exportFile(sessions::Session& session, const std::string& path,
                                    const artifacts::ArtifactOrigin& origin, const GoesOn& goesOn);
    [[nodiscard]] const DatasetProviders& providers() const { return m_providers; }

private:
    struct Entry {
        DatasetStatus status;
        bool isFetching = false;
    };
    using Entries = std::map<std::string, Entry>; // by id

    Result<StagedDataset> fetchOnce(sessions::Session& session, const std::string& id, const GoesOn& goesOn,
                                    const Say& say);
    Result<StagedDataset> stage(sessions::Session& session, const std::string& id, const GoesOn& goesOn,
                                const Say& say);
    Result<StagedDataset> inLocalFolder(const sessions::SessionInfo& info, const std::string& id) const;
    void note(sessions::Session& session);
    void forgetIdle();

    const DatasetProviders m_providers;
    const std::function<std::filesystem::path()> m_localFolder;
    artifacts::ArtifactStore& m_artifacts;
    const Clock& m_clock;
    const Audit m_audit;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<SessionId, Entries> m_sessions; // guarded by m_mutex
};

} // namespace sg::datasets
