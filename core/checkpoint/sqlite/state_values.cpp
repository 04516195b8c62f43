#include "core/checkpoint/state_values.h"

#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr const char* kSelect = "SELECT checkpoint_id, type, checkpoint, metadata FROM checkpoints"
                                " WHERE thread_id = ?1 AND checkpoint_ns = '' AND checkpoint_id <= ?2"
                                " ORDER BY checkpoint_id DESC LIMIT ?3";
// Metadata of a row with channels stored as changes has this key.
constexpr std::string_view kChangesAlone = "counters_since_delta_snapshot";

std::optional<Value> channelsOf(std::string_view blob)
{
    MsgpackReader reader(blob, MsgpackLimits().depth - 1);
    const auto count = reader.mapSize();
    for (std::uint32_t i = 0; count && i < *count; ++i) {
        const auto key = reader.text();
        if (key == "channel_values") {
            auto values = reader.value();
            return values && values->isMap() ? std::move(values) : std::nullopt;
        }
        if (!key || !reader.skip())
            return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

StateValues::StateValues(std::unique_ptr<CheckpointFile> file)
    : m_file(std::move(file))
{
}

StateValues::StateValues(StateValues&&) noexcept = default;
StateValues& StateValues::operator=(StateValues&&) noexcept = default;
StateValues::~StateValues() = default;

Result<StateValues> StateValues::open(const std::filesystem::path& database)
{
    auto file = CheckpointFile::openToRead(database);
    if (!file)
        return std::move(file.error());
    return StateValues(std::move(*file));
}

Result<void> StateValues::read(const ThreadId& thread, const CheckpointId& newest, std::int64_t limit,
                               const std::function<bool(const CheckpointId&, const Value*)>& visit)
{
    return m_file->read([&](Connection& connection) -> Result<void> {
        if (!connection.schema.hasCheckpoints)
            return {};
        auto rows = connection.db.cached(kSelect);
        if (!rows)
            return std::move(rows.error());
        rows->bind(1, thread.value).bind(2, newest.value).bind(3, limit);
        while (true) {
            const auto row = rows->step();
            if (!row)
                return row.error();
            if (!*row)
                return {};
            const bool isWhole = rows->text(1) == "msgpack"
                && std::string_view(rows->blob(3)).find(kChangesAlone) == std::string_view::npos;
            const std::optional<Value> channels = isWhole ? channelsOf(rows->blob(2)) : std::nullopt;
            if (!visit(CheckpointId(std::string(rows->text(0))), channels ? &*channels : nullptr))
                return {};
        }
    });
}

} // namespace sg::checkpoint
