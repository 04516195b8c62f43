#include "ui/shell/parts/question_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/dock_layout.h"

#include <QTimer>

#include <algorithm>

namespace sg::ui {
namespace {

QString askerOf(const StateView& state)
{
    const auto asks = std::ranges::find(state.tasks, TaskOutcome::Interrupted, &TaskRow::outcome);
    return asks == state.tasks.end() ? QString() : asks->node;
}

} // namespace

QuestionPart::QuestionPart(const WindowParts& parts, InterruptCard& card, InboxPanel& inbox)
    : WindowPart(parts)
    , m_card(&card)
    , m_inbox(&inbox)
{
    card.setFramed(true);
    m_banners->carry(&card);
    connect(m_card, &InterruptCard::answered, this, [this](const QString& json) {
        if (!m_interrupts.empty())
            m_clients->runs.answerOne(m_selection->thread(),
                                      QString::fromStdString(m_interrupts.front().stringOr("id", "")), json);
    });
    connect(&m_clients->history, &HistoryClient::stateLoaded, this, &QuestionPart::take);
    connect(m_selection, &Selection::threadChanged, this, &QuestionPart::drop);
    connect(&m_clients->runs, &RunsClient::runStarted, this, [this](const QString& thread) {
        if (thread == m_selection->thread())
            drop();
    });
    connect(m_docks, &DockLayout::sightChanged, this, [this](const QWidget* panel) {
        if (panel == m_inbox)
            QTimer::singleShot(0, this, &QuestionPart::show); // when the docks stand where they are to
    });
}

void QuestionPart::take(const StateView& state)
{
    if (state.thread != m_selection->thread())
        return;
    const bool isLive = m_selection->checkpoint().isEmpty() && !m_book->isRunning(state.thread)
        && !m_clients->project.info().isReadOnly;
    m_interrupts = isLive ? state.interrupts : ValueList();
    m_asker = askerOf(state);
    m_place = state.thread + QLatin1Char('/') + state.checkpoint;
    show();
}

void QuestionPart::drop()
{
    m_interrupts.clear();
    show();
}

void QuestionPart::show()
{
    const bool isInInbox = m_docks->isSeen(m_inbox);
    m_card->setInterrupts(isInInbox ? ValueList() : m_interrupts, m_place);
    if (isInInbox && !m_interrupts.empty())
        point();
    else
        m_banners->withdraw(BannerStack::Owner::Question);
}

void QuestionPart::point()
{
    m_banners->tell(BannerStack::Owner::Question,
                    { .kind = Banner::Kind::Paused,
                      .text = m_asker.isEmpty()
                          ? tr("**Waiting for you**, the question is in the inbox")
                          : tr("**%1 waits for you**, the question is in the inbox").arg(m_asker),
                      .isQuestion = true,
                      .actions = { { .text = tr("Answer"),
                                     .run = [this] { m_inbox->focusQuestionOf(m_selection->thread()); },
                                     .withdraws = false,
                                     .isDefault = true } } });
}

} // namespace sg::ui
