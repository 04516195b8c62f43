#include "ui/chat/chat_document.h"

#include "ui/chat/chat_feed.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

QString nothingYet()
{
    return ChatDocument::tr("Messages appear here once the state of this thread holds some.");
}

QToolButton* arrow(QLatin1String name, const QString& words, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(name));
    button->setAutoRaise(true);
    button->setAccessibleName(words);
    button->setToolTip(words);
    makeDense(button);
    return button;
}

} // namespace

ChatDocument::ChatDocument(const QString& thread, QWidget* parent)
    : QWidget(parent)
    , m_thread(thread)
{
    setAccessibleName(tr("Messages of %1").arg(thread));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createBar());
    column->addWidget(m_finding = createFinding());
    m_pages = new QStackedWidget(this);
    m_empty = new EmptyState(QLatin1String("text"), nothingYet(), m_pages);
    m_view = new ChatView(m_pages);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_view);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_view);
    connect(m_empty->setButton(tr("Try again")), &QPushButton::clicked, this, &ChatDocument::readAgain);
    m_empty->setButton(tr("Try again"))->hide();
    connect(m_view, &ChatView::stepRequested, this, &ChatDocument::stepRequested);
    connect(m_view, &ChatView::followingChanged, m_follow, &QPushButton::setChecked);
    connect(m_follow, &QPushButton::clicked, m_view, &ChatView::setFollowing);
    connect(m_form, &SegmentedControl::activated, m_view, [this](int form) { m_view->setAsSent(form == 1); });
    connect(m_speakers, &QComboBox::activated, this, [this](int index) {
        m_view->setSpeaker(index == 0 ? QString() : m_speakers->itemText(index));
        showSums();
        look();
    });
    showTitle();
}

ChatDocument::ChatDocument(const PanelParts& parts, const QString& thread, QWidget* parent)
    : ChatDocument(thread, parent)
{
    new ChatFeed(parts, *this);
}

QWidget* ChatDocument::createBar()
{
    auto* bar = new Strip(36, &Tokens::subtle, this);
    m_form = new SegmentedControl(tr("How messages are shown"), SegmentedControl::Mode::Single, bar);
    makeDense(m_form);
    m_form->addSegment(tr("Conversation"));
    m_form->addSegment(tr("As stored"));
    m_form->segment(1)->setToolTip(tr("Each message as JSON, as the checkpoint holds it"));
    m_speakers = new QComboBox(bar);
    makeDense(m_speakers);
    m_speakers->setAccessibleName(tr("Whose messages are shown"));
    m_speakers->addItem(tr("everyone"));
    m_sums = new ElidedLabel({}, bar);
    m_sums->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_sums->setFont(uiFont(TextSize::Dense));
    m_sums->setObjectName(QStringLiteral("chatSums"));
    auto* find = arrow(QLatin1String("search"), tr("Find in messages (Ctrl+F)"), bar);
    connect(find, &QToolButton::clicked, this, &ChatDocument::openFind);
    m_follow = new QPushButton(icon(QLatin1String("follow")), tr("Follow"), bar);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Stay at the newest message"));
    makeDense(m_follow);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 1);
    row->addWidget(m_form);
    row->addWidget(m_speakers);
    row->addWidget(m_sums, 1);
    row->addWidget(find);
    row->addWidget(m_follow);
    return bar;
}

QWidget* ChatDocument::createFinding()
{
    auto* bar = new Strip(36, &Tokens::subtle, this);
    m_words = new QLineEdit(bar);
    makeDense(m_words);
    m_words->setPlaceholderText(tr("Find in messages"));
    m_words->setAccessibleName(tr("Find in messages"));
    m_words->setClearButtonEnabled(true);
    m_count = new QLabel(bar);
    m_count->setFont(uiFont(TextSize::Dense));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* previous = arrow(QLatin1String("up"), tr("Previous match"), bar);
    auto* next = arrow(QLatin1String("down"), tr("Next match"), bar);
    auto* close = arrow(QLatin1String("close"), tr("Close"), bar);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 1);
    row->addWidget(m_words, 1);
    row->addWidget(m_count);
    row->addWidget(previous);
    row->addWidget(next);
    row->addWidget(close);
    connect(m_words, &QLineEdit::textChanged, this, &ChatDocument::look);
    connect(m_words, &QLineEdit::returnPressed, this, [this] { stepFound(1); });
    connect(previous, &QToolButton::clicked, this, [this] { stepFound(-1); });
    connect(next, &QToolButton::clicked, this, [this] { stepFound(1); });
    connect(close, &QToolButton::clicked, this, [this] {
        m_finding->hide();
        m_words->clear();
        m_view->setFocus();
    });
    bar->hide();
    return bar;
}

void ChatDocument::showTitle()
{
    setWindowTitle(
        (m_place.isEmpty() ? tr("%1: messages").arg(m_thread) : tr("%1: messages, %2").arg(m_thread, m_place))
        + QStringLiteral("[*]"));
}

void ChatDocument::setPlace(const QString& place)
{
    m_place = place;
    showTitle();
}

void ChatDocument::setRows(const ChatRows& rows)
{
    m_currency = rows.currency;
    if (!rows.error.what.isEmpty()) {
        m_empty->setIcon(QLatin1String("error"));
        m_empty->setSentence(tr("These messages cannot be read: %1").arg(rows.error.what));
        m_empty->setButton(tr("Try again"))->show();
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    m_empty->setIcon(QLatin1String("text"));
    m_empty->setSentence(nothingYet());
    m_empty->setButton(tr("Try again"))->hide();
    m_view->setRows(rows);
    m_pages->setCurrentWidget(m_view->entries().size() == 0 ? static_cast<QWidget*>(m_empty) : m_view);
    showSpeakers();
    showSums();
    if (m_finding->isVisible())
        look();
}

void ChatDocument::add(const std::vector<ChatPiece>& pieces)
{
    std::vector<ChatPiece> own;
    for (const ChatPiece& piece : pieces)
        if (piece.thread == m_thread)
            own.push_back(piece);
    if (own.empty())
        return;
    m_view->add(own);
    if (m_view->entries().size() > 0)
        m_pages->setCurrentWidget(m_view);
}

void ChatDocument::showSpeakers()
{
    const QStringList names = m_view->entries().speakers();
    QStringList shown;
    for (int i = 1; i < m_speakers->count(); ++i)
        shown << m_speakers->itemText(i);
    if (names != shown) {
        while (m_speakers->count() > 1)
            m_speakers->removeItem(1);
        m_speakers->addItems(names);
        const int at = m_speakers->findText(m_view->entries().speaker());
        m_speakers->setCurrentIndex(std::max(0, at));
    }
    m_speakers->setVisible(names.size() > 1);
}

void ChatDocument::showSums()
{
    const ChatSums sums = m_view->entries().sums();
    QString words;
    if (sums.turns > 0) {
        words = (sums.turns == 1 ? tr("1 turn, %2 in, %3 out")
                                 : tr("%1 turns, %2 in, %3 out").arg(formatCount(sums.turns)))
                    .arg(formatCount(sums.input), formatCount(sums.output));
        if (!qIsNaN(sums.cost))
            words += QStringLiteral(", ") + costText(sums.cost, m_currency);
        if (sums.unpriced > 0)
            words +=
                qIsNaN(sums.cost) ? tr(", no price known") : tr(" + %1 without price").arg(sums.unpriced);
    }
    m_sums->setFullText(words);
}

void ChatDocument::openFind()
{
    m_finding->show();
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
    look();
}

void ChatDocument::look()
{
    m_found = m_view->find(m_words->text());
    const auto at = std::ranges::find_if(m_found, [now = m_view->current()](const ChatItem& item) {
        return item.entry > now.entry || (item.entry == now.entry && item.call >= now.call);
    });
    m_present = m_found.empty() ? -1 : at == m_found.end() ? 0 : static_cast<int>(at - m_found.begin());
    stepFound(0);
}

void ChatDocument::stepFound(int by)
{
    const int count = static_cast<int>(m_found.size());
    if (count > 0) {
        m_present = (m_present + by + count) % count;
        m_view->goTo(m_found[static_cast<std::size_t>(m_present)]);
    }
    m_count->setText(m_words->text().isEmpty() ? QString()
                         : count == 0          ? tr("No message holds it")
                                               : tr("%1 of %2").arg(m_present + 1).arg(count));
}

void ChatDocument::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Find))
        openFind();
    else if (event->matches(QKeySequence::FindNext) && m_finding->isVisible())
        stepFound(1);
    else if (event->matches(QKeySequence::FindPrevious) && m_finding->isVisible())
        stepFound(-1);
    else if (event->key() == Qt::Key_Escape && m_finding->isVisible()) {
        m_finding->hide();
        m_words->clear();
        m_view->setFocus();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace sg::ui
