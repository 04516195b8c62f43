#pragma once

#include "core/base/ids.h"
#include "ui/widgets/strip.h"

#include <QString>

#include <cstddef>
#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace sg::ui {

class GraphView;

// Search bar above the canvas. Finds nodes by name, kind and what they run, and notes by their text; the hit
// is selected and scrolled into view while one types. Enter and Shift+Enter go to the next and previous hit,
// Escape returns to the canvas.
class CanvasSearch : public Strip {
    Q_OBJECT
public:
    explicit CanvasSearch(GraphView& view, QWidget* parent = nullptr);
    void open(); // with the last search text, selected
    void close();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Hit {
        NodeId node; // empty if the hit is a note
        std::size_t note;
    };
    void look();
    void findHits();
    void step(int by);
    void showHit();

    GraphView& m_view;
    QLineEdit* m_words;
    QLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    std::vector<Hit> m_hits;
    std::size_t m_at = 0;
};

} // namespace sg::ui
