#include "ui/compare/run_comparison.h"

#include "core/base/json.h"
#include "ui/bridge/history/run_way.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {

namespace {

constexpr qsizetype kLongestValue = 200;

QString shortJson(const Value& value)
{
    QString text = QString::fromStdString(toJson(value, JsonStyle::Spaced));
    if (text.size() > kLongestValue)
        text = text.left(kLongestValue) + QStringLiteral("…");
    return text;
}

QString keyText(const Value& key)
{
    return QString::fromStdString(key.isString() ? key.asString() : toJson(key));
}

// The deepest part of both values that holds all their differences.
struct Differing {
    QString place;
    const Value* a;
    const Value* b;
};

bool goIntoMap(Differing& at)
{
    const ValueMap& a = at.a->asMap();
    const ValueMap& b = at.b->asMap();
    const Value* insideA = nullptr;
    const Value* insideB = nullptr;
    QString key;
    if (a.size() != b.size())
        return false;
    for (const auto& [name, value] : a) {
        const Value* other = b.find(name);
        if (other == nullptr || (*other != value && insideA != nullptr))
            return false;
        if (*other == value)
            continue;
        insideA = &value;
        insideB = other;
        key = keyText(name);
    }
    if (insideA == nullptr)
        return false;
    at = { at.place + QLatin1Char('.') + key, insideA, insideB };
    return true;
}

bool goIntoList(Differing& at)
{
    const ValueList& a = at.a->asList();
    const ValueList& b = at.b->asList();
    if (a.size() != b.size())
        return false;
    const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin());
    if (left == a.end() || !std::equal(left + 1, a.end(), right + 1))
        return false;
    at = { at.place + QStringLiteral("[%1]").arg(left - a.begin()), &*left, &*right };
    return true;
}

Differing differing(const Value& a, const Value& b)
{
    Differing at{ {}, &a, &b };
    while ((at.a->isMap() && at.b->isMap() && goIntoMap(at))
           || (at.a->isList() && at.b->isList() && goIntoList(at))) { }
    return at;
}

// Returns what one list has more than the other, which is its beginning.
QString restOf(const ValueList& list, std::size_t from)
{
    return QStringLiteral("… ")
        + shortJson(Value(ValueList(list.begin() + static_cast<std::ptrdiff_t>(from), list.end())));
}

ChannelComparison changedChannel(const QString& name, const Value& a, const Value& b)
{
    const Differing at = differing(a, b);
    ChannelComparison made{ name, shortJson(*at.a), shortJson(*at.b), ChannelComparison::Kind::Changed,
                            at.place };
    if (!at.a->isList() || !at.b->isList() || at.a->asList().size() == at.b->asList().size())
        return made;
    const ValueList& listA = at.a->asList();
    const ValueList& listB = at.b->asList();
    const std::size_t common = std::min(listA.size(), listB.size());
    if (common == 0
        || !std::equal(listA.begin(), listA.begin() + static_cast<std::ptrdiff_t>(common), listB.begin()))
        return made;
    made.place += QStringLiteral("[%1…]").arg(common);
    made.a = listA.size() > common ? restOf(listA, common) : QStringLiteral("…");
    made.b = listB.size() > common ? restOf(listB, common) : QStringLiteral("…");
    return made;
}

// The checkpoints from the input of a run to the compared one.
struct Way {
    std::vector<const CheckpointRow*> checkpoints; // oldest first
    QHash<QString, std::vector<const TaskRow*>> tasks; // by the checkpoint that they started from
};

Way wayOf(const HistoryRows& history, const QString& checkpoint)
{
    Way way;
    way.checkpoints = wayTo(history, checkpoint);
    QHash<QString, bool> isOn;
    for (const CheckpointRow* row : way.checkpoints)
        isOn.insert(row->id, true);
    for (const TaskRow& task : history.tasks)
        if (isOn.contains(task.checkpoint))
            way.tasks[task.checkpoint].push_back(&task);
    return way;
}

// A copy that a person made has the parent of what it copies, and the step behind that: what it copies is
// common to both ways, and stands for it. The numbers of places stay as they are.
Way withOriginals(Way way, const HistoryRows& history)
{
    for (std::size_t i = 1; i < way.checkpoints.size(); ++i) {
        const CheckpointRow& copy = *way.checkpoints[i];
        if (copy.source != checkpoint::Source::Fork || copy.step != way.checkpoints[i - 1]->step + 2)
            continue;
        const CheckpointRow* original = nullptr;
        for (const CheckpointRow& row : history.checkpoints)
            if (row.parent == copy.parent && row.step == copy.step - 1
                && (original == nullptr || row.next == copy.next))
                original = &row;
        if (original != nullptr)
            way.checkpoints[i] = original;
    }
    return way;
}

RunFigures figuresOf(const Way& way, int artifacts)
{
    RunFigures figures;
    figures.artifacts = artifacts;
    double from = kUnknown;
    double to = kUnknown;
    const auto stretch = [&](double ms) {
        if (std::isnan(ms))
            return;
        from = std::isnan(from) ? ms : std::min(from, ms);
        to = std::isnan(to) ? ms : std::max(to, ms);
    };
    for (const CheckpointRow* row : way.checkpoints) {
        figures.steps += row->step >= 1 ? 1 : 0;
        stretch(row->timeMs);
        for (const TaskRow* task : way.tasks.value(row->id)) {
            ++figures.tasks;
            figures.retries += std::max(0, task->attempts - 1);
            figures.failures += task->outcome == TaskOutcome::Failed ? 1 : 0;
            if (!std::isnan(task->seconds)) {
                figures.taskSeconds += task->seconds;
                stretch(task->startedMs + task->seconds * 1000);
            }
        }
    }
    figures.seconds = (to - from) / 1000;
    return figures;
}

bool isAlike(const CheckpointRow& a, const CheckpointRow& b)
{
    return a.id == b.id || (a.after == b.after && a.next == b.next && a.source == b.source);
}

void findParting(const Way& a, const Way& b, std::optional<std::size_t> states, RunComparison& made)
{
    std::size_t least = std::min(a.checkpoints.size(), b.checkpoints.size());
    std::size_t place = 0;
    least = std::min(least, states.value_or(least));
    while (place < least && isAlike(*a.checkpoints[place], *b.checkpoints[place])) {
        made.shared += a.checkpoints[place]->id == b.checkpoints[place]->id ? 1 : 0;
        ++place;
    }
    const CheckpointRow* left = place < a.checkpoints.size() ? a.checkpoints[place] : nullptr;
    const CheckpointRow* right = place < b.checkpoints.size() ? b.checkpoints[place] : nullptr;
    if (left == nullptr && right == nullptr)
        return;
    made.step = left != nullptr ? left->step : right->step;
    if (left != nullptr) {
        made.nodesA = left->after;
        made.checkpointA = left->id;
    }
    if (right != nullptr) {
        made.nodesB = right->after;
        made.checkpointB = right->id;
    }
}

void compareNodes(const Way& a, const Way& b, RunComparison& made)
{
    QHash<QString, std::size_t> places;
    const auto take = [&](const Way& way, int NodeComparison::*runs) {
        for (const CheckpointRow* row : way.checkpoints)
            for (const QString& node : row->after) {
                if (node.startsWith(QLatin1String("__")))
                    continue; // the input's own task belongs to no node
                if (!places.contains(node)) {
                    places.insert(node, made.nodes.size());
                    made.nodes.push_back({ node, 0, 0, NodeComparison::Kind::Same });
                }
                NodeComparison& found = made.nodes[places.value(node)];
                ++(found.*runs);
                const bool isBehind = made.step && row->step >= *made.step;
                if (isBehind)
                    found.kind = NodeComparison::Kind::Changed;
            }
    };
    take(a, &NodeComparison::runsA);
    take(b, &NodeComparison::runsB);
    for (NodeComparison& node : made.nodes)
        node.kind = node.runsB == 0 ? NodeComparison::Kind::OnlyA
            : node.runsA == 0       ? NodeComparison::Kind::OnlyB
                                    : node.kind;
}

void compareChannels(const Value& a, const Value& b, RunComparison& made)
{
    using ChannelKind = ChannelComparison::Kind;
    if (!a.isMap() || !b.isMap())
        return;
    for (const auto& [key, value] : a.asMap()) {
        const Value* other = b.asMap().find(key);
        if (other != nullptr && *other != value)
            made.channels.push_back(changedChannel(keyText(key), value, *other));
        else
            made.channels.push_back({ keyText(key), shortJson(value), other ? shortJson(*other) : QString(),
                                      other == nullptr ? ChannelKind::OnlyA : ChannelKind::Same });
    }
    for (const auto& [key, value] : b.asMap())
        if (a.asMap().find(key) == nullptr)
            made.channels.push_back({ keyText(key), {}, shortJson(value), ChannelKind::OnlyB });
    std::ranges::stable_sort(made.channels, {}, [](const ChannelComparison& channel) {
        return channel.kind == ChannelKind::Same; // differences first
    });
}

} // namespace

RunComparison compareRuns(const ComparisonRows& rows)
{
    RunComparison made;
    Way a = wayOf(rows.a, rows.checkpointA);
    Way b = wayOf(rows.b, rows.checkpointB);
    made.a = figuresOf(a, rows.artifactsA);
    made.b = figuresOf(b, rows.artifactsB);
    made.a.peakMemory = rows.peakMemoryA;
    made.b.peakMemory = rows.peakMemoryB;
    made.a.usage = rows.usageA;
    made.b.usage = rows.usageB;
    made.currency = rows.currency;
    a = withOriginals(std::move(a), rows.a);
    b = withOriginals(std::move(b), rows.b);
    findParting(a, b, rows.parting, made);
    compareNodes(a, b, made);
    compareChannels(rows.valuesA, rows.valuesB, made);
    return made;
}

} // namespace sg::ui
