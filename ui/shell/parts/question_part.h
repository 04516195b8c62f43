#pragma once

#include "core/base/value.h"
#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class InboxPanel;
class InterruptCard;

// The question of the selected thread. Where the inbox is seen it says the question, and a banner points
// there; else a card over the canvas says it.
class QuestionPart : public WindowPart {
    Q_OBJECT
public:
    QuestionPart(const WindowParts& parts, InterruptCard& card, InboxPanel& inbox);

private:
    void take(const StateView& state);
    void drop();
    void show();
    void point();

    InterruptCard* const m_card;
    InboxPanel* const m_inbox;
    ValueList m_interrupts; // of the selected thread's newest checkpoint
    QString m_asker; // the node that asks
    QString m_place; // thread and checkpoint
};

} // namespace sg::ui
