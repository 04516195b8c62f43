#include "ui/shell/canvas/node_inspection.h"

#include "ui/code/code_editor.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"

#include <algorithm>
#include <iterator>

namespace sg::ui {

NodeInspection::NodeInspection(Selection& selection, const ShownHistory& history, GraphDocument& document,
                               const GraphScene& scene, QWidget* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_history(history)
    , m_document(document)
    , m_scene(scene)
    , m_inspector(new Inspector(document, parent))
    , m_code(new CodeEditor(document, m_inspector))
{
    m_inspector->setCode(m_code);
    m_inspector->setCodeVisible(false);
    connect(m_code, &CodeEditor::shownChanged, this,
            [this] { m_inspector->setCodeVisible(m_code->hasCode()); });
    connect(m_inspector, &Inspector::renamed, &m_selection, &Selection::setNode);
}

void NodeInspection::setState(const StateView& state)
{
    m_stateOf = state.thread == m_selection.thread() ? state.checkpoint : QString();
    m_stateValues = state.values;
}

// A problem in a file is shown in that file, wherever in the graph the file is named first.
void NodeInspection::setProblems(const std::vector<graph::Problem>& all, std::vector<graph::Problem> shown)
{
    const auto isOfFile = [](const graph::Problem& problem) { return problem.code == "bad-python"; };
    std::erase_if(shown, isOfFile);
    std::ranges::copy_if(all, std::back_inserter(shown), isOfFile);
    m_code->setProblems(shown);
}

void NodeInspection::show(const HistoryRows& history)
{
    const NodeId id(m_selection.node().toStdString());
    m_code->setNode(id);
    const auto& nodes = m_document.graph().nodes;
    const auto node = std::ranges::find(nodes, id, &graph::Node::name);
    if (node == nodes.end()) {
        const std::size_t edge = m_scene.currentEdge();
        if (edge < m_document.drawing().edges.size())
            m_inspector->showEdge(m_document.drawing().edges[edge]);
        else
            m_inspector->showGraph();
        return;
    }
    NodeReport report;
    report.node = *node;
    report.folder = m_folder;
    if (const auto state = m_states.find(id); state != m_states.end())
        report.state = state->second;
    if (const TaskRow* task = lastTask(history))
        report.task = *task;
    if (report.task && !m_stateOf.isEmpty() && report.task->checkpoint == m_stateOf)
        report.wentIn = m_stateValues;
    m_inspector->showNode(report);
    const bool failed = report.task && report.state.kind == StateKind::Failed;
    m_code->setFailure(failed ? report.task->detail : QString(), failed ? report.task->error : QString());
}

const TaskRow* NodeInspection::lastTask(const HistoryRows& history) const
{
    const HistoryRows& whole = m_history.rows();
    const auto viewed = std::ranges::find(whole.checkpoints, m_selection.checkpoint(), &CheckpointRow::id);
    const bool all = viewed == whole.checkpoints.end() || &history != &whole;
    for (auto task = history.tasks.rbegin(); task != history.tasks.rend(); ++task)
        if (task->node == m_selection.node() && (all || task->step <= viewed->step))
            return &*task;
    return nullptr;
}

} // namespace sg::ui
