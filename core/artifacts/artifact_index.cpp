#include "core/artifacts/artifact_index.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/sqlite/each_row.h"

#include <unistd.h>

#include <system_error>

namespace sg::artifacts {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kNoLimit = -1;

constexpr const char* kSchema = R"(
CREATE TABLE artifacts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    created_at TEXT NOT NULL,
    modified_ns INTEGER NOT NULL,
    thread_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    node TEXT NOT NULL,
    task_id TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    step INTEGER NOT NULL
);
CREATE INDEX artifacts_by_thread ON artifacts(thread_id);
CREATE INDEX artifacts_by_run ON artifacts(run_id);
CREATE INDEX artifacts_by_content ON artifacts(sha256);
)";

constexpr const char* kColumns =
    "id, path, name, sha256, size, mime, created_at, modified_ns, thread_id, run_id, "
    "session_id, node, task_id, checkpoint_id, step";

Result<bool> hasArtifactsTable(sqlite::Db& db)
{
    auto statement = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'artifacts'");
    if (!statement)
        return statement.error();
    return statement->step();
}

Result<void> createSchema(sqlite::Db& db)
{
    auto transaction = db.begin();
    if (!transaction)
        return transaction.error();
    auto version = db.userVersion(); // again: another process may have been faster
    if (!version)
        return version.error();
    if (*version != 0)
        return {};
    const auto foreign = hasArtifactsTable(db);
    if (!foreign)
        return foreign.error();
    if (*foreign)
        return Error{ Errc::InvalidArgument,
                      db.path().string()
                          + " holds the artifacts of another program; choose another file for Sandglass's" };
    if (auto made = db.exec(kSchema); !made)
        return made;
    if (auto noted = db.setUserVersion(kVersion); !noted)
        return noted;
    return transaction->commit();
}

// Anybody may have changed the file, so values that become a path are checked.
Result<Artifact> artifactOf(const sqlite::Statement& row, const std::filesystem::path& database)
{
    Artifact artifact;
    artifact.id = ArtifactId(std::string(row.text(0)));
    artifact.path = row.text(1);
    artifact.name = row.text(2);
    artifact.sha256 = row.text(3);
    artifact.size = static_cast<std::uint64_t>(row.integer(4));
    artifact.mime = row.text(5);
    artifact.createdAt = row.text(6);
    artifact.modifiedNs = row.integer(7);
    artifact.origin = { ThreadId(std::string(row.text(8))),
                        RunId(std::string(row.text(9))),
                        SessionId(std::string(row.text(10))),
                        NodeId(std::string(row.text(11))),
                        TaskId(std::string(row.text(12))),
                        CheckpointId(std::string(row.text(13))),
                        row.integer(14) };
    if (!isSha256Hex(artifact.sha256))
        return Error{ Errc::Corrupt,
                      database.string() + ": artifact " + artifact.id.value + " has no valid SHA-256" };
    return artifact;
}

// All texts are constant, so that each is compiled once.
std::string selectText(const ArtifactFilter& filter)
{
    std::string sql = std::string("SELECT ") + kColumns + " FROM artifacts";
    std::string glue = " WHERE ";
    const auto add = [&](bool wanted, const char* condition) {
        if (!wanted)
            return;
        sql += glue + condition;
        glue = " AND ";
    };
    add(filter.thread.has_value(), "thread_id = ?1");
    add(filter.run.has_value(), "run_id = ?2");
    add(filter.name.has_value(), "name = ?3");
    add(filter.session.has_value(), "session_id = ?5");
    return sql + " ORDER BY seq DESC LIMIT ?4";
}

} // namespace

Result<std::unique_ptr<ArtifactIndex>> ArtifactIndex::open(const std::filesystem::path& database)
{
    std::error_code error;
    if (database.has_parent_path())
        std::filesystem::create_directories(database.parent_path(), error);
    if (error)
        return errnoError(error.value(), "create the folder " + database.parent_path().string());
    // If the folder is not writable, an existing index can still be read.
    sqlite::DbOptions options;
    if (std::filesystem::exists(database, error) && ::access(database.parent_path().c_str(), W_OK) != 0)
        options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(database, options);
    if (!db)
        return db.error();
    auto version = db->userVersion();
    if (version && *version == 0) {
        if (auto made = createSchema(*db); !made)
            return made.error();
        version = db->userVersion();
    }
    if (!version)
        return version.error();
    if (*version != kVersion)
        return Error{ Errc::Unsupported,
                      database.string() + " has format " + std::to_string(*version)
                          + ", this Sandglass knows " + std::to_string(kVersion)
                          + ": use the newer Sandglass that wrote it" };
    return std::unique_ptr<ArtifactIndex>(new ArtifactIndex(std::move(*db)));
}

Result<void> ArtifactIndex::insert(const std::vector<Artifact>& artifacts)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    for (const Artifact& a : artifacts) {
        auto added = m_db.run(
            "INSERT INTO artifacts (id, path, name, sha256, size, mime, created_at, modified_ns, thread_id, "
            "run_id, session_id, node, task_id, checkpoint_id, step) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            a.id.value, a.path, a.name, a.sha256, a.size, a.mime, a.createdAt, a.modifiedNs,
            a.origin.thread.value, a.origin.run.value, a.origin.session.value, a.origin.node.value,
            a.origin.task.value, a.origin.checkpoint.value, a.origin.step);
        if (!added)
            return added;
    }
    return transaction->commit();
}

Result<std::vector<Artifact>> ArtifactIndex::list(const ArtifactFilter& filter)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached(selectText(filter));
    if (!statement)
        return statement.error();
    if (filter.thread)
        statement->bind(1, filter.thread->value);
    if (filter.run)
        statement->bind(2, filter.run->value);
    if (filter.name)
        statement->bind(3, *filter.name);
    statement->bind(4, filter.limit.value_or(kNoLimit));
    if (filter.session)
        statement->bind(5, filter.session->value);
    std::vector<Artifact> artifacts;
    const auto read = sqlite::eachRow(*statement, [&]() -> Result<void> {
        auto artifact = artifactOf(*statement, m_db.path());
        if (!artifact)
            return artifact.error();
        artifacts.push_back(std::move(*artifact));
        return {};
    });
    if (!read)
        return read.error();
    return artifacts;
}

Result<Artifact> ArtifactIndex::find(const ArtifactId& id)
{
    const std::lock_guard lock(m_mutex);
    auto statement =
        m_db.cached("SELECT id, path, name, sha256, size, mime, created_at, modified_ns, thread_id, run_id, "
                    "session_id, node, task_id, checkpoint_id, step FROM artifacts WHERE id = ?1");
    if (!statement)
        return statement.error();
    const auto row = statement->bind(1, id.value).step();
    if (!row)
        return row.error();
    if (!*row)
        return Error{ Errc::NotFound,
                      "there is no artifact " + id.value + " in " + m_db.path().string()
                          + "; \"sandglass artifacts list\" shows those that are" };
    return artifactOf(*statement, m_db.path());
}

Result<void> ArtifactIndex::remove(const std::vector<ArtifactId>& ids)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    for (const ArtifactId& id : ids) {
        if (auto removed = m_db.run("DELETE FROM artifacts WHERE id = ?", id.value); !removed)
            return removed;
        if (m_db.changedRows() == 0)
            return Error{ Errc::NotFound,
                          "there is no artifact " + id.value + " in " + m_db.path().string()
                              + "; \"sandglass artifacts list\" shows those that are. Nothing was deleted." };
    }
    return transaction->commit();
}

Result<bool> ArtifactIndex::names(const std::string& sha256)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT 1 FROM artifacts WHERE sha256 = ?1 LIMIT 1");
    if (!statement)
        return std::move(statement.error());
    return statement->bind(1, sha256).step();
}

} // namespace sg::artifacts
