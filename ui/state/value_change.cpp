#include "ui/state/value_change.h"

#include "ui/state/value_text.h"

#include <algorithm>

namespace sg::ui {

namespace {

// Collects entries up to a bound.
class Collector {
public:
    explicit Collector(std::size_t most)
        : m_most(most)
    {
    }
    void add(ValueChange entry)
    {
        if (m_found.entries.size() < m_most)
            m_found.entries.push_back(std::move(entry));
        else
            ++m_found.cut;
    }
    ValueChanges take() { return std::move(m_found); }

private:
    std::size_t m_most;
    ValueChanges m_found;
};

void collectMap(const ValueMap* was, const ValueMap& now, Collector& found)
{
    constexpr auto kKey = ValueChange::Label::Key;
    for (const auto& [key, value] : now) {
        const Value* before = was ? was->find(key) : nullptr;
        if (!before)
            found.add({ Change::Added, kKey, keyText(key), {}, value });
        else
            found.add(
                { *before == value ? Change::Same : Change::Changed, kKey, keyText(key), *before, value });
    }
    if (!was)
        return;
    for (const auto& [key, value] : *was)
        if (!now.find(key))
            found.add({ Change::Removed, kKey, keyText(key), value, {} });
}

struct CommonEnds {
    std::size_t front = 0;
    std::size_t back = 0;
};

CommonEnds commonEnds(const ValueList& was, const ValueList& now)
{
    CommonEnds ends;
    const std::size_t shorter = std::min(was.size(), now.size());
    while (ends.front < shorter && was[ends.front] == now[ends.front])
        ++ends.front;
    while (ends.back < shorter - ends.front
           && was[was.size() - 1 - ends.back] == now[now.size() - 1 - ends.back])
        ++ends.back;
    return ends;
}

void collectList(const ValueList& was, const ValueList& now, Collector& found)
{
    constexpr auto kIndex = ValueChange::Label::Index;
    const auto name = [](std::size_t index) { return QStringLiteral("[%1]").arg(index); };
    const CommonEnds ends = commonEnds(was, now);
    const std::size_t paired = std::min(was.size(), now.size()) - ends.back;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (i < ends.front)
            found.add({ Change::Same, kIndex, name(i), now[i], now[i] });
        else if (i < paired)
            found.add({ Change::Changed, kIndex, name(i), was[i], now[i] });
        else if (i < now.size() - ends.back)
            found.add({ Change::Added, kIndex, name(i), {}, now[i] });
        else
            break;
    }
    for (std::size_t i = paired; i + ends.back < was.size(); ++i)
        found.add({ Change::Removed, kIndex, name(i), was[i], {} });
    for (std::size_t i = now.size() - ends.back; i < now.size(); ++i)
        found.add({ Change::Same, kIndex, name(i), now[i], now[i] });
}

bool bothOfKind(const Value& was, const Value& now, Value::Kind kind)
{
    return was.kind() == kind && now.kind() == kind;
}

void count(const Value& was, const Value& now, int most, ChangeCounts& counts)
{
    for (const ValueChange& entry : changesOf(was, now, static_cast<std::size_t>(most)).entries) {
        if (counts.added + counts.changed + counts.removed >= most)
            return;
        switch (entry.change) {
        case Change::Same: break;
        case Change::Added: ++counts.added; break;
        case Change::Removed: ++counts.removed; break;
        case Change::Changed:
            if (bothOfKind(entry.was, entry.now, Value::Kind::Map)
                || bothOfKind(entry.was, entry.now, Value::Kind::List))
                count(entry.was, entry.now, most, counts);
            else
                ++counts.changed;
        }
    }
}

} // namespace

ValueChanges changesOf(const Value& was, const Value& now, std::size_t most)
{
    static const ValueList noItems;
    Collector found(most);
    if (now.isMap())
        collectMap(was.isMap() ? &was.asMap() : nullptr, now.asMap(), found);
    else if (now.isList())
        collectList(was.isList() ? was.asList() : noItems, now.asList(), found);
    return found.take();
}

ChangeCounts countChanges(const Value& was, const Value& now, int most)
{
    ChangeCounts counts;
    count(was, now, most, counts);
    return counts;
}

bool hasEntries(const Value& value)
{
    return value.isMap() ? !value.asMap().empty() : value.isList() && !value.asList().empty();
}

} // namespace sg::ui
