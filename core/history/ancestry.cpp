#include "core/history/ancestry.h"

#include "core/checkpoint/circle_watch.h"
#include "core/checkpoint/thread_outline.h"

#include <cstdint>
#include <utility>

namespace sg::history {
namespace {

constexpr int kHexDigits = 16; // of an id: in UUIDs of version 6 they hold the time

std::uint64_t leadingDigits(const std::string& id)
{
    std::uint64_t number = 0;
    int digits = 0;
    for (const char c : id) {
        if (digits == kHexDigits)
            break;
        if (c >= '0' && c <= '9')
            number = number << 4 | static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number << 4 | static_cast<std::uint64_t>(c - 'a' + 10);
        else
            continue;
        ++digits;
    }
    return digits == 0 ? 0 : number << 4 * (kHexDigits - digits);
}

// Returns the smallest id that begins with these digits.
std::string idOf(std::uint64_t digits)
{
    std::string id;
    for (int digit = 0; digit < kHexDigits; ++digit) {
        if (digit == 8 || digit == 12)
            id += '-';
        id += "0123456789abcdef"[digits >> 4 * (kHexDigits - 1 - digit) & 15];
    }
    return id;
}

} // namespace

Value versionOf(const checkpoint::CheckpointRecord& record, const std::string& channel)
{
    const Value* version = record.checkpoint.channelVersions.find(channel);
    return version != nullptr ? *version : Value();
}

Result<checkpoint::CheckpointRecord> Ancestry::at(const CheckpointId& id)
{
    auto record = m_store.get(m_thread, "", id);
    if (!record)
        return std::move(record.error());
    if (!*record)
        return Error{ Errc::NotFound,
                      "thread '" + m_thread.value + "' has no checkpoint " + id.value
                          + " any more. Open the thread again" };
    return std::move(**record);
}

// LangGraph's versions of a stored channel are texts that end in random digits: checkpoints with the same
// version have it from the same write, so the first of them in time made it. Versions that are plain numbers
// occur on two branches, so each parent is read.
Result<Ancestry::Origin> Ancestry::firstWithItsVersion(const CheckpointId& of, const std::string& channel)
{
    auto record = at(of);
    if (!record)
        return std::move(record.error());
    const Value version = versionOf(*record, channel);
    checkpoint::CircleWatch circle;
    while (true) {
        if (circle.closes(record->ref.id))
            return checkpoint::circleError(m_thread.value);
        if (m_outline != nullptr && version.isString() && record->parent) {
            auto oldest = oldestWith(version, record->ref.id, channel);
            if (!oldest)
                return std::move(oldest.error());
            if (*oldest != record->ref.id)
                record = at(*oldest);
            if (!record)
                return std::move(record.error());
        }
        if (!record->parent)
            return Origin{ record->ref.id, std::nullopt };
        auto parent = m_store.get(m_thread, "", *record->parent);
        if (!parent)
            return std::move(parent.error());
        if (!*parent) // it was removed: the history begins here
            return Origin{ record->ref.id, std::nullopt };
        if (versionOf(**parent, channel) != version)
            return Origin{ record->ref.id, record->parent };
        record = std::move(**parent);
    }
}

// Searches by halving time. Checkpoints of other branches lie in between and may have another version: the
// result is one of those with the version, and usually the first.
Result<CheckpointId> Ancestry::oldestWith(const Value& version, const CheckpointId& newest,
                                          const std::string& channel)
{
    CheckpointId oldest = newest;
    std::uint64_t low = 0; // nothing before it is known to have the version
    std::uint64_t high = leadingDigits(newest.value);
    if (auto first = m_outline->firstFrom(m_thread, "", ""); first && *first)
        low = leadingDigits((*first)->value);
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        auto found = m_outline->firstFrom(m_thread, "", idOf(middle));
        if (!found)
            return std::move(found.error());
        if (!*found || !(**found < oldest)) {
            high = middle; // there is none in between
            continue;
        }
        auto record = at(**found);
        if (!record)
            return std::move(record.error());
        if (versionOf(*record, channel) == version) {
            oldest = **found;
            high = middle;
        } else {
            low = leadingDigits((*found)->value) + 1;
        }
    }
    return oldest;
}

} // namespace sg::history
