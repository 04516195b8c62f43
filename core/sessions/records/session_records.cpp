#include "core/sessions/records/session_records.h"

#include "core/base/errno_error.h"
#include "core/base/json.h"
#include "core/base/stored_time.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/records/session_records_schema.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

namespace sg::sessions {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kMostEnded = 1000;

std::int64_t msOf(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

WallTime timeOf(std::int64_t ms)
{
    return storedTime(std::chrono::milliseconds(ms));
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

std::string joinedLines(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

std::optional<std::int64_t> numberOf(std::optional<bool> known)
{
    return known ? std::optional<std::int64_t>(*known ? 1 : 0) : std::nullopt;
}

SessionRecord recordOf(const sqlite::Statement& row)
{
    const auto text = [&](int column) { return std::string(row.text(column)); };
    SessionRecord record;
    SessionInfo& info = record.info;
    info.id = SessionId(text(0));
    info.thread = ThreadId(text(1));
    info.part = SessionPart::parse(text(2));
    info.backend = text(3);
    info.isolation = text(4);
    info.sandboxName = text(5);
    info.state = SessionState::parse(text(6));
    info.storage = text(7);
    info.datasets = text(8);
    record.image = text(9);
    info.limitsEnforced = row.integer(10) != 0;
    info.limits = { row.integer(11), row.integer(12), row.integer(13), row.real(14), row.integer(15) };
    record.keep = row.integer(16) != 0;
    record.owner = text(17);
    record.lifetime = { storedSpan(std::chrono::milliseconds(row.integer(18))),
                        storedSpan(std::chrono::milliseconds(row.integer(19))) };
    record.startedAt = timeOf(row.integer(20));
    record.lastUsed = timeOf(row.integer(21));
    if (!row.isNull(22))
        record.extendedUntil = timeOf(row.integer(22));
    record.cells = row.integer(23);
    info.layer = text(24);
    info.packages = linesOf(text(25));
    if (!row.isNull(26))
        record.network = row.integer(26) != 0;
    if (!row.isNull(27))
        record.secrets = linesOf(text(27));
    if (!row.isNull(28))
        record.endedAt = timeOf(row.integer(28));
    if (!row.isNull(29)) {
        record.askedLimits = info.limits;
        record.askedLimits->memoryBytes = row.integer(29);
        record.askedLimits->pids = row.integer(30);
        record.askedLimits->cpus = row.real(31);
    }
    if (!row.isNull(32))
        record.datasetFolder = text(32);
    if (!row.isNull(33))
        record.modules = text(33);
    info.createdAt = isoTime(record.startedAt);
    return record;
}

sandbox::ResourceSample sampleOf(const sqlite::Statement& row)
{
    sandbox::ResourceSample sample;
    sample.time = timeOf(row.integer(0));
    sample.cpuSeconds = row.real(1);
    sample.cpuPercent = row.real(2);
    sample.memoryBytes = row.integer(3);
    sample.memoryLimit = row.integer(4);
    sample.pids = row.integer(5);
    sample.pidsLimit = row.integer(6);
    sample.oomKills = row.integer(7);
    sample.throttled = storedSpan(std::chrono::milliseconds(row.integer(8)));
    sample.diskBytes = row.integer(9);
    sample.diskLimit = row.integer(10);
    return sample;
}

// Collects every row of a statement by `make`.
template<typename Row, typename Make>
Result<std::vector<Row>> rowsOf(sqlite::Statement& statement, Make make)
{
    std::vector<Row> rows;
    const auto read = sqlite::eachRow(statement, [&] { rows.push_back(make(statement)); });
    if (!read)
        return read.error();
    return rows;
}

Error newerFormat(const std::filesystem::path& file, std::int64_t version)
{
    return { Errc::Unsupported,
             file.string() + " has format " + std::to_string(version) + ", this Sandglass knows "
                 + std::to_string(kSessionRecordsVersion) + ": use the newer Sandglass that wrote it" };
}

} // namespace

std::string durationText(std::chrono::milliseconds duration)
{
    const auto seconds = static_cast<double>(duration.count()) / 1000;
    std::array<char, 64> text{};
    if (seconds < 120)
        std::snprintf(text.data(), text.size(), "%g s", seconds);
    else if (seconds < 7200)
        std::snprintf(text.data(), text.size(), "%.3g min", seconds / 60);
    else
        std::snprintf(text.data(), text.size(), "%.3g h", seconds / 3600);
    return text.data();
}

std::optional<SessionRecord::Expiry> SessionRecord::expiry() const
{
    std::optional<Expiry> first;
    if (lifetime.idle.count() > 0)
        first = Expiry{ lastUsed + lifetime.idle, "it was idle for " + durationText(lifetime.idle) };
    if (lifetime.age.count() > 0 && (!first || startedAt + lifetime.age < first->at))
        first =
            Expiry{ startedAt + lifetime.age, "it reached its age limit of " + durationText(lifetime.age) };
    if (first && extendedUntil && *extendedUntil > first->at)
        first = Expiry{ *extendedUntil, "the time that it was extended by is over" };
    return first;
}

Result<std::unique_ptr<SessionRecords>> SessionRecords::open(const std::filesystem::path& file)
{
    std::error_code error;
    if (file.has_parent_path())
        std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        return errnoError(error.value(), "create the folder " + file.parent_path().string());
    auto db = sqlite::Db::open(file);
    if (!db)
        return std::move(db.error());
    {
        auto transaction = db->begin(); // another program may be creating it too
        if (!transaction)
            return std::move(transaction.error());
        const auto version = db->userVersion();
        if (!version)
            return version.error();
        if (*version > kSessionRecordsVersion)
            return newerFormat(file, *version);
        if (*version < kSessionRecordsVersion) {
            if (auto made = db->exec(sessionRecordsChangesFrom(*version)); !made)
                return std::move(made.error());
            if (auto noted = db->setUserVersion(kSessionRecordsVersion); !noted)
                return std::move(noted.error());
            if (auto done = transaction->commit(); !done)
                return std::move(done.error());
        }
    }
    return std::unique_ptr<SessionRecords>(new SessionRecords(std::move(*db), kSessionRecordsVersion));
}

Result<std::unique_ptr<SessionRecords>> SessionRecords::openToRead(const std::filesystem::path& file)
{
    auto db = sqlite::Db::open(file, { sqlite::OpenMode::ReadOnly });
    if (!db)
        return std::move(db.error());
    const auto version = db->userVersion();
    if (!version)
        return version.error();
    if (*version > kSessionRecordsVersion)
        return newerFormat(file, *version);
    if (*version == 0)
        return Error{ Errc::NotFound, file.string() + " holds no sessions yet" };
    return std::unique_ptr<SessionRecords>(new SessionRecords(std::move(*db), *version));
}

SessionRecords::SessionRecords(sqlite::Db db, std::int64_t version)
    : m_columns(sessionRecordsColumns(version))
    , m_db(std::move(db))
{
}

Result<void> SessionRecords::started(const SessionRecord& r)
{
    const std::lock_guard lock(m_mutex);
    const SessionInfo& i = r.info;
    const std::optional<sandbox::Limits>& asked = r.askedLimits;
    return m_db.run(
        "INSERT INTO sessions (id, thread_id, part, backend, isolation, sandbox, state, storage, datasets, "
        "image, "
        "limits_enforced, memory_bytes, tmpfs_bytes, pids, cpus, open_files, keep, owner, idle_ms, age_ms, "
        "started_ms, "
        "used_ms, layer, packages, network, secrets, asked_memory, asked_pids, asked_cpus, dataset_folder, "
        "modules, cells) VALUES (?, ?, ?, ?, ?, ?, 'live', ?, ?, ?, ?, ?, "
        "?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) "
        "ON CONFLICT(id) DO UPDATE SET backend = excluded.backend, sandbox = excluded.sandbox, state = "
        "'live', "
        "storage = excluded.storage, datasets = excluded.datasets, image = excluded.image, "
        "layer = excluded.layer, packages = excluded.packages, network = excluded.network, "
        "secrets = excluded.secrets, isolation = excluded.isolation, "
        "limits_enforced = excluded.limits_enforced, tmpfs_bytes = excluded.tmpfs_bytes, "
        "open_files = excluded.open_files, asked_memory = excluded.asked_memory, "
        "asked_pids = excluded.asked_pids, asked_cpus = excluded.asked_cpus, "
        "dataset_folder = excluded.dataset_folder, modules = excluded.modules, "
        "memory_bytes = excluded.memory_bytes, pids = excluded.pids, cpus = excluded.cpus, keep = "
        "excluded.keep, "
        "owner = excluded.owner, idle_ms = excluded.idle_ms, age_ms = excluded.age_ms, used_ms = "
        "excluded.used_ms, "
        // A session that had ended begins anew; one that outlived its program continues.
        "started_ms = iif(ended_ms IS NULL, started_ms, excluded.started_ms), "
        "extended_ms = iif(ended_ms IS NULL, extended_ms, NULL), ended_ms = NULL",
        i.id.value, i.thread.value, i.part.text(), i.backend, i.isolation, i.sandboxName, i.storage.text(),
        i.datasets.text(), r.image, i.limitsEnforced ? 1 : 0, i.limits.memoryBytes, i.limits.tmpfsBytes,
        i.limits.pids, i.limits.cpus, i.limits.openFiles, r.keep ? 1 : 0, r.owner, r.lifetime.idle.count(),
        r.lifetime.age.count(), msOf(r.startedAt), msOf(r.lastUsed), i.layer, joinedLines(i.packages),
        numberOf(r.network), r.secrets ? std::optional(joinedLines(*r.secrets)) : std::nullopt,
        asked ? std::optional(asked->memoryBytes) : std::nullopt,
        asked ? std::optional<std::int64_t>(asked->pids) : std::nullopt,
        asked ? std::optional(asked->cpus) : std::nullopt, r.datasetFolder, r.modules);
}

Result<void> SessionRecords::used(const SessionId& id, WallTime time, std::int64_t moreCells)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("UPDATE sessions SET used_ms = max(used_ms, ?), cells = cells + ? WHERE id = ?",
                    msOf(time), moreCells, id.value);
}

Result<void> SessionRecords::setState(const SessionId& id, const SessionState& state)
{
    const std::lock_guard lock(m_mutex);
    const bool ended = state.hasEnded();
    if (!ended && !state.is(SessionState::Kind::Released))
        return m_db.run("UPDATE sessions SET state = ? WHERE id = ?", state.text(), id.value);
    return m_db.run("UPDATE sessions SET state = ?, owner = '', ended_ms = iif(?, ?, ended_ms) WHERE id = ?",
                    state.text(), ended ? 1 : 0, msOf(std::chrono::system_clock::now()), id.value);
}

Result<bool> SessionRecords::claim(const SessionId& id, const std::string& from, const std::string& to)
{
    const std::lock_guard lock(m_mutex);
    if (auto done = m_db.run("UPDATE sessions SET owner = ? WHERE id = ? AND owner = ?", to, id.value, from);
        !done)
        return std::move(done.error());
    return m_db.changedRows() > 0;
}

Result<void> SessionRecords::setLimits(const SessionId& id, const sandbox::Limits& limits)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("UPDATE sessions SET memory_bytes = ?, pids = ?, cpus = ? WHERE id = ?",
                    limits.memoryBytes, limits.pids, limits.cpus, id.value);
}

Result<void> SessionRecords::extend(const SessionId& id, WallTime until)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("UPDATE sessions SET extended_ms = max(ifnull(extended_ms, 0), ?) WHERE id = ?",
                    msOf(until), id.value);
}

Result<void> SessionRecords::setMark(const SessionId& id, const StandMark& mark)
{
    const std::string text = toJson(Value::map({ { "incarnation", mark.incarnation },
                                                 { "at", mark.at.value },
                                                 { "changed", mark.isChanged },
                                                 { "edited", mark.isEdited },
                                                 { "pristine", mark.isPristine } }));
    const std::lock_guard lock(m_mutex);
    return m_db.run("UPDATE sessions SET stands = ? WHERE id = ?", text, id.value);
}

Result<std::optional<StandMark>> SessionRecords::mark(const SessionId& id)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached("SELECT stands FROM sessions WHERE id = ?1 AND stands IS NOT NULL");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, id.value).step();
    if (!row)
        return row.error();
    const auto told = *row ? parseJson(statement->text(0)) : Result<Value>(Value());
    if (!told || !told->isMap())
        return std::optional<StandMark>();
    return std::optional(StandMark{ told->stringOr("incarnation", ""), SnapshotId(told->stringOr("at", "")),
                                    told->boolOr("changed", true), told->boolOr("edited", false),
                                    told->boolOr("pristine", false) });
}

Result<void> SessionRecords::note(const SessionId& id, const SessionNote& note)
{
    const std::lock_guard lock(m_mutex);
    return m_db.run("INSERT INTO notes (session_id, time_ms, event, text) VALUES (?, ?, ?, ?)", id.value,
                    msOf(note.time), note.event.text(), note.text);
}

Result<void> SessionRecords::addSamples(const std::vector<StoredSample>& samples)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    std::vector<std::string> sessions;
    for (const auto& [session, s] : samples) {
        if (auto added = m_db.run(
                "INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", session.value,
                msOf(s.time), s.cpuSeconds, s.cpuPercent, s.memoryBytes, s.memoryLimit, s.pids, s.pidsLimit,
                s.oomKills, s.throttled.count(), s.diskBytes, s.diskLimit);
            !added)
            return added;
        if (std::ranges::find(sessions, session.value) == sessions.end())
            sessions.push_back(session.value);
    }
    for (const std::string& session : sessions)
        if (auto cut = m_db.run("DELETE FROM samples WHERE session_id = ? AND time_ms < ?", session,
                                msOf(samples.back().sample.time) - kDayMs);
            !cut)
            return cut;
    return transaction->commit();
}

Result<std::optional<SessionRecord>> SessionRecords::find(const SessionId& id)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached(m_columns + "WHERE id = ?1");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, id.value).step();
    if (!row)
        return row.error();
    return *row ? std::optional(recordOf(*statement)) : std::nullopt;
}

Result<std::optional<SessionRecord>> SessionRecords::newestOf(const ThreadId& thread, const SessionPart& part)
{
    const std::lock_guard lock(m_mutex);
    auto statement =
        m_db.cached(m_columns + "WHERE thread_id = ?1 AND part = ?2 ORDER BY started_ms DESC LIMIT 1");
    if (!statement)
        return std::move(statement.error());
    const auto row = statement->bind(1, thread.value).bind(2, part.text()).step();
    if (!row)
        return row.error();
    return *row ? std::optional(recordOf(*statement)) : std::nullopt;
}

Result<std::vector<SessionRecord>> SessionRecords::list(bool alsoEnded, std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    auto statement =
        m_db.cached(m_columns + "WHERE ended_ms IS NULL OR ?1 ORDER BY started_ms DESC LIMIT ?2");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, alsoEnded ? 1 : 0).bind(2, limit);
    return rowsOf<SessionRecord>(*statement, recordOf);
}

Result<std::vector<SessionNote>> SessionRecords::notes(const SessionId& id, std::int64_t limit)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached(
        "SELECT time_ms, event, text FROM notes WHERE session_id = ?1 ORDER BY rowid DESC LIMIT ?2");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, id.value).bind(2, limit);
    return rowsOf<SessionNote>(*statement, [](const sqlite::Statement& row) {
        return SessionNote{ timeOf(row.integer(0)), std::string(row.text(1)), std::string(row.text(2)) };
    });
}

Result<std::vector<sandbox::ResourceSample>> SessionRecords::samples(const SessionId& id, std::size_t most)
{
    const std::lock_guard lock(m_mutex);
    auto statement = m_db.cached(
        "SELECT time_ms, cpu_seconds, cpu_percent, memory_bytes, memory_limit, pids, pids_limit, oom_kills, "
        "throttled_ms, disk_bytes, disk_limit FROM samples WHERE session_id = ?1 ORDER BY time_ms");
    if (!statement)
        return std::move(statement.error());
    statement->bind(1, id.value);
    auto all = rowsOf<sandbox::ResourceSample>(*statement, sampleOf);
    if (!all || all->size() <= most || most == 0)
        return all;
    std::vector<sandbox::ResourceSample> some;
    for (std::size_t i = 1; i <= most; ++i)
        some.push_back((*all)[i * all->size() / most - 1]);
    return some;
}

Result<int> SessionRecords::closeAbandoned()
{
    const auto open = list(false);
    if (!open)
        return open.error();
    int closed = 0;
    for (const SessionRecord& record : *open) {
        const auto owner = sandbox::parseOwnerMark(record.owner);
        if (!sandbox::diesWithProgram(record.info.backend) || !owner || !sandbox::isGone(*owner))
            continue;
        const std::string why = std::string(SessionState::kProgramIsGone) + std::to_string(owner->pid)
            + ") is gone, and a " + record.info.backend + " session ends with the program that started it";
        if (auto ended = setState(record.info.id, SessionState::ended(why)); !ended)
            return std::move(ended.error());
        if (auto noted =
                note(record.info.id, { std::chrono::system_clock::now(), SessionEventKind::Ended, why });
            !noted)
            return std::move(noted.error());
        ++closed;
    }
    return closed;
}

Result<int> SessionRecords::forgetEnded(WallTime before)
{
    const std::lock_guard lock(m_mutex);
    auto transaction = m_db.begin();
    if (!transaction)
        return std::move(transaction.error());
    if (auto gone = m_db.run(
            "DELETE FROM sessions WHERE ended_ms < ?1 OR (ended_ms IS NOT NULL AND id NOT IN (SELECT id "
            "FROM sessions WHERE ended_ms IS NOT NULL ORDER BY ended_ms DESC LIMIT ?2))",
            msOf(before), kMostEnded);
        !gone)
        return std::move(gone.error());
    const auto count = static_cast<int>(m_db.changedRows());
    for (const char* sql : { "DELETE FROM notes WHERE session_id NOT IN (SELECT id FROM sessions)",
                             "DELETE FROM samples WHERE session_id NOT IN (SELECT id FROM sessions)" })
        if (auto cut = m_db.run(sql); !cut)
            return std::move(cut.error());
    if (auto done = transaction->commit(); !done)
        return std::move(done.error());
    return count;
}

} // namespace sg::sessions
