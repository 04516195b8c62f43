#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"

#include <QObject>

#include <string>

namespace sg::ui {

class GraphView;

// The graph that is shown in place of the project's: the one that the run was started on which is looked at,
// or, where there is no graph, a skeleton guessed from checkpoints. It cannot be edited.
class GraphThen : public QObject {
    Q_OBJECT
public:
    enum class Shows { Nothing, Version, Skeleton };
    explicit GraphThen(QWidget* parent); // of its view, which is hidden

    [[nodiscard]] Shows shows() const { return m_shows; }
    [[nodiscard]] bool isShown() const { return m_shows != Shows::Nothing; }
    [[nodiscard]] bool isSkeleton() const { return m_shows == Shows::Skeleton; }
    [[nodiscard]] GraphView& view() const { return *m_view; }
    [[nodiscard]] GraphScene& scene() { return m_scene; }
    [[nodiscard]] const GraphDocument& document() const { return m_document; }

    // Shows the old graph if it differs in what affects a run; otherwise today's stays.
    void showVersion(const std::string& text, const GraphDocument& now);
    bool showSkeleton(const graph::Graph& graph); // false: it is shown already, zoom and place stay
    void hide();
    void goTo(const std::vector<NodeId>& path);
    void setRun(const HistoryRows& history, const QString& checkpoint, double moment); // what it did there
    // A skeleton changes once its thread has more checkpoints. Returns false if this one was asked for
    // already.
    bool asksFor(const HistoryRows& thread);

Q_SIGNALS:
    void changed(); // what shows() says

private:
    void show(Shows what);

    GraphDocument m_document;
    GraphScene m_scene;
    GraphView* const m_view;
    Shows m_shows = Shows::Nothing;
    std::string m_text; // of the version
    qint64 m_askedAt = 0; // so many checkpoints the thread had when the skeleton was asked for
};

} // namespace sg::ui
