#pragma once

#include "core/base/value.h"
#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class InboxPanel;
class InterruptCard;

// Shows the question of the selected thread: in the inbox, if that is seen, with a banner that points there;
// else on a card over the canvas.
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
