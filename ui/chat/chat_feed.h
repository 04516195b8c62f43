#pragma once

#include "ui/bridge/rows/chat_rows.h"
#include "ui/selection/panel_parts.h"

#include <QObject>
#include <QTimer>

namespace sg::ui {

class ChatDocument;
class Sight;

// Reads the chat of one thread at the viewed step while it is seen, and follows it while models answer.
class ChatFeed : public QObject {
    Q_OBJECT
public:
    ChatFeed(const PanelParts& parts, ChatDocument& chat); // which owns it

private:
    void followSelection();
    void followClient();
    void followRuns();
    void followBook();
    void goTo(const ChatRow& row);
    void read(); // now, or once it is seen
    void readSoon(const QString& thread);
    void showSteps();
    void showPlace();
    void showState();
    [[nodiscard]] bool isShown() const; // the selected thread is the chat's
    [[nodiscard]] QString place() const; // checkpoint; empty: the head
    [[nodiscard]] int stepOf(const QString& checkpoint) const; // -1: not known

    const PanelParts m_parts;
    ChatDocument& m_chat;
    const Sight* m_sight;
    bool m_isStale = false; // others than those that are shown are to be read
    QTimer m_soon;
};

} // namespace sg::ui
