#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class DesktopNotice;
class InboxPanel;
class StatusLine;

// Tells of questions that wait and of runs that ended while nobody looks, and leads to the next question.
class InboxPart : public WindowPart {
    Q_OBJECT
public:
    InboxPart(const WindowParts& parts, InboxPanel& inbox, StatusLine& status);

    [[nodiscard]] QAction* nextAction() const { return m_next; } // question that waits

private:
    void connectRunNotices();
    void showCount(int asking, int pauses);
    void notifyOf(const WaitingRow& row);

    InboxPanel* const m_inbox;
    StatusLine* const m_status;
    DesktopNotice* m_notice;
    QAction* m_next;
};

} // namespace sg::ui
