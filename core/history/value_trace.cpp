#include "core/history/value_trace.h"

#include "core/checkpoint/serde/plain_data.h"
#include "core/history/ancestry.h"
#include "core/history/explanation.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <charconv>

namespace sg::history {
namespace {

constexpr std::size_t kMostChecked = 5000; // changes of the channel that may leave the traced part as it was

// The path of checkpoints, newest first. Beyond the given part it is extended from the ancestry, with only
// the first checkpoint of each version of the traced channel and its parent.
class Way {
public:
    Way(Ancestry& ancestry, const std::vector<CheckpointId>& ids)
        : m_ancestry(ancestry)
        , m_ids(ids)
    {
    }

    [[nodiscard]] std::size_t size() const { return m_ids.size(); }
    Result<checkpoint::CheckpointRecord> at(std::size_t place) { return m_ancestry.at(m_ids[place]); }

    // Extends the path; false: its last checkpoint has no parent.
    Result<bool> goOn(const std::string& channel)
    {
        auto first = m_ancestry.firstWithItsVersion(m_ids.back(), channel);
        if (!first)
            return std::move(first.error());
        const bool isNew = first->id != m_ids.back();
        if (isNew)
            m_ids.push_back(first->id);
        if (first->parent)
            m_ids.push_back(*first->parent);
        return isNew || first->parent.has_value();
    }

private:
    Ancestry& m_ancestry;
    std::vector<CheckpointId> m_ids;
};

class Tracer {
public:
    Tracer(checkpoint::CheckpointStore& store, Way& way, std::vector<std::string> tokens)
        : m_store(store)
        , m_way(way)
        , m_tokens(std::move(tokens))
    {
    }

    Result<ValueTrace> trace(std::size_t limit)
    {
        ValueTrace trace;
        std::size_t place = 0;
        for (std::size_t checked = 0; checked < kMostChecked; ++checked) {
            auto origin = firstWithItsVersion(place);
            if (!origin)
                return std::move(origin.error());
            auto found = originAt(*origin);
            if (!found)
                return std::move(found.error());
            ValueOrigin& made = *found;
            // If another part of the channel changed, the value is older.
            if (!trace.origins.empty() && trace.origins.back().value == made.value
                && trace.origins.back().isMissing == made.isMissing)
                trace.origins.back() = std::move(made);
            else if (trace.origins.size() == limit)
                return trace;
            else
                trace.origins.push_back(std::move(made));
            place = *origin + 1;
            if (place >= m_way.size()) {
                trace.isWhole = true;
                break;
            }
        }
        while (trace.origins.size() > 1 && trace.origins.back().isMissing)
            trace.origins.pop_back(); // before the first value there is no origin
        return trace;
    }

private:
    // Finds the farthest place with the channel's version at `place`, in growing steps, then by halves.
    Result<std::size_t> firstWithItsVersion(std::size_t place)
    {
        while (true) {
            auto same = firstOfKnown(place);
            if (!same || *same + 1 < m_way.size())
                return same;
            auto more = m_way.goOn(m_tokens.front());
            if (!more)
                return std::move(more.error());
            if (!*more)
                return same;
            place = *same;
        }
    }

    Result<std::size_t> firstOfKnown(std::size_t place)
    {
        auto record = m_way.at(place);
        if (!record)
            return std::move(record.error());
        const Value version = versionOf(*record, m_tokens.front());
        std::size_t same = place;
        std::size_t other = m_way.size(); // the nearest place known to differ
        for (std::size_t stride = 1; same + 1 < other; stride *= 2) {
            const std::size_t next = std::min(same + stride, other - 1);
            auto looked = m_way.at(next);
            if (!looked)
                return std::move(looked.error());
            if (versionOf(*looked, m_tokens.front()) != version) {
                other = next;
                break;
            }
            same = next;
        }
        while (same + 1 < other) {
            const std::size_t middle = same + (other - same) / 2;
            auto looked = m_way.at(middle);
            if (!looked)
                return std::move(looked.error());
            (versionOf(*looked, m_tokens.front()) == version ? same : other) = middle;
        }
        return same;
    }

    Result<ValueOrigin> originAt(std::size_t place)
    {
        auto record = m_way.at(place);
        if (!record)
            return std::move(record.error());
        ValueOrigin origin;
        origin.checkpoint = record->ref.id;
        origin.parent = record->parent;
        origin.step = record->metadata.step;
        origin.source = record->metadata.source;
        Value values = inertSnapshot(*record).values;
        if (auto added = addChangedChannels(m_store, *record, values.editMap()); !added)
            return std::move(added.error());
        const Value plainValues = checkpoint::plain(values);
        const Value* value = valueAt(plainValues, m_tokens);
        origin.isMissing = value == nullptr;
        if (value != nullptr)
            origin.value = *value;
        if (origin.source == checkpoint::Source::Loop && place + 1 < m_way.size()) {
            auto parent = m_way.at(place + 1);
            if (!parent)
                return std::move(parent.error());
            origin.writtenBy = writersOf(*parent, m_tokens.front());
        }
        return origin;
    }

    checkpoint::CheckpointStore& m_store;
    Way& m_way;
    const std::vector<std::string> m_tokens;
};

} // namespace

std::optional<std::vector<std::string>> pointerTokens(const std::string& pointer)
{
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        const char c = pointer[i];
        if (c == '/') {
            tokens.emplace_back();
            continue;
        }
        if (tokens.empty())
            return std::nullopt;
        const bool isEscape = c == '~' && i + 1 < pointer.size();
        if (c == '~' && (!isEscape || (pointer[i + 1] != '0' && pointer[i + 1] != '1')))
            return std::nullopt;
        tokens.back() += isEscape ? (pointer[++i] == '0' ? '~' : '/') : c;
    }
    return tokens;
}

const Value* valueAt(const Value& whole, const std::vector<std::string>& tokens)
{
    const Value* at = &whole;
    for (const std::string& token : tokens) {
        if (at->isMap()) {
            at = at->find(token);
        } else if (at->isList()) {
            std::size_t index = 0;
            const auto [end, failed] = std::from_chars(token.data(), token.data() + token.size(), index);
            const bool isIndex = failed == std::errc() && end == token.data() + token.size();
            at = isIndex && index < at->asList().size() ? &at->asList()[index] : nullptr;
        } else {
            return nullptr;
        }
        if (at == nullptr)
            return nullptr;
    }
    return at;
}

Result<ValueTrace> traceValue(checkpoint::CheckpointStore& store, const ThreadId& thread,
                              const std::vector<CheckpointId>& way, const std::string& pointer,
                              std::size_t limit, checkpoint::ThreadOutline* outline)
{
    auto tokens = pointerTokens(pointer);
    if (!tokens || tokens->empty())
        return Error{ Errc::InvalidArgument,
                      "'" + pointer + "' names no channel: write it as a JSON pointer, such as /messages/3" };
    if (way.empty())
        return ValueTrace{ {}, true };
    Ancestry ancestry(store, outline, thread);
    Way found(ancestry, way);
    return Tracer(store, found, std::move(*tokens)).trace(std::max<std::size_t>(1, limit));
}

} // namespace sg::history
