#pragma once

#include "core/audit/audit_words.h"
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

// A row of the audit: one event.
struct AuditEntry {
    std::int64_t sequence = 0; // set by the log
    std::string time; // ISO 8601, UTC; the log sets it if it is empty
    Word<Kind> kind;
    ThreadId thread;
    RunId run;
    std::string tenant;
    std::string agent; // the node that it was done for
    SessionId session;
    std::string subject; // what was acted on: a hash, an id, a name, host:port
    Word<Outcome> outcome;
    Value details; // a map, or null
    std::string hash; // over the row and all rows before it; set by the log
};

struct AuditFilter {
    std::int64_t after = 0; // a sequence number
    std::optional<std::string> kind;
    std::optional<ThreadId> thread;
    std::int64_t limit = 1000;
    bool newest = false; // the last `limit` rows instead of the first; still in order
};

// {"seq", "time", "kind", "thread_id", "run_id", "tenant", "agent", "session_id", "subject", "outcome",
// "details", "hash"}
Value auditDocument(const AuditEntry& entry);

// The rows of one kind with one outcome. The fields after `times` are for cells alone.
struct AuditGroup {
    Word<Kind> kind;
    Word<Outcome> outcome;
    std::string error; // the error's type
    bool hasDropped = false; // part of their output was dropped
    std::int64_t rows = 0;
    std::int64_t times = 0; // events in these rows: equal refusals share a row
    double seconds = 0; // sum over the rows
    std::vector<std::int64_t> within; // for each given time, how many took no longer
};

// The rows of a project's audit.sqlite. Any thread; several programs may add to one file.
class AuditLog {
public:
    enum class Access { Append, Read };
    // Errc::NotFound: there is none to read; Unsupported: a newer version wrote it.
    static Result<std::unique_ptr<AuditLog>> open(const std::filesystem::path& database, Access access);

    // Returns the row as it was written: without secrets, with its number and time.
    Result<AuditEntry> append(AuditEntry entry);
    // Writes several rows in order, all or none, and changes them to what was written.
    Result<void> append(std::span<AuditEntry> entries);
    Result<std::vector<AuditEntry>> read(const AuditFilter& filter);
    // Counts the rows after `after` up to `upTo` in the database.
    Result<std::vector<AuditGroup>> groups(std::int64_t after, std::int64_t upTo,
                                           const std::vector<double>& times);
    Result<std::int64_t> newest(); // the newest row's number; 0: there is none
    // Returns the number of rows. Errc::Corrupt names the first row that was changed, or says that the newest
    // rows are gone. This finds changes by programs that do not know of the hashes, but not by somebody who
    // computes them anew or restores an older copy of the whole file.
    Result<std::int64_t> verify();

private:
    explicit AuditLog(sqlite::Db db)
        : m_db(std::move(db))
    {
    }
    // These need the mutex:
    Result<std::string> insert(AuditEntry& entry, const std::string& details, const std::string& before);
    Result<std::int64_t> number(const char* query); // 0: no row

    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
};

// Opens the log of the project in `folder` for reading. Errc::NotFound: nothing was audited yet; with
// `mayBeMade` an empty log is made then.
Result<std::unique_ptr<AuditLog>> openAudit(const std::filesystem::path& database,
                                            const std::filesystem::path& folder, bool mayBeMade);

} // namespace sg::audit
