#pragma once

#include "ui/chat/chat_entries.h"
#include "ui/chat/message_text.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QImage>
#include <QRectF>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sg::ui {

// A piece of an entry. Rectangles are relative to the entry's top left corner.
struct ChatBox {
    enum class Kind {
        Icon, // of who speaks
        Line, // one line of text, elided
        Text, // a document
        Picture,
        Thought, // the head of what a model thought; it folds
        Call, // the head of a call; it folds
        Frame, // around an opened call, below its other parts
        Rule, // a line across
        More, // a link that shows the rest of an output
        Cursor, // where the next word comes
    };
    Kind kind = Kind::Line;
    QRectF rect;
    int call = -1; // that it belongs to
    QString text = {};
    Token ink = &Tokens::text;
    bool isBold = false;
    bool isRight = false; // aligned
    std::shared_ptr<InertDocument> document = {};
    QImage picture = {};
    // Set for a call alone:
    StateKind state = StateKind::Idle;
    bool isOpen = false; // also of a thought
    QString note = {}; // beside its name
    QString brief = {}; // what it is about, elided
    QString time = {};
    double from = 0; // of its round, 0…1
    double to = 0;
};

struct ChatLayout {
    double width = 0;
    double height = 0;
    std::vector<ChatBox> parts; // painted in this order
    [[nodiscard]] const ChatBox* at(const QPointF& place) const; // the topmost one; null: none
};

// The choices by which entries are shown.
struct ChatLook {
    double width = 0;
    bool isAsSent = false; // as they are stored
    StateKind unanswered = StateKind::Skipped; // what a call without an answer is
    int step = -1; // of the entry; -1: unknown
    QString currency = {};
    // "thought", "0" (the call), "0/all" (all lines of its output).
    std::function<bool(const QString& part)> isOpen = {};
};

// Documents of `before` whose text is still the same are used again.
ChatLayout layOut(const ChatEntry& entry, const ChatLook& look, const ChatLayout* before = nullptr);
QString costText(double cost, const QString& currency); // "$0.0020"
double guessedHeight(const ChatEntry& entry, const ChatLook& look); // without laying it out

} // namespace sg::ui
