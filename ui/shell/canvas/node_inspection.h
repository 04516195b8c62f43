#pragma once

#include "core/base/value.h"
#include "core/graph/graph_file.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/graph/scene/node_state.h"

#include <QObject>

#include <vector>

namespace sg::ui {

class CodeEditor;
class GraphDocument;
class GraphScene;
class Inspector;
class Selection;
class ShownHistory;

// The inspector with the code in it: they show the selected node with what it did until the viewed
// checkpoint, else the selected edge, else the graph.
class NodeInspection : public QObject {
    Q_OBJECT
public:
    // All references must outlive it; the inspector gets `parent` and is handed over to the window.
    NodeInspection(Selection& selection, const ShownHistory& history, GraphDocument& document,
                   const GraphScene& scene, QWidget* parent);

    [[nodiscard]] Inspector* inspector() const { return m_inspector; }
    [[nodiscard]] CodeEditor& code() const { return *m_code; }
    void setFolder(const QString& folder) { m_folder = folder; }
    void setStates(const NodeStates& states) { m_states = states; }
    void setState(const StateView& state); // it may be what went into the task that is shown
    void setProblems(const std::vector<graph::Problem>& all, std::vector<graph::Problem> shown);
    void show(const HistoryRows& history); // of the shown graph

private:
    [[nodiscard]] const TaskRow* lastTask(const HistoryRows& history) const; // until the viewed checkpoint

    Selection& m_selection;
    const ShownHistory& m_history;
    GraphDocument& m_document;
    const GraphScene& m_scene;
    Inspector* const m_inspector;
    CodeEditor* const m_code;
    QString m_folder;
    NodeStates m_states;
    QString m_stateOf; // checkpoint
    Value m_stateValues;
};

} // namespace sg::ui
