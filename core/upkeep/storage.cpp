#include "core/upkeep/storage.h"

#include "core/artifacts/blob_store.h"
#include "core/checkpoint/postgres_removal.h"
#include "core/rewind/snapshot_use.h"
#include "core/sqlite/db.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace sg::upkeep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 200;

std::int64_t folderSize(const fs::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code failed;
    for (auto it =
             fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failed);
         !failed && it != fs::recursive_directory_iterator(); it.increment(failed))
        if (!it->is_symlink() && it->is_regular_file())
            bytes += fileBytes(it->path());
    return bytes;
}

void largestFirst(std::vector<StoragePart>& parts)
{
    std::ranges::stable_sort(parts, std::ranges::greater(), &StoragePart::bytes);
}

std::vector<StoragePart> largest(std::map<std::string, StoragePart>&& byName, std::size_t most)
{
    std::vector<StoragePart> parts;
    for (auto& [name, part] : byName) {
        parts.push_back(std::move(part));
        parts.back().name = name;
    }
    largestFirst(parts);
    parts.resize(std::min(parts.size(), most));
    return parts;
}

Result<std::vector<StoragePart>> partsOf(sqlite::Db& db, const char* sql)
{
    auto statement = db.prepare(sql);
    if (!statement)
        return std::move(statement.error());
    std::vector<StoragePart> parts;
    const auto read = sqlite::eachRow(*statement, [&] {
        parts.push_back({ std::string(statement->text(0)), statement->integer(1), statement->integer(2) });
    });
    if (!read)
        return read.error();
    largestFirst(parts);
    return parts;
}

constexpr const char* kThreads = R"(
SELECT thread_id, SUM(bytes), SUM(count) FROM (
    SELECT thread_id, SUM(length(checkpoint) + length(metadata)) AS bytes, COUNT(*) AS count FROM checkpoints GROUP BY thread_id
    UNION ALL SELECT thread_id, SUM(length(value)), 0 FROM writes GROUP BY thread_id) GROUP BY thread_id)";
constexpr const char* kChannels = "SELECT channel, SUM(length(value)), COUNT(*) FROM writes WHERE channel "
                                  "NOT LIKE '\\_\\_%' ESCAPE '\\' GROUP BY channel";

Result<void> readDatabase(const fs::path& file, StorageReport& report)
{
    sqlite::DbOptions options;
    options.mode = sqlite::OpenMode::ReadOnly;
    auto db = sqlite::Db::open(file, options);
    if (!db)
        return std::move(db.error());
    auto threads = partsOf(*db, kThreads);
    if (!threads)
        return std::move(threads.error());
    auto channels = partsOf(*db, kChannels);
    if (!channels)
        return std::move(channels.error());
    report.threads = std::move(*threads);
    report.channels = std::move(*channels);
    return {};
}

Result<void> readArtifacts(const ProjectParts& parts, StorageReport& report)
{
    const auto all = parts.artifacts.list({});
    if (!all)
        return all.error();
    std::map<std::string, StoragePart> threads;
    std::map<std::string, StoragePart> files;
    std::set<std::string> seen;
    for (const artifacts::Artifact& artifact : *all) {
        const std::string& thread = artifact.origin.thread.value;
        // A content is stored once, so it counts for the first artifact that has it.
        const auto bytes = seen.insert(artifact.sha256).second ? static_cast<std::int64_t>(artifact.size) : 0;
        for (StoragePart* part : { &threads[thread], &files[thread + ": " + artifact.path] }) {
            ++part->count;
            part->bytes += bytes;
        }
    }
    report.artifacts = largest(std::move(threads), std::string::npos);
    report.fileCount = static_cast<std::int64_t>(files.size());
    report.files = largest(std::move(files), kMostFiles);
    return {};
}

Result<void> readSnapshots(const ProjectParts& parts, StorageReport& report)
{
    const auto store = artifacts::BlobStore::open(parts.project.snapshots);
    if (!store)
        return store.error();
    for (const StoragePart& thread : report.threads) {
        const auto contents = rewind::contentsNeededIn(parts.project.checkpoints, ThreadId(thread.name));
        if (!contents)
            return contents.error();
        StoragePart part{ thread.name, 0, static_cast<std::int64_t>(contents->size()) };
        for (const std::string& content : *contents)
            part.bytes += fileBytes(store->path(content));
        if (part.count > 0)
            report.snapshots.push_back(std::move(part));
    }
    largestFirst(report.snapshots);
    return {};
}

} // namespace

std::int64_t fileBytes(const fs::path& file)
{
    std::error_code gone;
    const auto size = fs::file_size(file, gone);
    return gone ? 0 : static_cast<std::int64_t>(size);
}

std::int64_t databaseBytes(const fs::path& file)
{
    return fileBytes(file) + fileBytes(file.string() + "-wal");
}

Result<StorageReport> storageOf(const ProjectParts& parts)
{
    const projects::ProjectPaths& project = parts.project;
    StorageReport report;
    report.databaseBytes = databaseBytes(project.checkpoints);
    if (!project.shared.empty()) { // the rows that are counted below are those of this machine's copies
        const auto bytes = checkpoint::bytesInPostgres(project.shared);
        if (!bytes)
            return bytes.error();
        report.databaseBytes = *bytes;
    }
    if (auto here = parts.history.bringHere({}); !here)
        return std::move(here.error());
    report.artifactBytes = folderSize(project.blobs);
    report.snapshotBytes = folderSize(project.snapshots);
    report.sessionBytes = folderSize(project.sessions);
    if (auto read = readDatabase(project.checkpoints, report); !read)
        return std::move(read.error()).during("measure " + project.checkpoints.string());
    if (auto read = readArtifacts(parts, report); !read)
        return std::move(read.error()).during("measure the artifacts");
    if (auto read = readSnapshots(parts, report); !read)
        return std::move(read.error()).during("measure the snapshots");
    return report;
}

} // namespace sg::upkeep
