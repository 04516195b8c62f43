#include "core/audit/audit_log.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <chrono>

namespace sg::audit {
namespace {

constexpr std::int64_t kVersion = 1;

constexpr const char* kSchema = R"(
CREATE TABLE sandglass_audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  kind TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  tenant TEXT NOT NULL,
  agent TEXT NOT NULL,
  session_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  outcome TEXT NOT NULL,
  details TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX sandglass_audit_thread ON sandglass_audit (thread_id);
)";

// Missing triggers are made again. The third exists because REPLACE removes rows without firing the second.
constexpr const char* kTriggers = R"(
CREATE TRIGGER IF NOT EXISTS sandglass_audit_stays BEFORE UPDATE ON sandglass_audit
BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
CREATE TRIGGER IF NOT EXISTS sandglass_audit_remains BEFORE DELETE ON sandglass_audit
BEGIN SELECT RAISE(ABORT, 'audit rows are never removed'); END;
CREATE TRIGGER IF NOT EXISTS sandglass_audit_unreplaced BEFORE INSERT ON sandglass_audit
WHEN EXISTS (SELECT 1 FROM sandglass_audit WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'audit rows are never replaced'); END;
)";

constexpr const char* kColumns =
    "seq, time, kind, thread_id, run_id, tenant, agent, session_id, subject, outcome, details, hash";

// Lengths separate the fields, so that no two rows hash the same text.
std::string chained(const std::string& before, const AuditEntry& entry, const std::string& details)
{
    Sha256 hash;
    hash.update(before);
    for (const std::string* each :
         { &entry.time, &entry.kind.text(), &entry.thread.value, &entry.run.value, &entry.tenant,
           &entry.agent, &entry.session.value, &entry.subject, &entry.outcome.text(), &details }) {
        hash.update(std::to_string(each->size()) + ':');
        hash.update(*each);
    }
    return hash.finishHex();
}

AuditEntry entryOf(const sqlite::Statement& row)
{
    const auto text = [&](int column) { return std::string(row.text(column)); };
    AuditEntry entry;
    entry.sequence = row.integer(0);
    entry.time = text(1);
    entry.kind = text(2);
    entry.thread = ThreadId(text(3));
    entry.run = RunId(text(4));
    entry.tenant = text(5);
    entry.agent = text(6);
    entry.session = SessionId(text(7));
    entry.subject = text(8);
    entry.outcome = text(9);
    entry.hash = text(11);
    return entry;
}

void clean(AuditEntry& entry)
{
    for (std::string* each : { &entry.thread.value, &entry.run.value, &entry.tenant, &entry.agent,
                               &entry.session.value, &entry.subject })
        *each = withoutSecrets(*each);
    entry.kind = withoutSecrets(entry.kind.text());
    entry.outcome = withoutSecrets(entry.outcome.text());
    entry.details = valueWithoutSecrets(entry.details);
}

Result<std::string> lastHash(sqlite::Db& db)
{
    auto newest = db.cached("SELECT hash FROM sandglass_audit ORDER BY seq DESC LIMIT 1");
    if (!newest)
        return std::move(newest.error());
    const auto row = newest->step();
    if (!row)
        return row.error();
    return *row ? std::string(newest->text(0)) : std::string();
}

} // namespace

Value auditDocument(const AuditEntry& entry)
{
    return Value::map({ { "seq", entry.sequence },
                        { "time", entry.time },
                        { "kind", entry.kind.text() },
                        { "thread_id", entry.thread.value },
                        { "run_id", entry.run.value },
                        { "tenant", entry.tenant },
                        { "agent", entry.agent },
                        { "session_id", entry.session.value },
                        { "subject", entry.subject },
                        { "outcome", entry.outcome.text() },
                        { "details", entry.details },
                        { "hash", entry.hash } });
}

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::filesystem::path& database, Access access)
{
    sqlite::DbOptions options;
    options.mode = access == Access::Read ? sqlite::OpenMode::ReadOnly : sqlite::OpenMode::Create;
    auto db = sqlite::Db::open(database, options);
    if (!db)
        return std::move(db.error()).during("open the audit log " + database.string());
    const auto version = db->userVersion();
    if (!version)
        return version.error();
    if (*version > kVersion)
        return Error{ Errc::Unsupported,
                      database.string() + " was written by a newer version of Sandglass; use that one" };
    if (*version == 0 && access == Access::Append) {
        auto writing = db->begin();
        if (!writing)
            return std::move(writing.error());
        const auto again = db->userVersion(); // another program may have been faster
        if (again && *again == 0)
            if (auto made = db->exec(kSchema); !made)
                return std::move(made.error()).during("make the audit log " + database.string());
        if (auto set = db->setUserVersion(kVersion); !set)
            return std::move(set.error());
        if (auto done = writing->commit(); !done)
            return std::move(done.error());
    }
    if (access == Access::Append)
        if (auto made = db->exec(kTriggers); !made)
            return std::move(made.error()).during("make the audit log " + database.string());
    return std::unique_ptr<AuditLog>(new AuditLog(std::move(*db)));
}

Result<AuditEntry> AuditLog::append(AuditEntry entry)
{
    if (auto added = append(std::span(&entry, 1)); !added)
        return std::move(added.error());
    return entry;
}

Result<void> AuditLog::append(std::span<AuditEntry> entries)
{
    if (entries.empty())
        return {};
    std::vector<std::string> details;
    for (AuditEntry& entry : entries) {
        clean(entry);
        if (entry.time.empty())
            entry.time = isoTime(std::chrono::system_clock::now());
        details.push_back(toJson(entry.details));
    }
    const std::lock_guard lock(m_mutex);
    auto writing = m_db.begin();
    if (!writing)
        return std::move(writing.error()).during("write to the audit log");
    auto before = lastHash(m_db);
    for (std::size_t i = 0; before && i < entries.size(); ++i)
        before = insert(entries[i], details[i], *before);
    if (!before)
        return std::move(before.error()).during("write to the audit log");
    return writing->commit();
}

// Returns the row's hash.
Result<std::string> AuditLog::insert(AuditEntry& entry, const std::string& details, const std::string& before)
{
    entry.hash = chained(before, entry, details);
    auto added =
        m_db.run("INSERT INTO sandglass_audit (time, kind, thread_id, run_id, tenant, agent, session_id, "
                 "subject, outcome, details, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 entry.time, entry.kind.text(), entry.thread.value, entry.run.value, entry.tenant,
                 entry.agent, entry.session.value, entry.subject, entry.outcome.text(), details, entry.hash);
    if (!added)
        return std::move(added.error());
    entry.sequence = m_db.lastInsertId();
    return entry.hash;
}

Result<std::vector<AuditEntry>> AuditLog::read(const AuditFilter& filter)
{
    const std::lock_guard lock(m_mutex);
    auto rows = m_db.cached(std::string("SELECT ") + kColumns
                            + " FROM sandglass_audit WHERE seq > ?1 AND (?2 IS NULL OR kind = ?2)"
                              " AND (?3 IS NULL OR thread_id = ?3) ORDER BY seq "
                            + (filter.newest ? "DESC" : "ASC") + " LIMIT ?4");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, filter.after).bind(2, filter.kind);
    rows->bind(3, filter.thread ? std::optional(filter.thread->value) : std::nullopt).bind(4, filter.limit);
    std::vector<AuditEntry> found;
    const auto read = sqlite::eachRow(*rows, [&] {
        found.push_back(entryOf(*rows));
        if (auto details = parseJson(rows->text(10)))
            found.back().details = std::move(*details);
    });
    if (!read)
        return read.error();
    if (filter.newest)
        std::ranges::reverse(found);
    return found;
}

Result<std::int64_t> AuditLog::number(const char* query)
{
    auto found = m_db.cached(query);
    if (!found)
        return std::move(found.error());
    const auto row = found->step();
    if (!row)
        return row.error();
    return *row ? found->integer(0) : 0;
}

Result<std::int64_t> AuditLog::newest()
{
    const std::lock_guard lock(m_mutex);
    return number("SELECT max(seq) FROM sandglass_audit");
}

Result<std::vector<AuditGroup>> AuditLog::groups(std::int64_t after, std::int64_t upTo,
                                                 const std::vector<double>& times)
{
    std::string within;
    for (std::size_t i = 0; i < times.size(); ++i)
        within += ", sum(seconds <= ?" + std::to_string(i + 3) + ")";
    const std::lock_guard lock(m_mutex);
    auto rows = m_db.cached(
        "SELECT kind, outcome, error, dropped > 0, count(*), sum(times), sum(seconds)" + within
        + " FROM (SELECT kind, outcome, json_extract(told, '$.error') AS error,"
          " coalesce(json_extract(told, '$.dropped_bytes'), 0) AS dropped,"
          " coalesce(json_extract(told, '$.seconds'), 0) AS seconds,"
          " CASE json_type(decided, '$.times') WHEN 'integer' THEN max(1, json_extract(decided, '$.times'))"
          " ELSE 1 END AS times FROM (SELECT kind, outcome,"
          " CASE WHEN kind = 'egress' AND json_valid(details) THEN details END AS decided,"
          " CASE WHEN kind = 'cell' AND json_valid(details) THEN details END AS"
          " told FROM sandglass_audit WHERE seq > ?1 AND seq <= ?2)) GROUP BY 1, 2, 3, 4");
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, after).bind(2, upTo);
    for (std::size_t i = 0; i < times.size(); ++i)
        rows->bind(static_cast<int>(i) + 3, times[i]);
    std::vector<AuditGroup> found;
    const auto read = sqlite::eachRow(*rows, [&] {
        AuditGroup& group = found.emplace_back();
        group.kind = rows->text(0);
        group.outcome = rows->text(1);
        group.error = rows->text(2);
        group.hasDropped = rows->integer(3) != 0;
        group.rows = rows->integer(4);
        group.times = rows->integer(5);
        group.seconds = rows->real(6);
        for (std::size_t i = 0; i < times.size(); ++i)
            group.within.push_back(rows->integer(static_cast<int>(i) + 7));
    });
    if (!read)
        return read.error();
    return found;
}

Result<std::int64_t> AuditLog::verify()
{
    const std::lock_guard lock(m_mutex);
    auto reading = m_db.beginRead();
    if (!reading)
        return std::move(reading.error());
    // SQLite keeps the number of rows ever added, so removing the newest rows is noticed.
    const auto added = number("SELECT seq FROM sqlite_sequence WHERE name = 'sandglass_audit'");
    if (!added)
        return added.error();
    auto rows = m_db.prepare(std::string("SELECT ") + kColumns + " FROM sandglass_audit ORDER BY seq");
    if (!rows)
        return std::move(rows.error());
    std::string before;
    std::int64_t count = 0;
    while (true) {
        const auto row = rows->step();
        if (!row)
            return row.error();
        if (!*row && count < *added)
            return Error{ Errc::Corrupt,
                          "the newest rows of the audit log are gone: it ends with row "
                              + std::to_string(count) + ", and " + std::to_string(*added) + " were written" };
        if (!*row)
            return count;
        const AuditEntry entry = entryOf(*rows);
        ++count;
        const std::string expected = chained(before, entry, std::string(rows->text(10)));
        if (entry.sequence != count || rows->text(11) != expected)
            return Error{ Errc::Corrupt,
                          "row " + std::to_string(entry.sequence)
                              + " of the audit log is not as it was written, or one before it is gone" };
        before = expected;
    }
}

Result<std::unique_ptr<AuditLog>> openAudit(const std::filesystem::path& database,
                                            const std::filesystem::path& folder, bool mayBeMade)
{
    std::error_code failed;
    if (!std::filesystem::exists(database, failed)) {
        if (!mayBeMade)
            return Error{
                Errc::NotFound,
                "nothing was audited in " + folder.string()
                    + " yet: rows come with sessions, datasets, artifacts, secrets and hosts that are asked"
            };
        std::filesystem::create_directories(database.parent_path(), failed);
        if (auto made = AuditLog::open(database, AuditLog::Access::Append); !made)
            return std::move(made.error());
    }
    return AuditLog::open(database, AuditLog::Access::Read);
}

} // namespace sg::audit
