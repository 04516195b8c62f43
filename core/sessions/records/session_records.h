#pragma once

#include "core/base/clock.h"
#include "core/sessions/session.h"
#include "core/sessions/session_event.h"
#include "core/sessions/session_spec.h"
#include "core/sessions/stand_mark.h"
#include "core/sqlite/db.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::sessions {

// The record of a session, also of one that has ended or that another program has.
struct SessionRecord {
    SessionInfo info; // `state` as it was last recorded: Live, Paused, Released or Ended
    std::string image;
    // Nullopt: unknown, as the version that started the session did not record it.
    std::optional<bool> network; // whether it can reach the network
    std::optional<std::vector<std::string>> secrets; // names of secrets that it was given, sorted
    bool keep = false;
    std::string owner; // mark of the process that has it (owner_process.h); empty: none has
    Lifetime lifetime;
    WallTime startedAt;
    WallTime lastUsed;
    std::optional<WallTime> extendedUntil; // neither age nor idle time ends it before
    std::optional<WallTime> endedAt;
    // The limits of its spec; those in `info` are in force and may have been changed. Nullopt: unknown.
    std::optional<sandbox::Limits> askedLimits{};
    std::optional<std::string> datasetFolder{};
    std::optional<std::string> modules{}; // folders of modules that it sees, see modulesMark()
    std::int64_t cells = 0;
    [[nodiscard]] bool hasEnded() const { return info.state.hasEnded(); }
    // When its lifetime ends, and by which limit; nullopt where it has none.
    struct Expiry {
        WallTime at;
        std::string why; // "it was idle for 45 min"
    };
    [[nodiscard]] std::optional<Expiry> expiry() const;
};

struct SessionNote {
    WallTime time;
    Word<SessionEventKind> event;
    std::string text;
};

struct StoredSample {
    SessionId session;
    sandbox::ResourceSample sample;
};

// SessionRecords is a project's sessions.sqlite: every session, its notes and samples. Several programs may
// share the file. Any thread. Only samples of a session's newest day are kept, and 1,000 ended sessions.
class SessionRecords {
public:
    // Errc::Unsupported: written by a newer version.
    static Result<std::unique_ptr<SessionRecords>> open(const std::filesystem::path& file);
    // Opens the file as it is: an earlier version is not upgraded, and writing fails. Errc::NotFound.
    static Result<std::unique_ptr<SessionRecords>> openToRead(const std::filesystem::path& file);

    // Adds a new session or one that was taken up again: start time, cells and extension of the latter stay.
    Result<void> started(const SessionRecord& record);
    Result<void> used(const SessionId& id, WallTime time, std::int64_t moreCells);
    // Records Paused, Live, Released or Ended. The latter two clear the owner.
    Result<void> setState(const SessionId& id, const SessionState& state);
    // Changes the owner from `from` to `to`, for one of several programs that try. False: another one was
    // faster.
    Result<bool> claim(const SessionId& id, const std::string& from, const std::string& to);
    Result<void> setLimits(const SessionId& id, const sandbox::Limits& limits);
    Result<void> extend(const SessionId& id, WallTime until); // never shortens an extension
    // The mark tells how a kept session stands, as the program that had it last left it; nullopt: not known.
    Result<void> setMark(const SessionId& id, const StandMark& mark);
    Result<std::optional<StandMark>> mark(const SessionId& id);
    Result<void> note(const SessionId& id, const SessionNote& note);
    Result<void> addSamples(const std::vector<StoredSample>& samples);

    Result<std::optional<SessionRecord>> find(const SessionId& id);
    // The newest session of a thread and part.
    Result<std::optional<SessionRecord>> newestOf(const ThreadId& thread, const SessionPart& part);
    // Newest first.
    Result<std::vector<SessionRecord>> list(bool alsoEnded, std::int64_t limit = 1000);
    Result<std::vector<SessionNote>> notes(const SessionId& id, std::int64_t limit); // newest first
    // In order of time; where there are more than `most`, every n-th.
    Result<std::vector<sandbox::ResourceSample>> samples(const SessionId& id, std::size_t most);
    // Marks sessions as ended whose program and sandbox ended without a record of it. Returns how many.
    Result<int> closeAbandoned();
    // Removes sessions that ended before `before`. Returns how many.
    Result<int> forgetEnded(WallTime before);

private:
    SessionRecords(sqlite::Db db, std::int64_t version);
    const std::string m_columns; // columns of a record in the file's version
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

// "45 min", "2 h", "30 s"
std::string durationText(std::chrono::milliseconds duration);

} // namespace sg::sessions
