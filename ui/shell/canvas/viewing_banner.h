#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/canvas/graph_then.h"
#include "ui/widgets/banner.h"

namespace sg::ui {

class ShownHistory;

// Says over the canvas that the past is looked at, or a graph guessed from checkpoints, with the ways on.
class ViewingBanner : public Banner {
    Q_OBJECT
public:
    ViewingBanner(const ShownHistory& history, QWidget* parent);

    // `viewed`: null at the head. `canAdopt`: the skeleton can become the project's graph.
    void showStep(const CheckpointRow* viewed, GraphThen::Shows shows, bool canAdopt);

Q_SIGNALS:
    void returnRequested(); // to the head
    void compareRequested(); // with the graph now
    void adoptRequested();

private:
    [[nodiscard]] QString momentWords(double checkpointMs) const; // "14:28:47.200, 1.2 s into the tasks"

    const ShownHistory& m_history;
    QPushButton* const m_adopt;
    QPushButton* const m_return;
    QPushButton* const m_compare;
};

} // namespace sg::ui
