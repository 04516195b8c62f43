#pragma once

#include "core/graph/graph_file.h"

#include <QTimer>
#include <QWidget>

#include <map>
#include <vector>

class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace sg::ui {

class GraphDocument;

// All nodes of the graph as a tree, with those of subgraphs below them, and the notes of the shown graph: the
// canvas as a list. F2 edits names and notes, Delete removes; each is a step of the same document.
class Outline : public QWidget {
    Q_OBJECT
public:
    explicit Outline(GraphDocument& document, QWidget* parent = nullptr);
    void setCurrent(const QString& node); // of the shown graph; empty for none
    void setProblems(const std::vector<graph::Problem>& problems); // of the whole graph

Q_SIGNALS:
    void chosen(const QString& node); // emitted after the document shows the node's graph
    void noteChosen(std::size_t note); // of the shown graph
    void activated(); // Enter or double click on a row
    void hinted(const QString& text); // why something cannot be done

protected:
    void showEvent(QShowEvent* event) override;

private:
    using Path = std::vector<NodeId>; // the node itself is last
    void takeSoon();
    void rebuild();
    void add(const graph::Graph& graph, QTreeWidgetItem* under, const Path& around,
             const std::string& pointer);
    void addNotes();
    void write(std::size_t note, const QString& text);
    [[nodiscard]] static QString shapeOf(const graph::Graph& graph);
    void mark(QTreeWidgetItem& row, const std::string& pointer) const;
    void showCurrent();
    void choose(const QTreeWidgetItem* row);
    void rename(QTreeWidgetItem* row);
    void removeCurrent();
    void goAround(const Path& path); // shows the graph that holds the node

    GraphDocument& m_document;
    QTreeWidget* m_tree;
    QStackedLayout* m_stack;
    QTimer m_soon; // a step in a graph of thousands of nodes does not wait for the rows
    bool m_isOld = true;
    QString m_current;
    std::map<const QTreeWidgetItem*, Path> m_paths;
    std::map<const QTreeWidgetItem*, std::size_t> m_notes;
    QString m_shape; // describes what the rows show
    std::vector<graph::Problem> m_problems;
};

} // namespace sg::ui
