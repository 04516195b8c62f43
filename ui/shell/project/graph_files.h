#pragma once

#include "ui/bridge/editing/graph_export.h"
#include "ui/shell/parts/window_part.h"

class QMenu;

namespace sg::ui {

class CanvasPanel;
class Saving;

// Wires the ways of graphs to and from other programs.
class GraphFiles : public WindowPart {
    Q_OBJECT
public:
    GraphFiles(const WindowParts& parts, CanvasPanel& canvas, Saving& saving);

    void addTo(QMenu& file);
    // Writes the shown graph to a file, whose ending chooses the form; returns why it cannot. The client's
    // graphExported() follows.
    QString exportGraph(const QString& file);
    [[nodiscard]] QString whyNotExport() const; // the first error of the graph itself; empty: there is none
    void showImported(); // of the graph that was opened

Q_SIGNALS:
    void imported(const QString& graphFile);

private:
    void askExport(GraphFormat format, QLatin1String ending); // where to
    void showExported(const QString& target, const QString& notes, const UserError& error);
    void importGraph();

    CanvasPanel* const m_graph;
    Saving* const m_saving;
    QString m_importNotes; // of the graph that is being opened
};

} // namespace sg::ui
