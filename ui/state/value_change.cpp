#include "ui/state/value_change.h"

#include "ui/state/value_text.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr std::size_t kFolded = 20; // shorter runs of equal items are shown
constexpr std::size_t kContext = 2; // equal items shown next to a change
constexpr auto kKey = ValueChange::Label::Key;
constexpr auto kIndex = ValueChange::Label::Index;

QString indexName(std::size_t index)
{
    return QStringLiteral("[%1]").arg(index);
}

// Collects one page of entries; entries of other pages are only counted.
class Collector {
public:
    explicit Collector(const ChangePage& page)
        : m_page(page)
    {
    }
    void key(Change change, const Value& key, const Value& was, const Value& now)
    {
        if (isWanted())
            m_found.entries.push_back({ change, kKey, keyText(key), was, now });
    }
    void item(Change change, std::size_t index, const Value& was, const Value& now)
    {
        if (isWanted())
            m_found.entries.push_back({ change, kIndex, indexName(index), was, now });
    }
    // Adds `count` equal items of `list` from `first` on. A long run becomes one entry, but `head` items at
    // its begin and `tail` items at its end stay.
    void same(const Value& list, std::size_t first, std::size_t count, std::size_t head, std::size_t tail)
    {
        const ValueList& items = list.asList();
        const bool folds = m_page.folds && count > kFolded;
        if (!folds)
            head = count;
        for (std::size_t i = first; i < first + head; ++i)
            item(Change::Same, i, items[i], items[i]);
        if (!folds)
            return;
        const std::size_t from = first + head;
        const std::size_t folded = count - head - tail;
        if (isWanted())
            m_found.entries.push_back(
                { Change::Same,
                  ValueChange::Label::Run,
                  QStringLiteral("%1 … %2").arg(indexName(from), indexName(from + folded - 1)),
                  {},
                  list,
                  from,
                  folded });
        for (std::size_t i = first + count - tail; i < first + count; ++i)
            item(Change::Same, i, items[i], items[i]);
    }
    ValueChanges take() { return std::move(m_found); }

private:
    bool isWanted()
    {
        const std::size_t at = m_found.total++;
        return at >= m_page.from && at - m_page.from < m_page.most;
    }

    ChangePage m_page;
    ValueChanges m_found;
};

// Counts changes; equal items are ignored.
class Counter {
public:
    Counter(ChangeCounts& counts, int most)
        : m_counts(counts)
        , m_most(most)
    {
    }
    void key(Change change, const Value&, const Value& was, const Value& now) { add(change, was, now); }
    void item(Change change, std::size_t, const Value& was, const Value& now) { add(change, was, now); }
    void same(const Value&, std::size_t, std::size_t, std::size_t, std::size_t) { }

private:
    void add(Change change, const Value& was, const Value& now);

    ChangeCounts& m_counts;
    int m_most;
};

template<typename Found>
void compareMaps(const ValueMap* was, const ValueMap& now, Found& found)
{
    for (const auto& [key, value] : now) {
        const Value* before = was ? was->find(key) : nullptr;
        if (!before)
            found.key(Change::Added, key, {}, value);
        else
            found.key(*before == value ? Change::Same : Change::Changed, key, *before, value);
    }
    if (!was)
        return;
    for (const auto& [key, value] : *was)
        if (!now.find(key))
            found.key(Change::Removed, key, value, {});
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

template<typename Found>
void compareLists(const ValueList& was, const Value& list, Found& found)
{
    const ValueList& now = list.asList();
    const CommonEnds ends = commonEnds(was, now);
    const std::size_t paired = std::min(was.size(), now.size()) - ends.back;
    const bool isWhole = ends.front == now.size() && was.size() == now.size();
    found.same(list, 0, ends.front, 0, isWhole ? 0 : kContext);
    for (std::size_t i = ends.front; i < now.size() - ends.back; ++i) {
        if (i >= paired)
            found.item(Change::Added, i, {}, now[i]);
        else if (was[i] == now[i]) // equal between two changed items
            found.item(Change::Same, i, now[i], now[i]);
        else
            found.item(Change::Changed, i, was[i], now[i]);
    }
    for (std::size_t i = paired; i + ends.back < was.size(); ++i)
        found.item(Change::Removed, i, was[i], {});
    found.same(list, now.size() - ends.back, ends.back, kContext, 0);
}

template<typename Found>
void compare(const Value& was, const Value& now, Found& found)
{
    static const ValueList noItems;
    if (now.isMap())
        compareMaps(was.isMap() ? &was.asMap() : nullptr, now.asMap(), found);
    else if (now.isList())
        compareLists(was.isList() ? was.asList() : noItems, now, found);
}

bool bothOfKind(const Value& was, const Value& now, Value::Kind kind)
{
    return was.kind() == kind && now.kind() == kind;
}

void Counter::add(Change change, const Value& was, const Value& now)
{
    if (m_counts.added + m_counts.changed + m_counts.removed >= m_most)
        return;
    switch (change) {
    case Change::Same: break;
    case Change::Added: ++m_counts.added; break;
    case Change::Removed: ++m_counts.removed; break;
    case Change::Changed:
        if (bothOfKind(was, now, Value::Kind::Map) || bothOfKind(was, now, Value::Kind::List))
            compare(was, now, *this);
        else
            ++m_counts.changed;
    }
}

} // namespace

ValueChanges changesOf(const Value& was, const Value& now, const ChangePage& page)
{
    Collector found(page);
    compare(was, now, found);
    return found.take();
}

ValueChanges itemsOf(const ValueChange& run, const ChangePage& page)
{
    Collector found({ page.from, page.most, false });
    found.same(run.now, run.first, run.count, 0, 0);
    return found.take();
}

ChangeCounts countChanges(const Value& was, const Value& now, int most)
{
    ChangeCounts counts;
    Counter counter(counts, most);
    compare(was, now, counter);
    return counts;
}

bool hasEntries(const Value& value)
{
    return value.isMap() ? !value.asMap().empty() : value.isList() && !value.asList().empty();
}

} // namespace sg::ui
