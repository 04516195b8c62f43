#include "core/rewind/snapshot_use.h"

#include "core/base/hash.h"
#include "core/history/database.h"
#include "core/rewind/snapshot_storage.h"

#include <algorithm>
#include <system_error>
#include <vector>

namespace sg::rewind {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashLength = 64;
constexpr const char* kOwnDatabase = "checkpoints.sqlite";
constexpr const char* kNoted = "databases"; // a folder of links to them

Error unreadable(const fs::path& file, const std::string& why)
{
    return { Errc::Io,
             "look at what snapshots in " + file.string() + " need: " + why
                 + ". Nothing is removed that they may need; make the file readable, or delete it" };
}

void addNames(const Value& records, std::set<std::string>& needed)
{
    if (!records.isList())
        return;
    for (const Value& record : records.asList()) {
        needed.insert(record.stringOr("blob", ""));
        if (record["buffers"].isList())
            for (const Value& buffer : record["buffers"].asList())
                if (buffer[0].isString())
                    needed.insert(buffer[0].asString());
    }
}

} // namespace

bool isContentName(std::string_view name)
{
    return name.size() == kHashLength
        && std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Result<std::set<std::string>> contentsNeeded(checkpoint::SnapshotLog& log,
                                             const std::optional<ThreadId>& thread)
{
    const auto records = log.all();
    if (!records)
        return records.error();
    std::set<std::string> needed;
    for (const checkpoint::SnapshotRecord& record : *records) {
        if (thread && record.thread != *thread)
            continue;
        const auto snapshot = loadSnapshot(log, record.id);
        if (!snapshot)
            return snapshot.error();
        if (!*snapshot)
            continue;
        if ((*snapshot)->files)
            for (const auto& [path, entry] : *(*snapshot)->files)
                if (entry.type == sessions::FileEntry::Type::File)
                    needed.insert(entry.content);
        addNames((*snapshot)->names["records"], needed);
    }
    std::erase_if(needed, [](const std::string& name) { return !isContentName(name); });
    return needed;
}

Result<std::set<std::string>> contentsNeededIn(const std::filesystem::path& file,
                                               const std::optional<ThreadId>& thread)
{
    auto database = history::Database::open(file, history::Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    if (log == nullptr)
        return std::set<std::string>();
    return contentsNeeded(*log, thread);
}

Result<void> noteDatabase(const fs::path& data, const fs::path& database)
{
    std::error_code failed;
    const fs::path file = fs::absolute(database, failed).lexically_normal();
    if (failed || file == (data / kOwnDatabase).lexically_normal())
        return {};
    const fs::path link = data / kNoted / xxh3Hex(file.string());
    fs::create_directories(link.parent_path(), failed);
    fs::create_symlink(file, link, failed);
    if (failed && failed != std::errc::file_exists)
        return Error{ Errc::Io, "note the database " + file.string() + ": " + failed.message() };
    return {};
}

Result<std::set<std::string>> contentsNeededThere(const fs::path& data, const fs::path& except)
{
    std::vector<fs::path> files{ data / kOwnDatabase };
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(data / kNoted, none))
        if (const fs::path file = fs::read_symlink(entry.path(), none); !none)
            files.push_back(file); // the link's target: SQLite names its log after the file
    std::set<std::string> needed;
    for (const fs::path& file : files) {
        std::error_code failed;
        if (!fs::exists(file, failed)) { // the database was deleted
            if (failed)
                return unreadable(file, failed.message());
            continue;
        }
        std::error_code missing;
        if (!except.empty() && fs::equivalent(file, except, missing))
            continue;
        auto its = contentsNeededIn(file, {});
        if (!its)
            return unreadable(file, its.error().message);
        needed.merge(*its);
    }
    return needed;
}

} // namespace sg::rewind
