#include "ui/compare/merged_flow.h"

#include "ui/bridge/history/run_way.h"

#include <QHash>

#include <algorithm>
#include <map>
#include <set>

namespace sg::ui {

namespace {

using Link = std::pair<QString, QString>;

struct Course {
    std::set<Link> links;
    QHash<QString, int> first; // position on the way where a node first ran
};

Course courseOf(const HistoryRows& history, const QString& checkpoint)
{
    Course course;
    std::vector<const CheckpointRow*> way = wayTo(history, checkpoint); // oldest first
    for (std::size_t place = 0; place < way.size(); ++place) {
        const CheckpointRow& row = *way[place];
        for (const QString& node : row.after)
            if (!course.first.contains(node))
                course.first.insert(node, static_cast<int>(place));
        if (place + 1 == way.size())
            break;
        for (const QString& from : row.after)
            for (const QString& to : way[place + 1]->after)
                course.links.insert({ from, to });
    }
    return course;
}

} // namespace

MergedFlow mergedFlow(const ComparisonRows& rows, const RunComparison& comparison)
{
    const Course a = courseOf(rows.a, rows.checkpointA);
    const Course b = courseOf(rows.b, rows.checkpointB);
    MergedFlow flow;
    QHash<QString, int> places;
    std::map<int, int> columns; // position on the way → column
    const auto firstOf = [&](const QString& node) {
        return std::min(a.first.value(node, 1 << 30), b.first.value(node, 1 << 30));
    };
    for (const NodeComparison& node : comparison.nodes)
        columns.emplace(firstOf(node.node), 0);
    for (auto& [step, column] : columns)
        column = flow.columns++;
    QHash<int, int> used; // rows used in each column
    for (const NodeComparison& node : comparison.nodes) {
        const int column = columns.at(firstOf(node.node));
        places.insert(node.node, static_cast<int>(flow.nodes.size()));
        flow.nodes.push_back({ node, column, used[column]++ });
        flow.rows = std::max(flow.rows, used[column]);
    }
    std::set<Link> links = a.links;
    links.insert(b.links.begin(), b.links.end());
    for (const Link& link : links) {
        if (!places.contains(link.first) || !places.contains(link.second))
            continue;
        const bool inA = a.links.contains(link);
        const bool inB = b.links.contains(link);
        flow.edges.push_back({ places.value(link.first), places.value(link.second),
                               inA && inB ? NodeComparison::Kind::Same
                                   : inA  ? NodeComparison::Kind::OnlyA
                                          : NodeComparison::Kind::OnlyB });
    }
    return flow;
}

} // namespace sg::ui
