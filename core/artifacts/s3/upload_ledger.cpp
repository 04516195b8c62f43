#include "core/artifacts/s3/upload_ledger.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/sqlite/each_row.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

constexpr std::int64_t kLedgerVersion = 2;

constexpr const char* kLedgerSchema = R"(
CREATE TABLE contents (
    bucket TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, state INTEGER NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (bucket, sha256)) WITHOUT ROWID;
CREATE INDEX contents_by_use ON contents(bucket, state, used);
CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE uploads (
    bucket TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, part_bytes INTEGER NOT NULL, PRIMARY KEY (bucket, key)) WITHOUT ROWID;
CREATE TABLE holders (
    bucket TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL, has_named INTEGER NOT NULL,
    told INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE parts (
    bucket TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (bucket, key, number)) WITHOUT ROWID;
)";

constexpr const char* kLedgerFromVersion1 = R"(
ALTER TABLE contents RENAME COLUMN is_there TO state;
ALTER TABLE holders ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
CREATE TABLE parts (
    bucket TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (bucket, key, number)) WITHOUT ROWID;
)";

std::int64_t secondsNow()
{
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return "host";
    std::string plain;
    for (const char each : std::string_view(name.data()).substr(0, 32))
        plain += (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9')
            ? each
            : '-';
    return plain;
}

// Differs for a copy of the file, and is the same where another machine or container opens it: host names and
// numbers of devices change there, and inodes and times of birth do not.
std::string identityOf(const std::filesystem::path& file)
{
    struct statx info { };
    if (::statx(AT_FDCWD, file.c_str(), 0, STATX_INO | STATX_BTIME, &info) != 0)
        return {};
    const bool hasBirth = (info.stx_mask & STATX_BTIME) != 0;
    return std::to_string(info.stx_ino) + ':'
        + (hasBirth ? std::to_string(info.stx_btime.tv_sec) + '.' + std::to_string(info.stx_btime.tv_nsec)
                    : std::string("0"));
}

constexpr int numberOf(UploadLedger::State state)
{
    switch (state) {
    case UploadLedger::State::Waiting: return 0;
    case UploadLedger::State::There: return 1;
    case UploadLedger::State::Stuck: return 2;
    case UploadLedger::State::Cached: return 3;
    case UploadLedger::State::Unknown: break;
    }
    return -1;
}

Result<void> createLedger(sqlite::Db& db)
{
    auto transaction = db.begin();
    if (!transaction)
        return std::move(transaction.error());
    const auto version = db.userVersion(); // again: another process may have been faster
    if (!version)
        return version.error();
    if (*version >= kLedgerVersion)
        return {};
    if (auto made = db.exec(*version == 0 ? kLedgerSchema : kLedgerFromVersion1); !made)
        return made;
    if (auto noted = db.setUserVersion(kLedgerVersion); !noted)
        return noted;
    return transaction->commit();
}

} // namespace

UploadLedger::UploadLedger(sqlite::Db db, std::string place)
    : m_place(std::move(place))
    , m_db(std::move(db))
{
}

Result<std::unique_ptr<UploadLedger>> UploadLedger::open(const std::filesystem::path& folder,
                                                         const std::string& place)
{
    const std::filesystem::path file = folder / "bucket.sqlite";
    auto db = sqlite::Db::open(file);
    if (!db)
        return std::move(db.error());
    auto version = db->userVersion();
    if (version && *version < kLedgerVersion) {
        if (auto made = createLedger(*db); !made)
            return std::move(made.error());
        version = db->userVersion();
    }
    if (!version)
        return std::move(version.error());
    if (*version != kLedgerVersion)
        return Error{ Errc::Unsupported, file.string() + ": use the newer Sandglass that wrote it" };
    std::unique_ptr<UploadLedger> ledger(new UploadLedger(std::move(*db), place));
    if (auto found = ledger->findHolder(file); !found)
        return std::move(found.error());
    const std::lock_guard lock(ledger->m_mutex);
    if (auto again = ledger->m_db.run("UPDATE contents SET state = 0 WHERE bucket = ? AND state = 2", place);
        !again)
        return std::move(again.error());
    return ledger;
}

Result<void> UploadLedger::findHolder(const std::filesystem::path& file)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    const std::string identity = identityOf(file);
    {
        auto row = m_db.cached("SELECT name, has_named FROM holders WHERE bucket = ?1 AND folder = ?2");
        if (!row)
            return std::move(row.error());
        const auto found = row->bind(1, m_place).bind(2, identity).step();
        if (!found)
            return found.error();
        if (*found) {
            m_holder = row->text(0);
            m_hasNamed = row->integer(1) != 0;
            return {};
        }
    }
    std::array<char, 6> chance{};
    fillRandomBytes(chance.data(), chance.size());
    m_holder = hostName() + '-' + toHex({ chance.data(), chance.size() });
    // An upload in parts that a copied folder has begun is its original's to end.
    for (const char* sql : { "DELETE FROM uploads WHERE bucket = ?", "DELETE FROM parts WHERE bucket = ?" })
        if (auto cleared = m_db.run(sql, m_place); !cleared)
            return cleared;
    if (auto noted =
            m_db.run("INSERT OR REPLACE INTO holders (bucket, name, folder, has_named) VALUES (?, ?, ?, 0)",
                     m_place, m_holder, identity);
        !noted)
        return noted;
    return transaction->commit();
}

Result<void> UploadLedger::promise(const std::vector<Promise>& promises)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    const std::int64_t now = secondsNow();
    for (const Promise& each : promises) {
        // A content that is there may have been collected since: it is offered again, which costs a question.
        if (auto added = m_db.run("INSERT INTO contents (bucket, sha256, size, state, used) "
                                  "VALUES (?, ?, ?, 0, ?) ON CONFLICT (bucket, sha256) DO UPDATE SET "
                                  "size = excluded.size, used = excluded.used, "
                                  "state = CASE WHEN state IN (1, 3, 4) THEN 4 ELSE 0 END",
                                  m_place, each.content.sha256, each.content.size, now);
            !added)
            return added;
        if (auto told = m_db.run("INSERT INTO lines (bucket, text) VALUES (?, ?)", m_place, each.line); !told)
            return told;
    }
    return transaction->commit();
}

bool UploadLedger::hasNamed()
{
    const std::lock_guard lock(m_mutex);
    return m_hasNamed;
}

Result<void> UploadLedger::tell(const std::vector<std::string>& texts)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    for (const std::string& text : texts)
        if (auto told = m_db.run("INSERT INTO lines (bucket, text) VALUES (?, ?)", m_place, text); !told)
            return told;
    if (auto noted = m_db.run("UPDATE holders SET has_named = 1 WHERE bucket = ?", m_place); !noted)
        return noted;
    if (auto committed = transaction->commit(); !committed)
        return committed;
    m_hasNamed = true;
    return {};
}

Result<std::vector<UploadLedger::Line>> UploadLedger::lines(std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT number, text FROM lines WHERE bucket = ?1 ORDER BY number LIMIT ?2");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, m_place).bind(2, limit);
    std::vector<Line> lines;
    const auto read = sqlite::eachRow(*statement, [&] {
        lines.push_back({ statement->integer(0), std::string(statement->text(1)) });
    });
    if (!read)
        return read.error();
    return lines;
}

Result<std::int64_t> UploadLedger::linesTold(std::int64_t upTo)
{
    {
        const std::lock_guard lock(m_mutex);
        auto transaction = m_db.begin();
        if (!transaction)
            return std::move(transaction.error());
        if (auto dropped = m_db.run("DELETE FROM lines WHERE bucket = ? AND number <= ?", m_place, upTo);
            !dropped)
            return std::move(dropped.error());
        if (auto counted = m_db.run("UPDATE holders SET told = told + 1 WHERE bucket = ?", m_place); !counted)
            return std::move(counted.error());
        if (auto committed = transaction->commit(); !committed)
            return std::move(committed.error());
    }
    return timesTold();
}

Result<std::int64_t> UploadLedger::timesTold()
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT told FROM holders WHERE bucket = ?1");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, m_place).step();
    if (!row)
        return row.error();
    return *row ? statement->integer(0) : 0;
}

Result<UploadLedger::Waiting> UploadLedger::waiting()
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT COUNT(*), COALESCE(SUM(size), 0), COALESCE(SUM(state = 2), 0) "
                                 "FROM contents WHERE bucket = ?1 AND state IN (0, 2, 4)");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, m_place).step();
    if (!row)
        return row.error();
    return Waiting{ statement->integer(0), static_cast<std::uint64_t>(statement->integer(1)),
                    statement->integer(2) };
}

Result<std::vector<LedgerContent>> UploadLedger::contents(const char* sql, std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached(sql);
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, m_place).bind(2, limit);
    std::vector<LedgerContent> found;
    const auto read = sqlite::eachRow(*statement, [&] {
        std::string sha256(statement->text(0));
        if (isSha256Hex(sha256)) // the file may have been changed; it becomes a path
            found.push_back({ std::move(sha256), static_cast<std::uint64_t>(statement->integer(1)),
                              statement->integer(2) != 0 });
    });
    if (!read)
        return read.error();
    return found;
}

Result<std::vector<LedgerContent>> UploadLedger::nextWaiting(std::int64_t limit)
{
    return contents("SELECT sha256, size, state = 4 FROM contents WHERE bucket = ?1 AND state IN (0, 4) "
                    "ORDER BY used LIMIT ?2",
                    limit);
}

Result<std::vector<LedgerContent>> UploadLedger::longestUnused(std::int64_t limit)
{
    return contents("SELECT sha256, size, 0 FROM contents WHERE bucket = ?1 AND state IN (1, 3) "
                    "ORDER BY used LIMIT ?2",
                    limit);
}

Result<UploadLedger::State> UploadLedger::stateOf(const std::string& sha256)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT state FROM contents WHERE bucket = ?1 AND sha256 = ?2");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, m_place).bind(2, sha256).step();
    if (!row)
        return row.error();
    if (!*row)
        return State::Unknown;
    if (statement->integer(0) == 4) // offered again
        return State::Waiting;
    for (const State state : { State::Waiting, State::There, State::Stuck, State::Cached })
        if (statement->integer(0) == numberOf(state))
            return state;
    return State::Unknown;
}

Result<void> UploadLedger::mark(const std::vector<LedgerContent>& contents, State state)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    const std::int64_t now = secondsNow();
    for (const LedgerContent& each : contents)
        if (auto noted = m_db.run("INSERT OR REPLACE INTO contents (bucket, sha256, size, state, used) "
                                  "VALUES (?, ?, ?, ?, ?)",
                                  m_place, each.sha256, each.size, numberOf(state), now);
            !noted)
            return noted;
    return transaction->commit();
}

Result<void> UploadLedger::touch(const std::string& sha256)
{
    constexpr std::int64_t kOftenEnough = 600;
    const std::lock_guard lock(m_mutex);
    const std::int64_t now = secondsNow();
    auto statement = m_db.cached("SELECT 1 FROM contents WHERE bucket = ?1 AND sha256 = ?2 AND used < ?3");
    if (!statement)
        return std::move(statement.error());
    const auto isOld = statement->bind(1, m_place).bind(2, sha256).bind(3, now - kOftenEnough).step();
    if (!isOld || !*isOld)
        return isOld ? Result<void>() : Result<void>(isOld.error());
    return m_db.run("UPDATE contents SET used = ? WHERE bucket = ? AND sha256 = ?", now, m_place, sha256);
}

Result<void> UploadLedger::drop(const std::string& sha256)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("DELETE FROM contents WHERE bucket = ? AND sha256 = ?", m_place, sha256);
}

Result<void> UploadLedger::dropUnwanted(const std::function<bool(const std::string&)>& isWanted)
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::string> unwanted;
    {
        auto statement = m_db.cached("SELECT sha256 FROM contents WHERE bucket = ?1 AND state IN (0, 2, 4)");
        if (!statement)
            return std::move(statement.error());
        statement->bind(1, m_place);
        const auto read = sqlite::eachRow(*statement, [&] {
            if (std::string sha256(statement->text(0)); !isWanted(sha256))
                unwanted.push_back(std::move(sha256));
        });
        if (!read || unwanted.empty())
            return read;
    }
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    for (const std::string& sha256 : unwanted)
        if (auto dropped =
                m_db.run("DELETE FROM contents WHERE bucket = ? AND sha256 = ? AND state IN (0, 2, 4)",
                         m_place, sha256);
            !dropped)
            return dropped;
    return transaction->commit();
}

Result<void> UploadLedger::dropAll()
{
    const std::lock_guard lock(m_mutex);
    for (const char* sql : { "DELETE FROM contents WHERE bucket = ?", "DELETE FROM lines WHERE bucket = ?",
                             "DELETE FROM holders WHERE bucket = ?" })
        if (auto dropped = m_db.run(sql, m_place); !dropped)
            return dropped;
    return {};
}

Result<std::uint64_t> UploadLedger::bytesThere()
{
    const std::lock_guard lock(m_mutex);
    auto statement =
        m_db.cached("SELECT COALESCE(SUM(size), 0) FROM contents WHERE bucket = ?1 AND state IN (1, 3)");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, m_place).step();
    if (!row)
        return row.error();
    return static_cast<std::uint64_t>(statement->integer(0));
}

Result<std::optional<OpenUpload>> UploadLedger::find(const std::string& key)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT id, part_bytes FROM uploads WHERE bucket = ?1 AND key = ?2");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, m_place).bind(2, key).step();
    if (!row)
        return row.error();
    constexpr std::int64_t kLargestPart = 512 << 20;
    if (!*row || statement->integer(1) <= 0 || statement->integer(1) > kLargestPart)
        return std::optional<OpenUpload>();
    OpenUpload upload{ std::string(statement->text(0)),
                       static_cast<std::uint64_t>(statement->integer(1)),
                       {} };
    auto parts = partsOf(key);
    if (!parts)
        return std::move(parts.error());
    upload.parts = std::move(*parts);
    return std::optional(std::move(upload));
}

Result<std::map<int, std::string>> UploadLedger::partsOf(const std::string& key) // with m_mutex held
{
    std::map<int, std::string> parts;
    auto statement = m_db.cached("SELECT number, sha256 FROM parts WHERE bucket = ?1 AND key = ?2");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, m_place).bind(2, key);
    const auto read = sqlite::eachRow(*statement, [&] {
        parts.emplace(static_cast<int>(statement->integer(0)), std::string(statement->text(1)));
    });
    if (!read)
        return read.error();
    return parts;
}

Result<void> UploadLedger::note(const std::string& key, const OpenUpload& upload)
{
    if (auto forgotten = forget(key); !forgotten)
        return forgotten;
    const std::lock_guard lock(m_mutex);
    return m_db.run("INSERT OR REPLACE INTO uploads (bucket, key, id, part_bytes) VALUES (?, ?, ?, ?)",
                    m_place, key, upload.id, upload.partBytes);
}

Result<void> UploadLedger::notePart(const std::string& key, int number, const std::string& sha256)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("INSERT OR REPLACE INTO parts (bucket, key, number, sha256) VALUES (?, ?, ?, ?)", m_place,
                    key, number, sha256);
}

Result<void> UploadLedger::forget(const std::string& key)
{
    const std::lock_guard lock(m_mutex);
    for (const char* sql : { "DELETE FROM parts WHERE bucket = ? AND key = ?",
                             "DELETE FROM uploads WHERE bucket = ? AND key = ?" })
        if (auto forgotten = m_db.run(sql, m_place, key); !forgotten)
            return forgotten;
    return {};
}

} // namespace sg::artifacts::s3
