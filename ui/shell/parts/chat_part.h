#pragma once

#include "ui/documents/document_area.h"
#include "ui/shell/parts/window_part.h"

#include <QSet>
#include <QTimer>

#include <vector>

class QAction;

namespace sg::ui {

class ChatDocument;

// The chats of threads: opened from a thread or an agent, read at the step that is looked at, followed while
// models answer.
class ChatPart : public WindowPart {
    Q_OBJECT
public:
    explicit ChatPart(const WindowParts& parts);

    [[nodiscard]] QAction* openAction() const { return m_open; } // the chat of the selected thread

private:
    void openChat();
    void wire(ChatDocument* chat);
    void followRuns();
    void read(ChatDocument* chat); // now, or once it is seen
    void readInner();
    void readSoon(const QString& thread);
    void showPlace(ChatDocument* chat);
    void showState(ChatDocument* chat);
    [[nodiscard]] std::vector<ChatDocument*> chats(const QString& thread = {}) const; // empty: of all threads
    [[nodiscard]] QString placeOf(const ChatDocument* chat) const; // checkpoint; empty: the head

    DocumentArea* const m_documents;
    QAction* m_open;
    QSet<QString> m_stale; // threads
    QTimer m_readSoon;
};

} // namespace sg::ui
