#include "core/checkpoint/sqlite/rows.h"

#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/sqlite/large_row.h"
#include "core/sqlite/each_row.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace sg::checkpoint {

CheckpointRef readCheckpointRef(const sqlite::Statement& row)
{
    return { ThreadId(std::string(row.text(0))), std::string(row.text(1)),
             CheckpointId(std::string(row.text(2))) };
}

namespace {

Result<CheckpointRecord> recordOf(const sqlite::Statement& row, std::string_view blob)
{
    CheckpointRecord record;
    record.ref = readCheckpointRef(row);
    if (const std::string_view parent = row.text(3); !parent.empty())
        record.parent = CheckpointId(std::string(parent));
    auto checkpoint = decodeCheckpoint(row.text(4), blob);
    if (!checkpoint)
        return std::move(checkpoint.error());
    record.checkpoint = std::move(*checkpoint);
    auto metadata = decodeMetadata(row.blob(6));
    if (!metadata)
        return std::move(metadata.error());
    record.metadata = std::move(*metadata);
    return record;
}

std::string selectWrites(const Connection& connection, bool isLook)
{
    return std::string("SELECT task_id, ") + (connection.schema.hasTaskPath ? "task_path" : "''")
        + ", idx, channel, type, "
        + (isLook ? "CASE WHEN length(value) <= 1048576 OR channel LIKE '\\_\\_%' ESCAPE '\\' THEN value END"
                  : "value")
        + " FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?";
}

} // namespace

Result<CheckpointRecord> readCheckpointRow(const sqlite::Statement& row)
{
    return recordOf(row, row.blob(kCheckpointColumn));
}

Result<CheckpointRecord> readLookedRow(Connection& connection, const sqlite::Statement& row)
{
    if (!row.isNull(kCheckpointColumn))
        return readCheckpointRow(row);
    const auto made = checkpointWithoutState(connection, row);
    if (!made)
        return made.error();
    return recordOf(row, *made);
}

Result<std::vector<PendingWrite>> readWrites(Connection& connection, const CheckpointRef& ref, bool isLook)
{
    std::vector<PendingWrite> writes;
    if (!connection.schema.hasWrites)
        return writes;
    auto rows = connection.db.cached(selectWrites(connection, isLook));
    if (!rows)
        return std::move(rows.error());
    rows->bind(1, ref.thread.value).bind(2, ref.ns).bind(3, ref.id.value);
    const auto read = sqlite::eachRow(*rows, [&]() -> Result<void> {
        PendingWrite write;
        write.taskId = TaskId(std::string(rows->text(0)));
        write.taskPath = rows->text(1);
        write.index = rows->integer(2);
        write.channel = rows->text(3);
        write.typeTag = rows->text(4);
        auto value =
            isLook && rows->isNull(5) ? Result<Value>(Value()) : loadsTyped(write.typeTag, rows->blob(5));
        if (!value)
            return std::move(value.error())
                .during("a write of task " + write.taskId.value + " to " + write.channel);
        write.value = std::move(*value);
        writes.push_back(std::move(write));
        return {};
    });
    if (!read)
        return read.error();
    std::ranges::sort(writes, {}, [](const PendingWrite& write) {
        return std::tie(write.taskPath, write.taskId.value, write.index);
    });
    return writes;
}

} // namespace sg::checkpoint
