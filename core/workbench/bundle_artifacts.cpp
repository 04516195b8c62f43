#include "core/workbench/bundle_artifacts.h"

#include "core/artifacts/artifact_index.h"
#include "core/artifacts/blob_store.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/base/relative_path.h"

#include <algorithm>
#include <array>
#include <set>

namespace sg::workbench {
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

ArtifactId newArtifactId()
{
    std::array<char, 12> random{};
    fillRandomBytes(random.data(), random.size());
    return ArtifactId("art_" + toHex({ random.data(), random.size() }));
}

} // namespace

Result<Value> gatherArtifacts(artifacts::ArtifactStore& store, const ThreadId& thread, BundleFiles& contents)
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
        if (seen.insert(artifact.sha256).second)
            contents.emplace_back("blobs/" + artifact.sha256, store.blobPath(artifact));
    }
    return Value(std::move(list));
}

Result<std::int64_t> storeArtifacts(const ProjectPaths& project, const Value& rows, const ThreadId& thread,
                                    const std::map<std::string, std::string>& runs)
{
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
    if (auto inserted = (*index)->insert(added); !inserted)
        return std::move(inserted.error());
    return static_cast<std::int64_t>(added.size());
}

} // namespace sg::workbench
