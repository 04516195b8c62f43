#include "core/upkeep/bundle_parts.h"

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/artifact_upkeep.h"
#include "core/artifacts/blob_store.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/base/relative_path.h"
#include "core/base/stored_time.h"
#include "core/checkpoint/thread_rows.h"
#include "core/sessions/records/session_records.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <set>

namespace sg::upkeep {
namespace {

Value artifactValue(const artifacts::Artifact& artifact)
{
    return Value::map({ { "id", artifact.id.value },
                        { "path", artifact.path },
                        { "sha256", artifact.sha256 },
                        { "size", static_cast<std::int64_t>(artifact.size) },
                        { "mime", artifact.mime },
                        { "created_at", artifact.createdAt },
                        { "modified_ns", artifact.modifiedNs },
                        { "run", artifact.origin.run.value },
                        { "session", artifact.origin.session.value },
                        { "node", artifact.origin.node.value },
                        { "task", artifact.origin.task.value },
                        { "checkpoint", artifact.origin.checkpoint.value },
                        { "step", artifact.origin.step } });
}

Result<artifacts::Artifact> artifactOf(const Value& row, const ThreadId& thread,
                                       const std::map<std::string, std::string>& runs)
{
    const auto path = RelativePath::parse(row.stringOr("path", ""));
    if (!path)
        return Error{ Errc::Corrupt, "artifacts.json: a path that none may have" };
    artifacts::Artifact artifact;
    artifact.id = ArtifactId(row.stringOr("id", ""));
    artifact.path = path->text();
    artifact.name = path->name();
    artifact.sha256 = row.stringOr("sha256", "");
    artifact.size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.intOr("size", 0)));
    artifact.mime = row.stringOr("mime", "application/octet-stream");
    artifact.createdAt = row.stringOr("created_at", "");
    artifact.modifiedNs = row.intOr("modified_ns", 0);
    const std::string run = row.stringOr("run", "");
    artifact.origin = { thread,
                        RunId(runs.contains(run) ? runs.at(run) : run),
                        SessionId(row.stringOr("session", "")),
                        NodeId(row.stringOr("node", "")),
                        TaskId(row.stringOr("task", "")),
                        CheckpointId(row.stringOr("checkpoint", "")),
                        row.intOr("step", 0) };
    return artifact;
}

// The artifact's file, which stays until the bundle is packed.
Result<std::filesystem::path> fileToPack(artifacts::ArtifactStore& store, const artifacts::Artifact& artifact,
                                         const std::filesystem::path& held)
{
    namespace fs = std::filesystem;
    constexpr int kAttempts = 3; // another program may make room just now
    if (store.contents().shared() == nullptr)
        return store.blobPath(artifact);
    const fs::path file = held / artifact.sha256;
    std::error_code failed;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (auto fetched = store.fetch(artifact, {}); !fetched)
            return std::move(fetched.error());
        fs::create_hard_link(store.blobPath(artifact), file, failed);
        if (failed) // elsewhere, or on a file system without links
            fs::copy_file(store.blobPath(artifact), file, fs::copy_options::overwrite_existing, failed);
        if (!failed)
            return file;
    }
    return Error{ Errc::Io, "hold " + file.string() + ": " + failed.message() };
}

ArtifactId newArtifactId()
{
    std::array<char, 12> random{};
    fillRandomBytes(random.data(), random.size());
    return ArtifactId("art_" + toHex({ random.data(), random.size() }));
}

namespace fs = std::filesystem;

Result<void> feedText(exchange::SecretScan& scan, const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error{ Errc::Io, "read " + path.string() };
    std::string piece(1U << 16, '\0');
    while (file) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        scan.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
    }
    return {};
}

Result<void> feedRows(exchange::SecretScan& scan, const fs::path& path)
{
    return checkpoint::eachThreadRow(path, [&scan](const Value& row) -> Result<void> {
        scan.feedValue(row);
        return {};
    });
}

// Nothing is left out, because a bundle without the oldest samples would not show that.
constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

std::int64_t msOf(WallTime time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

WallTime timeOf(const Value& ms)
{
    return storedTime(std::chrono::milliseconds(ms.isInt() ? ms.asInt() : 0));
}

Value sampleRow(const sandbox::ResourceSample& sample)
{
    return Value(ValueList{ msOf(sample.time), sample.cpuSeconds, sample.cpuPercent, sample.memoryBytes,
                            sample.memoryLimit, sample.pids, sample.pidsLimit, sample.oomKills,
                            static_cast<std::int64_t>(sample.throttled.count()), sample.diskBytes,
                            sample.diskLimit });
}

double number(const Value& value)
{
    return value.isDouble() || value.isInt() ? value.asDouble() : 0;
}

std::int64_t whole(const Value& value)
{
    return value.isInt() ? value.asInt() : 0;
}

sandbox::ResourceSample sampleOf(const Value& row)
{
    sandbox::ResourceSample sample;
    sample.time = timeOf(row[0]);
    sample.cpuSeconds = number(row[1]);
    sample.cpuPercent = number(row[2]);
    sample.memoryBytes = whole(row[3]);
    sample.memoryLimit = whole(row[4]);
    sample.pids = whole(row[5]);
    sample.pidsLimit = whole(row[6]);
    sample.oomKills = whole(row[7]);
    sample.throttled = storedSpan(std::chrono::milliseconds(whole(row[8])));
    sample.diskBytes = whole(row[9]);
    sample.diskLimit = whole(row[10]);
    return sample;
}

Value sessionOf(const sessions::SessionRecord& record, sessions::SessionRecords& records)
{
    ValueList notes;
    if (const auto all = records.notes(record.info.id, kAll))
        for (auto note = all->rbegin(); note != all->rend(); ++note)
            notes.push_back(Value(ValueList{ msOf(note->time), note->event.text(), note->text }));
    ValueList samples;
    if (const auto all = records.samples(record.info.id, 0))
        for (const sandbox::ResourceSample& sample : *all)
            samples.push_back(sampleRow(sample));
    const sessions::SessionInfo& info = record.info;
    return Value::map({ { "id", info.id.value },
                        { "part", info.part.text() },
                        { "backend", info.backend },
                        { "isolation", info.isolation },
                        { "state", info.state.text() },
                        { "storage", info.storage.text() },
                        { "datasets", info.datasets.text() },
                        { "image", record.image },
                        { "limits_enforced", info.limitsEnforced },
                        { "memory_bytes", info.limits.memoryBytes },
                        { "tmpfs_bytes", info.limits.tmpfsBytes },
                        { "pids", info.limits.pids },
                        { "cpus", info.limits.cpus },
                        { "started_ms", msOf(record.startedAt) },
                        { "used_ms", msOf(record.lastUsed) },
                        { "cells", record.cells },
                        { "notes", std::move(notes) },
                        { "samples", std::move(samples) } });
}

sessions::SessionRecord recordOf(const Value& session, const ThreadId& thread)
{
    sessions::SessionRecord record;
    record.info.id = SessionId(session.stringOr("id", ""));
    record.info.thread = thread;
    record.info.part = sessions::SessionPart::parse(session.stringOr("part", ""));
    record.info.backend = session.stringOr("backend", "");
    record.info.isolation = session.stringOr("isolation", "");
    record.info.storage = session.stringOr("storage", "");
    record.info.datasets = session.stringOr("datasets", "");
    record.info.limitsEnforced = session.boolOr("limits_enforced", true);
    record.info.limits.memoryBytes = session.intOr("memory_bytes", 0);
    record.info.limits.tmpfsBytes = session.intOr("tmpfs_bytes", 0);
    record.info.limits.pids = session.intOr("pids", 0);
    record.info.limits.cpus = number(session["cpus"]);
    record.image = session.stringOr("image", "");
    record.startedAt = timeOf(session["started_ms"]);
    record.lastUsed = timeOf(session["used_ms"]);
    return record;
}

} // namespace

Result<Value> gatherArtifacts(artifacts::ArtifactStore& store, const ThreadId& thread,
                              const std::filesystem::path& held, BundleFiles& contents)
{
    artifacts::ArtifactFilter filter;
    filter.thread = thread;
    auto all = store.list(filter);
    if (!all)
        return std::move(all.error());
    std::ranges::sort(*all, {}, [](const artifacts::Artifact& artifact) { return artifact.id.value; });
    ValueList list;
    std::set<std::string> seen;
    for (const artifacts::Artifact& artifact : *all) {
        list.push_back(artifactValue(artifact));
        if (!seen.insert(artifact.sha256).second)
            continue;
        auto file = fileToPack(store, artifact, held);
        if (!file)
            return std::move(file.error());
        contents.emplace_back("blobs/" + artifact.sha256, std::move(*file));
    }
    return Value(std::move(list));
}

Result<std::int64_t> storeArtifacts(const ProjectParts& parts, const Value& rows, const ThreadId& thread,
                                    const std::map<std::string, std::string>& runs)
{
    const projects::ProjectPaths& project = parts.project;
    auto index = artifacts::ArtifactIndex::open(project.artifacts);
    if (!index)
        return std::move(index.error());
    std::vector<artifacts::Artifact> added;
    std::set<ArtifactId> ids;
    const auto store = artifacts::BlobStore::open(project.blobs);
    if (!store)
        return store.error();
    for (const Value& row : rows.asList()) {
        auto artifact = artifactOf(row, thread, runs);
        if (!artifact)
            return std::move(artifact.error());
        if (!store->has(artifact->sha256))
            return Error{ Errc::Corrupt, "the content of " + artifact->path + " is missing" };
        const bool isTaken = (*index)->find(artifact->id) || !ids.insert(artifact->id).second;
        if (artifact->id.value.empty() || isTaken)
            artifact->id = newArtifactId();
        added.push_back(std::move(*artifact));
    }
    if (auto promised = artifacts::promiseAll(parts.artifacts.contents(), added); !promised)
        return std::move(promised.error());
    if (auto inserted = (*index)->insert(added); !inserted)
        return std::move(inserted.error());
    return static_cast<std::int64_t>(added.size());
}

Result<std::vector<exchange::SecretFinding>> secretsIn(const BundleFiles& files)
{
    exchange::SecretScan scan;
    for (const auto& [name, path] : files) {
        scan.begin(name);
        if (auto fed = name.starts_with("rows/") ? feedRows(scan, path) : feedText(scan, path); !fed)
            return std::move(fed.error());
        scan.end();
    }
    return scan.findings();
}

Value sessionsOf(const ProjectParts& parts, const ThreadId& thread)
{
    ValueList list;
    sessions::SessionRecords* records = parts.records;
    const auto all = records != nullptr
        ? records->list(true, kAll)
        : Result<std::vector<sessions::SessionRecord>>(std::vector<sessions::SessionRecord>());
    if (all)
        for (const sessions::SessionRecord& record : *all)
            if (record.info.thread == thread)
                list.push_back(sessionOf(record, *records));
    std::ranges::sort(list, {}, [](const Value& session) { return session.stringOr("id", ""); });
    return Value(std::move(list));
}

void keepSessions(const ProjectParts& parts, const ThreadId& thread, const Value& sessions)
{
    sessions::SessionRecords* records = parts.records;
    if (records == nullptr || !sessions.isList())
        return;
    for (const Value& session : sessions.asList()) {
        const sessions::SessionRecord record = recordOf(session, thread);
        const auto known = records->find(record.info.id);
        if (record.info.id.empty() || !known || *known || !records->started(record))
            continue;
        static_cast<void>(records->used(record.info.id, record.lastUsed, session.intOr("cells", 0)));
        if (session["notes"].isList())
            for (const Value& note : session["notes"].asList())
                static_cast<void>(records->note(
                    record.info.id,
                    { timeOf(note[0]), note[1].isString() ? std::string(note[1].asString()) : "",
                      note[2].isString() ? std::string(note[2].asString()) : "" }));
        std::vector<sessions::StoredSample> samples;
        if (session["samples"].isList())
            for (const Value& row : session["samples"].asList())
                samples.push_back({ record.info.id, sampleOf(row) });
        static_cast<void>(records->addSamples(samples));
        const auto state = sessions::SessionState::parse(session.stringOr("state", ""));
        static_cast<void>(records->setState(
            record.info.id, state.hasEnded() ? state : sessions::SessionState::ended("imported")));
    }
}

} // namespace sg::upkeep
