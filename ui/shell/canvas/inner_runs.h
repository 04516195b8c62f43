#pragma once

#include "ui/bridge/rows/rows.h"

#include <QList>
#include <QStringList>

#include <map>

namespace sg::ui {

class GraphDocument;
class GraphScene;

// The runs inside of subgraphs, each with a history of its own: of the subgraph that the canvas has entered,
// and of those that are open in their places.
class InnerRuns {
public:
    InnerRuns(const GraphDocument& document, const GraphScene& scene);

    [[nodiscard]] QList<QStringList> paths() const; // of the subgraphs that are seen now
    void take(const HistoryRows& history, const QStringList& path);
    void clear() { m_histories.clear(); }
    [[nodiscard]] const HistoryRows& entered() const; // empty until it is read
    void show() const; // in the open ones

private:
    [[nodiscard]] QStringList words() const; // of the document's path
    [[nodiscard]] QStringList wordsTo(const NodeId& node) const;

    const GraphDocument& m_document;
    const GraphScene& m_scene;
    std::map<QStringList, HistoryRows> m_histories;
};

} // namespace sg::ui
