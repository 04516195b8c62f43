#include "core/workbench/snapshot_use.h"

#include "core/workbench/database.h"
#include "core/workbench/snapshot_storage.h"

namespace sg::workbench {
namespace {

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
    needed.erase("");
    return needed;
}

Result<std::set<std::string>> contentsNeededIn(const std::filesystem::path& file,
                                               const std::optional<ThreadId>& thread)
{
    auto database = Database::open(file, Database::Access::ReadOnly);
    if (!database)
        return std::move(database.error());
    checkpoint::SnapshotLog* log = (*database)->store().snapshotLog();
    if (log == nullptr)
        return std::set<std::string>();
    return contentsNeeded(*log, thread);
}

} // namespace sg::workbench
