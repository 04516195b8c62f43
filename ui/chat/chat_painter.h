#pragma once

#include "ui/chat/chat_layout.h"

#include <QString>

class QPainter;

namespace sg::ui {

// The marks in an entry.
struct ChatMarks {
    bool isCurrent = false; // the keyboard is here
    int call = -1; // on this call of it; -1: on the message
    bool hasFocus = false; // the view
    QString found; // words that are looked for
    int selected = -1; // index of a part with selected text
    int from = 0; // in its document
    int to = 0;
};

// Paints one entry at the painter's origin.
void paintEntry(QPainter& painter, const ChatLayout& layout, const ChatMarks& marks, const QRectF& seen);

} // namespace sg::ui
