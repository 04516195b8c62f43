#include "core/datasets/dataset_desk.h"

#include "core/base/json.h"
#include "core/datasets/dataset_format.h"
#include "core/sessions/runner/session_files.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::datasets {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{ 50 };
constexpr std::chrono::seconds kSayEvery{ 2 };
constexpr std::size_t kMostSessions = 1000;
constexpr const char* kMounted = "/data/"; // the mount of LOCAL_RO sessions
constexpr const char* kMountedBeside = "/heavy_data/"; // the mount of HYBRID sessions

std::string sizeText(std::int64_t bytes)
{
    return bytes < (1 << 20) ? std::to_string((bytes + 1023) / 1024) + " KiB"
                             : std::to_string(bytes >> 20) + " MiB";
}

Value valueOf(const StagedDataset& dataset)
{
    return Value::map({ { "id", dataset.id },
                        { "path", dataset.path },
                        { "provider", dataset.provider },
                        { "format", dataset.format },
                        { "bytes", dataset.bytes } });
}

Value valueOf(const DatasetStatus& entry)
{
    Value value = valueOf(entry.dataset);
    value.editMap().set("status", nameOf(entry.state));
    if (!entry.error.empty())
        value.editMap().set("error", entry.error);
    return value;
}

} // namespace

audit::AuditEntry secretRow(const DatasetSource& source)
{
    const bool isProgram = source.kind == DatasetSource::Kind::Command;
    audit::AuditEntry row;
    row.kind = audit::Kind::Secret;
    row.subject = source.secret;
    row.outcome = audit::Outcome::Given;
    row.details = Value::map({ { "as", isProgram ? "environment of a program" : "header" },
                               { "to", isProgram ? source.command.front() : source.url },
                               { "provider", source.name } });
    return row;
}

DatasetDesk::DatasetDesk(DatasetFolders folders, std::function<std::filesystem::path()> localFolder,
                         artifacts::ArtifactStore& artifacts, const Clock& clock, Audit audit)
    : m_providers(std::move(folders))
    , m_localFolder(std::move(localFolder))
    , m_artifacts(artifacts)
    , m_clock(clock)
    , m_audit(std::move(audit))
{
}

Result<Value> DatasetDesk::answer(sessions::Session& session, const sessions::ToolCall& call)
{
    const std::string op = call.request.stringOr("op", {});
    if (op == "select") {
        const auto staged = select(session, call.request.stringOr("id", {}), call.goesOn, call.say);
        return staged ? Result<Value>(valueOf(*staged)) : staged.error();
    }
    if (op == "list") {
        const auto entries = list(session);
        if (!entries)
            return entries.error();
        ValueList values;
        for (const DatasetStatus& entry : *entries)
            values.push_back(valueOf(entry));
        return Value(std::move(values));
    }
    if (op == "export") {
        const auto exported =
            exportFile(session, call.request.stringOr("path", {}), call.origin, call.goesOn);
        if (!exported)
            return std::move(Error(exported.error())).during("export");
        return Value::map({ { "path", exported->copy.string() },
                            { "artifact", exported->artifact.id.value },
                            { "name", exported->artifact.name },
                            { "bytes", static_cast<std::int64_t>(exported->artifact.size) } });
    }
    return Error{ Errc::InvalidArgument, "a request for datasets selects, lists or exports" };
}

Result<StagedDataset> DatasetDesk::inLocalFolder(const sessions::SessionInfo& info,
                                                 const std::string& id) const
{
    const auto file = findInFolder(m_localFolder(), id);
    if (!file)
        return Error{ Errc::NotFound, "the datasets folder has no file of this name" };
    const std::string mount = info.datasets == sessions::DatasetAccess::LocalRo ? kMounted : kMountedBeside;
    return StagedDataset{ id, mount + file->name, "local", formatOfName(file->name), file->size };
}

Result<StagedDataset> DatasetDesk::select(sessions::Session& session, const std::string& id,
                                          const GoesOn& goesOn, const Say& say)
{
    const auto checked = checkedId(id);
    if (!checked)
        return checked.error();
    const sessions::SessionInfo info = session.info();
    const std::string failed = "the dataset '" + *checked + "' could not be loaded";
    if (info.datasets == sessions::DatasetAccess::None)
        return Error{ Errc::InvalidArgument,
                      failed + ": the session's mode has no datasets (\"datasets\" in the graph's sandbox)" };
    if (info.datasets != sessions::DatasetAccess::Api) {
        auto local = inLocalFolder(info, *checked);
        if (local || info.datasets == sessions::DatasetAccess::LocalRo)
            return local ? local : Result<StagedDataset>(std::move(local.error()).during(failed));
    }
    auto staged = fetchOnce(session, *checked, goesOn, say);
    if (!staged)
        return std::move(staged.error()).during(failed);
    return staged;
}

Result<StagedDataset> DatasetDesk::fetchOnce(sessions::Session& session, const std::string& id,
                                             const GoesOn& goesOn, const Say& say)
{
    const SessionId key = session.info().id;
    {
        std::unique_lock lock(m_mutex);
        if (m_sessions.size() > kMostSessions && !m_sessions.contains(key))
            forgetIdle(); // staged datasets are found again by looking
        while (m_sessions[key][id].isFetching) {
            if (!goesOn())
                return Error{ Errc::Cancelled, "it was stopped" };
            m_changed.wait_for(lock, kLook);
        }
        Entry& entry = m_sessions[key][id];
        entry.isFetching = true;
        if (entry.status.state != DatasetStatus::State::Loaded)
            entry.status = { { .id = id, .bytes = -1 }, DatasetStatus::State::Pending, {} };
    }
    const auto staged = stage(session, id, goesOn, say);
    {
        const std::lock_guard lock(m_mutex);
        Entry& entry = m_sessions[key][id];
        entry.isFetching = false;
        if (staged)
            entry.status = { *staged, DatasetStatus::State::Loaded, {} };
        else
            entry.status = { { .id = id, .bytes = -1 },
                             DatasetStatus::State::Failed,
                             staged.error().message };
    }
    m_changed.notify_all();
    note(session);
    return staged;
}

// The caller holds the mutex.
void DatasetDesk::forgetIdle()
{
    std::erase_if(m_sessions, [](const auto& session) {
        return std::ranges::none_of(session.second, [](const auto& each) { return each.second.isFetching; });
    });
}

Result<StagedDataset> DatasetDesk::stage(sessions::Session& session, const std::string& id,
                                         const GoesOn& goesOn, const Say& say)
{
    const auto link = session.link();
    if (!link)
        return Error{ Errc::Unavailable, "the session has no sandbox now" };
    DatasetStatus before;
    {
        const std::lock_guard lock(m_mutex);
        before = m_sessions[session.info().id][id].status;
    }
    if (before.state == DatasetStatus::State::Loaded) {
        const auto name = RelativePath::parse(std::filesystem::path(before.dataset.path).filename().string());
        const auto there = name ? lookAtSessionFile(*link, sessions::FileRoot::Data, *name)
                                : Result<sessions::SessionFile>(name.error());
        if (there && there->size == before.dataset.bytes)
            return before.dataset;
    }
    std::unique_ptr<sessions::SessionFileWriter> writer;
    std::optional<Error> badName;
    std::int64_t sent = 0;
    auto saidAt = steady_clock::now();
    const auto begin = [&](const std::string& fileName) {
        const auto path = RelativePath::parse(fileName);
        if (!path)
            badName = path.error();
        else
            writer = writeSessionFile(*link, sessions::FileRoot::Data, *path);
    };
    const auto take = [&](std::string_view bytes) -> Result<void> {
        if (badName)
            return *badName;
        if (auto written = writer->write(bytes); !written)
            return written;
        sent += static_cast<std::int64_t>(bytes.size());
        if (say && steady_clock::now() - saidAt > kSayEvery) {
            saidAt = steady_clock::now();
            say("dataset " + id + ": " + sizeText(sent) + " so far");
        }
        return {};
    };
    const auto usesSecret = [&](const DatasetSource& source) {
        if (!m_audit)
            return;
        audit::AuditEntry row = secretRow(source);
        row.thread = session.info().thread;
        row.session = session.info().id;
        m_audit(std::move(row));
    };
    const auto fetched = m_providers.fetch(id, begin, { take, goesOn, usesSecret });
    if (!fetched)
        return fetched.error();
    const auto path = writer->finish();
    if (!path)
        return path.error();
    if (say)
        say("dataset " + id + ": " + sizeText(fetched->bytes) + " from " + fetched->provider + " at "
            + *path);
    return StagedDataset{ id, *path, fetched->provider, fetched->format, fetched->bytes };
}

// Writes LangGraph-Sandbox's cache_datasets.json into the session's folder, for people alone.
void DatasetDesk::note(sessions::Session& session)
{
    if (session.info().storage != sessions::SessionStorage::Bind)
        return;
    ValueList entries;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [id, entry] : m_sessions[session.info().id]) {
            std::string status(nameOf(entry.status.state));
            std::ranges::transform(status, status.begin(),
                                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
            entries.push_back(
                Value::map({ { "id", id }, { "status", status }, { "timestamp", isoTime(m_clock.now()) } }));
        }
    }
    const auto link = session.link();
    const auto path = RelativePath::parse("cache_datasets.json");
    if (!link || !path)
        return;
    const auto writer = writeSessionFile(*link, sessions::FileRoot::Session, *path);
    // The session's code may prevent this; the datasets are there all the same.
    if (writer->write(toJson(Value::map({ { "datasets", std::move(entries) } }), JsonStyle::Indented)))
        static_cast<void>(writer->finish());
}

Result<std::vector<DatasetStatus>> DatasetDesk::list(sessions::Session& session)
{
    const sessions::SessionInfo info = session.info();
    std::vector<DatasetStatus> entries;
    if (info.datasets == sessions::DatasetAccess::LocalRo
        || info.datasets == sessions::DatasetAccess::Hybrid) {
        const std::string mount =
            info.datasets == sessions::DatasetAccess::LocalRo ? kMounted : kMountedBeside;
        for (const FoundFile& file : datasetsInFolder(m_localFolder()))
            entries.push_back({ { file.name, mount + file.name, "local", formatOfName(file.name), file.size },
                                DatasetStatus::State::Loaded,
                                {} });
    }
    if (info.datasets == sessions::DatasetAccess::Api || info.datasets == sessions::DatasetAccess::Hybrid) {
        const auto offered = m_providers.offered();
        if (!offered)
            return offered.error();
        for (const OfferedDataset& offer : *offered)
            if (std::ranges::find(entries, offer.id, [](const DatasetStatus& e) { return e.dataset.id; })
                == entries.end())
                entries.push_back({ { offer.id, {}, offer.provider, offer.format, offer.bytes },
                                    DatasetStatus::State::Available,
                                    {} });
    }
    const std::lock_guard lock(m_mutex);
    for (const auto& [id, entry] : m_sessions[info.id]) {
        const auto same = std::ranges::find(entries, id, [](const DatasetStatus& e) { return e.dataset.id; });
        if (same != entries.end())
            *same = entry.status;
        else
            entries.push_back(entry.status);
    }
    return entries;
}

Result<ExportedFile> DatasetDesk::exportFile(sessions::Session& session, const std::string& path,
                                             const artifacts::ArtifactOrigin& origin, const GoesOn& goesOn)
{
    return exportFromSession(session, path, { m_providers.folders().exports, m_artifacts, origin, m_clock },
                             goesOn);
}

} // namespace sg::datasets
