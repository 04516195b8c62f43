#pragma once

#include "core/base/clock.h"
#include "core/sessions/session.h"
#include "core/sessions/session_spec.h"
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

// What is known of a session, also of one that has ended or that another program has.
struct SessionRecord {
    SessionInfo info; // `state` as it was noted last: Live, Paused, Released or Ended
    std::string image;
    // Nothing: not known, of one that was started by a version which did not note it.
    std::optional<bool> network; // it has a way to the network
    std::optional<std::vector<std::string>> secrets; // names of those that lie in it, sorted
    bool keep = false;
    std::string owner; // mark of the process that has it (owner_process.h); empty: none has
    Lifetime lifetime;
    WallTime startedAt;
    WallTime lastUsed;
    std::optional<WallTime> extendedUntil; // neither age nor idleness ends it before
    std::optional<WallTime> endedAt;
    // As its spec had it; those of `info` hold, and may have been changed since. Nothing: it is not known.
    std::optional<sandbox::Limits> askedLimits{};
    std::optional<std::string> datasetFolder{};
    std::optional<std::string> modules{}; // folders of modules that it sees, see modulesMark()
    std::int64_t cells = 0;
    [[nodiscard]] bool hasEnded() const { return info.state.hasEnded(); }
    // When its lifetime is over, and what it is that ends; nothing where it has no end.
    struct Expiry {
        WallTime at;
        std::string why; // "it was idle for 45 min"
    };
    [[nodiscard]] std::optional<Expiry> expiry() const;
};

struct SessionNote {
    WallTime time;
    std::string
        event; // "started", "restarted", "waiting", "paused", "unpaused", "limits", "taken over", "ended"
    std::string text;
};

struct StoredSample {
    SessionId session;
    sandbox::ResourceSample sample;
};

// sessions.sqlite of a project: every session, what happened to it, and its samples. Several programs may
// share it. Any thread. Samples are kept for a day, and for a session's newest day only; 1,000 ended sessions
// are.
class SessionRecords {
public:
    // Errc::Unsupported: written by a newer version.
    static Result<std::unique_ptr<SessionRecords>> open(const std::filesystem::path& file);
    // As it is: a file of an earlier version stays one, and what is no reading fails. Errc::NotFound.
    static Result<std::unique_ptr<SessionRecords>> openToRead(const std::filesystem::path& file);

    // A new one, or one that was taken up again: its start, cells and extension stay.
    Result<void> started(const SessionRecord& record);
    Result<void> used(const SessionId& id, WallTime time, std::int64_t moreCells);
    // Paused, Live, Released or Ended. The owner goes with the latter two.
    Result<void> setState(const SessionId& id, const SessionState& state);
    // Of two programs that see it with the same owner only one gets it. False: it is another's by now.
    Result<bool> claim(const SessionId& id, const std::string& from, const std::string& to);
    Result<void> setLimits(const SessionId& id, const sandbox::Limits& limits);
    Result<void> extend(const SessionId& id, WallTime until); // never shortens what it was extended to
    Result<void> note(const SessionId& id, const SessionNote& note);
    Result<void> addSamples(const std::vector<StoredSample>& samples);

    Result<std::optional<SessionRecord>> find(const SessionId& id);
    // The one of a thread and part that was started last.
    Result<std::optional<SessionRecord>> newestOf(const ThreadId& thread, const SessionPart& part);
    // Newest first.
    Result<std::vector<SessionRecord>> list(bool alsoEnded, std::int64_t limit = 1000);
    Result<std::vector<SessionNote>> notes(const SessionId& id, std::int64_t limit); // newest first
    // In order of time; of more than `most` every so many-th.
    Result<std::vector<sandbox::ResourceSample>> samples(const SessionId& id, std::size_t most);
    // Sessions whose program ended without a word, where their sandbox ends with it: noted as ended. How
    // many.
    Result<int> closeAbandoned();
    // Removes what ended before `before`. How many sessions.
    Result<int> forgetEnded(WallTime before);

private:
    SessionRecords(sqlite::Db db, std::int64_t version);
    const std::string m_columns; // of a record, as the file has them
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

// "45 min", "2 h", "30 s"
std::string durationText(std::chrono::milliseconds duration);

} // namespace sg::sessions
