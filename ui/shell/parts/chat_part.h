#pragma once

#include "ui/documents/document_area.h"
#include "ui/shell/parts/window_part.h"

#include <QTimer>

class QAction;

namespace sg::ui {

// Opens the chat of the selected thread, and names on the timeline what was said inside of its tasks.
class ChatPart : public WindowPart {
    Q_OBJECT
public:
    explicit ChatPart(const WindowParts& parts);

    [[nodiscard]] QAction* openAction() const { return m_open; } // the chat of the selected thread

private:
    void openChat();
    void nameInner();
    void readInner();
    void readSoon(const QString& thread);

    DocumentArea* const m_documents;
    QAction* m_open;
    QTimer m_readSoon;
};

} // namespace sg::ui
