#pragma once

#include "ui/state/message_text.h"

#include <QTextBrowser>

namespace sg::ui {

// Messages as a conversation: the author, the text, and each tool call with its arguments and answer.
// Read-only; messages are never taken as markup, and nothing is loaded.
class MessageView : public QTextBrowser {
    Q_OBJECT
public:
    explicit MessageView(QWidget* parent);

    void setState(const Value& state);
    [[nodiscard]] QVariant loadResource(int type, const QUrl& name) override; // returns nothing

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    Messages m_messages;
};

} // namespace sg::ui
