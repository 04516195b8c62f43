#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/sqlite/db.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sg::audit {

// One thing that happened.
struct AuditEntry {
    std::int64_t sequence = 0; // given by the log
    std::string time; // ISO 8601, UTC; given by the log where it is empty
    std::string kind; // "session", "cell", "dataset", "artifact", "secret", "egress", "terminal", "layer"
    ThreadId thread;
    RunId run;
    std::string tenant;
    std::string agent; // the node that it was done for
    SessionId session;
    std::string subject; // what it was done to: a hash, an id, a name, host:port
    std::string outcome; // "started", "ok", "error", "allowed", "denied", …
    Value details; // a map, or null
    std::string hash; // of the row and all before it; given by the log
};

struct AuditFilter {
    std::int64_t after = 0; // sequence
    std::optional<std::string> kind;
    std::optional<ThreadId> thread;
    std::int64_t limit = 1000;
    bool newest = false; // the last `limit` of them instead of the first; in order all the same
};

// {"seq", "time", "kind", "thread_id", "run_id", "tenant", "agent", "session_id", "subject", "outcome",
// "details", "hash"}
Value auditDocument(const AuditEntry& entry);

// Rows of one kind with one outcome; what follows `times` is of cells alone.
struct AuditGroup {
    std::string kind;
    std::string outcome;
    std::string error; // the type that they failed with
    bool hasDropped = false; // of their output
    std::int64_t rows = 0;
    std::int64_t times = 0; // as often as they say that it happened: refusals that are alike have one row
    double seconds = 0; // of all together
    std::vector<std::int64_t> within; // how many took no longer than each of the given times
};

// The rows of one project's audit.sqlite. Any thread; several programs may add to one file.
class AuditLog {
public:
    enum class Access { Append, Read };
    // Errc::NotFound where there is none to read; Errc::Unsupported: of a newer version.
    static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& database, Access access);

    // As it was written: without secrets, with its number and time.
    Result<AuditEntry> append(AuditEntry entry);
    // Several, in their order: all of them or none. They become what was written.
    Result<void> append(std::span<AuditEntry> entries);
    Result<std::vector<AuditEntry>> read(const AuditFilter& filter);
    // The rows behind `after` up to `upTo`, counted by the database.
    Result<std::vector<AuditGroup>> groups(std::int64_t after, std::int64_t upTo,
                                           const std::vector<double>& times);
    Result<std::int64_t> newest(); // its number; 0: there is none
    // How many rows; Errc::Corrupt names the first that is not as it was written, or says that the newest
    // are gone. It finds what a program changed that did not know of the hashes: who may write to the file
    // and computes them anew, or puts the whole file of an earlier day in its place, is not found.
    Result<std::int64_t> verify();

private:
    explicit AuditLog(sqlite::Db db)
        : m_db(std::move(db))
    {
    }
    // With the mutex:
    Result<std::string> insert(AuditEntry& entry, const std::string& details, const std::string& before);
    Result<std::int64_t> number(const char* query); // 0: no row

    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

// The log of the project in `folder`, for reading. Errc::NotFound where nothing was audited yet; with
// `mayBeMade` there is an empty one then, to be followed.
Result<std::unique_ptr<AuditLog>> openAudit(const std::filesystem::path& database,
                                            const std::filesystem::path& folder, bool mayBeMade);

} // namespace sg::audit
