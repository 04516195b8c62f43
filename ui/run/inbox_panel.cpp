#include "ui/run/inbox_panel.h"

#include "ui/run/bulk_card.h"
#include "ui/run/inbox_feed.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/question.h"
#include "ui/run/waiting_delegate.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {

QString keyOf(const WaitingRow& row)
{
    return row.thread + QLatin1Char('/') + row.interrupt;
}

} // namespace

InboxPanel::InboxPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new QStandardItemModel(this))
    , m_bar(new Strip(32, &Tokens::subtle, this))
    , m_count(new QLabel(m_bar))
    , m_view(new QListView(this))
    , m_card(new InterruptCard(this))
    , m_bulk(new BulkCard(this))
    , m_empty(new EmptyState(QLatin1String("inbox"), tr("Nothing is waiting for you."), this))
    , m_failed(new EmptyState(QLatin1String("error"), QString(), this))
    , m_stack(new QStackedLayout(this))
{
    setAccessibleName(tr("Inbox"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new WaitingDelegate(m_view));
    m_view->setAccessibleName(tr("Questions that wait"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setUniformItemSizes(true);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // rows have the width of the list
    m_view->installEventFilter(this);
    auto* filled = new QWidget(this);
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_view, 1);
    column->addWidget(m_card);
    column->addWidget(m_bulk);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(filled);
    m_stack->addWidget(m_failed);
    buildBar(m_bar);
    connect(m_failed->setButton(tr("Try again")), &QPushButton::clicked, this, &InboxPanel::readAgain);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &InboxPanel::showCurrent);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &InboxPanel::showCurrent);
    connect(m_view, &QListView::activated, this, [this] {
        if (const int row = currentRow(); row >= 0) {
            Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(row)].thread);
            m_bulk->isHidden() ? m_card->focusAnswer() : m_bulk->focusAnswer();
        }
    });
    connect(m_view, &QListView::clicked, this, [this](const QModelIndex& index) {
        if (m_view->selectionModel()->selectedIndexes().size() == 1)
            Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(index.row())].thread);
    });
    connect(m_card, &InterruptCard::answered, this, [this](const QString& json) {
        if (const std::vector<int> rows = chosen(); rows.size() == 1) {
            const WaitingRow asked = m_rows[static_cast<std::size_t>(rows.front())];
            Q_EMIT answered(asked.thread, asked.interrupt, json);
        }
    });
    connect(m_bulk, &BulkCard::answered, this, &InboxPanel::giveAll);
}

// The card's keys also work in the list, so that the chosen question is answered without moving the focus.
bool InboxPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view && event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::SelectAll)) {
        event->accept(); // the list needs it, not the canvas
        return true;
    }
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isAnswer = key->modifiers() == Qt::ControlModifier
            && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter
                || key->key() == Qt::Key_Backspace);
        if (isAnswer && !chosen().empty()) {
            QCoreApplication::sendEvent(
                m_bulk->isHidden() ? static_cast<QObject*>(m_card) : static_cast<QObject*>(m_bulk), event);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void InboxPanel::buildBar(Strip* bar)
{
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(4);
    m_count->setFont(uiFont(TextSize::Dense));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_count, 1);
    const auto add = [&](const QString& label, const QString& tip) {
        auto* button = new QPushButton(label, bar);
        button->setProperty("sgLink", true);
        button->setToolTip(tip);
        makeDense(button);
        row->addWidget(button);
        return button;
    };
    connect(add(tr("Select all"), tr("Ctrl+A in the list")), &QPushButton::clicked, this, [this] {
        m_view->selectAll();
        m_view->setFocus();
    });
    connect(add(tr("Same question"), tr("Select all that ask the same (Ctrl+Shift+A)")),
            &QPushButton::clicked, this, &InboxPanel::selectSame);
    auto* same = new QAction(this);
    same->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A));
    same->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(same, &QAction::triggered, this, &InboxPanel::selectSame);
    addAction(same);
    same->setText(tr("Select all that ask the same"));
}

int InboxPanel::currentRow() const
{
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? index.row() : -1;
}

std::vector<int> InboxPanel::chosen() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_view->selectionModel()->selectedIndexes())
        if (index.row() < static_cast<int>(m_rows.size())
            && !m_rows[static_cast<std::size_t>(index.row())].isPause()
            && !m_given.contains(keyOf(m_rows[static_cast<std::size_t>(index.row())])))
            rows.push_back(index.row());
    std::ranges::sort(rows);
    return rows;
}

InboxPanel::InboxPanel(const PanelParts& parts, QWidget* parent)
    : InboxPanel(parent)
{
    new InboxFeed(parts, *this);
}

void InboxPanel::clear()
{
    m_given.clear();
    setWaiting({});
}

void InboxPanel::setWaiting(const std::vector<WaitingRow>& rows)
{
    m_rows = rows;
    fill();
}

void InboxPanel::setError(const UserError& error)
{
    m_failed->setSentence(tr("The questions that wait could not be read. %1").arg(error.what));
    m_stack->setCurrentWidget(m_failed);
}

void InboxPanel::setGiven(const QSet<QString>& given)
{
    if (m_given == given)
        return;
    m_given = given;
    fill();
}

void InboxPanel::setNext(const QHash<QString, QStringList>& next)
{
    m_next = next;
    showCurrent();
}

void InboxPanel::setLabels(const NoteRows& notes)
{
    m_labels.clear();
    for (auto note = notes.begin(); note != notes.end(); ++note)
        m_labels.insert(note.key(), note->label);
    fill();
}

void InboxPanel::setCanAnswer(bool canAnswer, const QString& why)
{
    m_card->setCanAnswer(canAnswer, why);
    m_bulk->setCanAnswer(canAnswer, why);
}

QString InboxPanel::placeOf(const WaitingRow& row) const
{
    const QString label = m_labels.value(row.thread);
    return tr("%1, step %2").arg(label.isEmpty() ? row.thread : label).arg(row.step);
}

QStandardItem* InboxPanel::itemOf(const WaitingRow& row) const
{
    const Question asked = question(row.asked);
    const QString headline = row.isPause() ? tr("Paused before %1").arg(row.node)
        : asked.headline.isEmpty()         ? asked.details.join(QStringLiteral(", "))
                                           : asked.headline;
    const bool isGiven = m_given.contains(keyOf(row));
    auto* item = new QStandardItem(headline);
    item->setData(row.node, WaitingDelegate::NodeRole);
    item->setData(row.isPause(), WaitingDelegate::PauseRole);
    item->setData(placeOf(row), WaitingDelegate::ThreadRole);
    item->setData(headline.simplified(), WaitingDelegate::QuestionRole); // one line
    item->setData(row.sinceMs, WaitingDelegate::SinceRole);
    item->setData(keyOf(row), WaitingDelegate::InterruptRole);
    item->setData(isGiven, WaitingDelegate::GivenRole);
    item->setData(row.isPause() ? tr("%1 of %2").arg(headline, placeOf(row))
                      : isGiven ? tr("%1 of %2 is answered: %3").arg(row.node, placeOf(row), headline)
                                : tr("%1 of %2 asks: %3").arg(row.node, placeOf(row), headline),
                  Qt::AccessibleTextRole);
    return item;
}

void InboxPanel::fill()
{
    m_isFilling = true;
    const QString shown = m_view->currentIndex().data(WaitingDelegate::InterruptRole).toString();
    QSet<QString> selected;
    for (const QModelIndex& index : m_view->selectionModel()->selectedIndexes())
        selected.insert(index.data(WaitingDelegate::InterruptRole).toString());
    m_model->clear();
    int current = -1;
    int open = -1; // the first one without an answer
    for (const WaitingRow& row : m_rows) {
        const QString key = keyOf(row);
        if (key == shown)
            current = m_model->rowCount();
        if (open < 0 && !m_given.contains(key))
            open = m_model->rowCount();
        m_model->appendRow(itemOf(row));
    }
    const auto paused = std::ranges::count_if(m_rows, &WaitingRow::isPause);
    const auto asking = std::ranges::count_if(
        m_rows, [this](const WaitingRow& row) { return !row.isPause() && !m_given.contains(keyOf(row)); });
    m_count->setText(paused == 0       ? tr("%1 waiting").arg(asking)
                         : asking == 0 ? tr("%1 paused").arg(paused)
                                       : tr("%1 paused, %2 waiting").arg(paused).arg(asking));
    m_bar->setVisible(m_rows.size() > 1);
    m_stack->setCurrentIndex(m_rows.empty() ? 0 : 1);
    if (!m_rows.empty()) {
        if (current < 0 || m_given.contains(shown))
            current = open < 0 ? 0 : open;
        setCurrent(current);
        if (selected.size() > 1)
            select(selected - m_given);
    }
    m_isFilling = false;
    showCurrent();
}

void InboxPanel::select(const QSet<QString>& keys)
{
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        if (keys.contains(index.data(WaitingDelegate::InterruptRole).toString()))
            selection.select(index, index);
    }
    if (!selection.isEmpty())
        m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

// Ignores held modifiers: with Ctrl the view would add the row to the selection.
void InboxPanel::setCurrent(int row)
{
    m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::ClearAndSelect);
}

void InboxPanel::selectSame()
{
    const int row = currentRow();
    if (row < 0)
        return;
    const Value& asked = m_rows[static_cast<std::size_t>(row)].asked;
    QSet<QString> keys;
    for (const WaitingRow& each : m_rows)
        if (each.asked == asked)
            keys.insert(keyOf(each));
    select(keys);
    m_view->setFocus();
}

void InboxPanel::showCurrent()
{
    if (m_isFilling)
        return;
    const std::vector<int> rows = chosen();
    m_bulk->setVisible(rows.size() > 1);
    if (rows.size() > 1) {
        m_card->hide();
        showChosen(rows);
        return;
    }
    if (rows.empty()) {
        m_card->setInterrupts({});
        return;
    }
    const WaitingRow& asked = m_rows[static_cast<std::size_t>(rows.front())];
    m_card->setQuestion(asked.asked, nextOf(rows),
                        asked.thread + QLatin1Char('/') + asked.checkpoint + QLatin1Char('/')
                            + asked.interrupt);
}

void InboxPanel::showChosen(const std::vector<int>& rows)
{
    ValueList asked;
    QStringList places;
    for (const int row : rows) {
        asked.push_back(m_rows[static_cast<std::size_t>(row)].asked);
        places << placeOf(m_rows[static_cast<std::size_t>(row)]);
    }
    m_bulk->setQuestions(asked, places, nextOf(rows));
}

QString InboxPanel::nextOf(const std::vector<int>& rows) const
{
    QStringList next;
    for (const int row : rows)
        next += m_next.value(m_rows[static_cast<std::size_t>(row)].node);
    next.removeDuplicates();
    return next.isEmpty() ? QString() : tr("Then runs: %1").arg(next.join(QStringLiteral(", ")));
}

void InboxPanel::giveAll(const QStringList& json)
{
    const std::vector<int> rows = chosen();
    std::vector<WaitingRow> asked; // copies, because answering may refill the list
    for (const int row : rows)
        asked.push_back(m_rows[static_cast<std::size_t>(row)]);
    for (std::size_t i = 0; i < asked.size() && i < static_cast<std::size_t>(json.size()); ++i)
        if (const QString& answer = json[static_cast<qsizetype>(i)]; !answer.isEmpty())
            Q_EMIT answered(asked[i].thread, asked[i].interrupt, answer);
}

void InboxPanel::focusNext()
{
    const auto count = static_cast<int>(m_rows.size());
    const QWidget* focus = focusWidget();
    const bool hadFocus = m_card->isAncestorOf(focus) || m_bulk->isAncestorOf(focus) || m_view->hasFocus();
    const int first = hadFocus ? currentRow() + 1 : std::max(0, currentRow());
    for (int i = 0; i < count; ++i) {
        const int row = (first + i) % count;
        const WaitingRow& waiting = m_rows[static_cast<std::size_t>(row)];
        if (waiting.isPause() || m_given.contains(keyOf(waiting)))
            continue;
        setCurrent(row);
        Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(row)].thread);
        m_card->focusAnswer();
        return;
    }
}

void InboxPanel::focusQuestionOf(const QString& thread)
{
    const auto asks = std::ranges::find_if(m_rows, [this, &thread](const WaitingRow& row) {
        return row.thread == thread && !row.isPause() && !m_given.contains(keyOf(row));
    });
    if (asks == m_rows.end())
        return; // it is not read yet, or answered meanwhile
    setCurrent(static_cast<int>(asks - m_rows.begin()));
    m_card->focusAnswer();
}

} // namespace sg::ui
