#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>

#include <vector>

namespace sg::ui {

class AnswerQueue;
class InboxPanel;

// Reads the questions of all threads for their panel, and passes its answers on.
class InboxFeed : public QObject {
    Q_OBJECT
public:
    InboxFeed(const PanelParts& parts, InboxPanel& panel); // which owns it

private:
    void read();
    void passAnswers();
    void show(const std::vector<WaitingRow>& found);
    void count();

    const PanelParts m_parts;
    InboxPanel& m_panel;
    AnswerQueue* m_answers;
};

} // namespace sg::ui
