#include "ui/shell/canvas/inner_runs.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/inner_graph.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/run_view.h"

namespace sg::ui {

InnerRuns::InnerRuns(const GraphDocument& document, const GraphScene& scene)
    : m_document(document)
    , m_scene(scene)
{
}

QStringList InnerRuns::words() const
{
    QStringList words;
    for (const NodeId& id : m_document.path())
        words << QString::fromStdString(id.value);
    return words;
}

QStringList InnerRuns::wordsTo(const NodeId& node) const
{
    return words() << QString::fromStdString(node.value);
}

QList<QStringList> InnerRuns::paths() const
{
    QList<QStringList> paths;
    if (!m_document.path().empty())
        paths << words();
    for (const DrawnNode& node : m_document.drawing().nodes)
        if (node.isOpen())
            paths << wordsTo(node.id);
    return paths;
}

void InnerRuns::take(const HistoryRows& history, const QStringList& path)
{
    if (paths().contains(path))
        m_histories[path] = history;
}

const HistoryRows& InnerRuns::entered() const
{
    static const HistoryRows kNone;
    const auto found = m_histories.find(words());
    return found == m_histories.end() ? kNone : found->second;
}

void InnerRuns::show() const
{
    for (const NodeItem* node : m_scene.nodes())
        if (InnerGraph* inside = node->inside()) {
            const auto found = m_histories.find(wordsTo(node->node().id));
            const RunView run = found == m_histories.end()
                ? RunView()
                : runViewAt(inside->drawing(), found->second, {}, kUnknown);
            inside->setStates(run.nodes, run.edges);
        }
}

} // namespace sg::ui
