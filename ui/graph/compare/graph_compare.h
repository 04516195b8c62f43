#pragma once

#include "core/graph/diff.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/scene/graph_scene.h"

#include <QWidget>

#include <memory>
#include <vector>

class QGraphicsItem;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QTreeWidget;

namespace sg::ui {

class GraphView;

// Two versions of a graph side by side, with a mark at each difference, a list of the differences, and a line
// diff of both files. Both sides move and zoom together; choosing a row shows it on both.
class GraphCompare : public QWidget {
    Q_OBJECT
public:
    explicit GraphCompare(QWidget* parent = nullptr);
    ~GraphCompare() override;

    struct Version {
        graph::Graph graph;
        QString label; // "git HEAD", "as the run of 14:03 had it", "now"
    };
    void compare(const Version& before, const Version& after);

Q_SIGNALS:
    void restoreRequested(const sg::graph::Graph& graph); // the older version, to be written as a new file

private:
    struct Side {
        GraphDocument document;
        std::unique_ptr<GraphScene> scene;
        GraphView* view = nullptr;
        QLabel* label = nullptr;
        std::vector<QGraphicsItem*> marks;
    };
    QWidget* makeSide(Side& side);
    void follow(Side& moved, Side& other);
    void fillList();
    void fillText();
    void mark(Side& side, graph::PartChange own);
    void clearMarks(Side& side);
    void showDifference(int row);

    Side m_before;
    Side m_after;
    QTreeWidget* m_list;
    QPlainTextEdit* m_text;
    QLabel* m_summary;
    std::vector<graph::Difference> m_found;
    graph::Graph m_older;
    bool m_following = false;
};

} // namespace sg::ui
