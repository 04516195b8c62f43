#include "ui/run/inbox_panel.h"

#include "ui/run/interrupt_card.h"
#include "ui/run/question.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QListView>
#include <QPainter>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

enum Role { NodeRole = Qt::UserRole + 1, ThreadRole, QuestionRole, SinceRole, InterruptRole };

// approve · bob, step 4 · 2 min, and the question below.
class WaitingDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(44) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QRgb background = selected ? tokens().selection : tokens().base;
        painter->fillRect(option.rect, QColor::fromRgba(background));
        const QRectF row = option.rect;
        paintStateGlyph(*painter, StateKind::Waiting, QRectF(row.left() + 12, row.top() + 6, 16, 16),
                        background);
        const double left = row.left() + 36;
        const double right = row.right() - 12;
        const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
        const QFont plain = uiFont(TextSize::Dense);
        const double half = row.height() / 2;
        const QString node = index.data(NodeRole).toString();
        painter->setFont(bold);
        painter->setPen(color(&Tokens::text));
        painter->drawText(QRectF(left, row.top() + 3, right - left, half - 2), Qt::AlignVCenter, node);
        const double used = QFontMetricsF(bold).horizontalAdvance(node) + 8;
        painter->setFont(plain);
        painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
        const double since = index.data(SinceRole).toDouble();
        const double seconds = (QDateTime::currentMSecsSinceEpoch() - since) / 1000;
        const QString age = std::isnan(since) ? QString() : formatDuration(std::max(0.0, seconds));
        painter->drawText(QRectF(left, row.top() + 3, right - left, half - 2),
                          Qt::AlignRight | Qt::AlignVCenter, age);
        const double room = right - left - used - QFontMetricsF(plain).horizontalAdvance(age) - 8;
        painter->drawText(
            QRectF(left + used, row.top() + 3, std::max(0.0, room), half - 2), Qt::AlignVCenter,
            QFontMetricsF(plain).elidedText(index.data(ThreadRole).toString(), Qt::ElideRight, room));
        painter->setPen(color(&Tokens::text));
        painter->drawText(QRectF(left, row.top() + half - 1, right - left, half - 3), Qt::AlignVCenter,
                          QFontMetricsF(plain).elidedText(index.data(QuestionRole).toString(), Qt::ElideRight,
                                                          right - left));
        painter->fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), color(&Tokens::subtle));
    }
};

} // namespace

InboxPanel::InboxPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new QStandardItemModel(this))
    , m_view(new QListView(this))
    , m_card(new InterruptCard(this))
    , m_empty(new EmptyState(QLatin1String("inbox"), tr("Nothing is waiting for you."), this))
    , m_stack(new QStackedLayout(this))
{
    setAccessibleName(tr("Inbox"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new WaitingDelegate(m_view));
    m_view->setAccessibleName(tr("Questions that wait"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setUniformItemSizes(true);
    auto* filled = new QWidget(this);
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(m_card);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(filled);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &InboxPanel::showCurrent);
    connect(m_view, &QListView::activated, this, [this] {
        if (const int row = currentRow(); row >= 0) {
            Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(row)].thread);
            m_card->focusAnswer();
        }
    });
    connect(m_view, &QListView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(index.row())].thread);
    });
    connect(m_card, &InterruptCard::answered, this, [this](const QString& json) {
        if (const int row = currentRow(); row >= 0) {
            const WaitingRow asked = m_rows[static_cast<std::size_t>(row)];
            Q_EMIT answered(asked.thread, asked.interrupt, json);
        }
    });
}

int InboxPanel::currentRow() const
{
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() ? index.row() : -1;
}

void InboxPanel::clear()
{
    setWaiting({});
}

void InboxPanel::setWaiting(const std::vector<WaitingRow>& rows)
{
    m_rows = rows;
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
}

void InboxPanel::fill()
{
    const QString shown = m_view->currentIndex().data(InterruptRole).toString();
    m_model->clear();
    int current = 0;
    for (const WaitingRow& row : m_rows) {
        const Question asked = question(row.asked);
        const QString label = m_labels.value(row.thread);
        const QString where = tr("%1, step %2").arg(label.isEmpty() ? row.thread : label).arg(row.step);
        const QString headline =
            asked.headline.isEmpty() ? asked.details.join(QStringLiteral(", ")) : asked.headline;
        auto* item = new QStandardItem(headline);
        item->setData(row.node, NodeRole);
        item->setData(where, ThreadRole);
        item->setData(headline, QuestionRole);
        item->setData(row.sinceMs, SinceRole);
        item->setData(row.thread + QLatin1Char('/') + row.interrupt, InterruptRole);
        item->setData(tr("%1 of %2 asks: %3").arg(row.node, where, headline), Qt::AccessibleTextRole);
        if (item->data(InterruptRole).toString() == shown)
            current = m_model->rowCount();
        m_model->appendRow(item);
    }
    m_stack->setCurrentIndex(m_rows.empty() ? 0 : 1);
    if (!m_rows.empty())
        m_view->setCurrentIndex(m_model->index(current, 0));
    showCurrent();
}

void InboxPanel::showCurrent()
{
    const int row = currentRow();
    if (row < 0 || row >= static_cast<int>(m_rows.size())) {
        m_card->setInterrupts({});
        return;
    }
    const WaitingRow& asked = m_rows[static_cast<std::size_t>(row)];
    const QStringList next = m_next.value(asked.node);
    m_card->setQuestion(
        asked.asked, next.isEmpty() ? QString() : tr("Then runs: %1").arg(next.join(QStringLiteral(", "))),
        asked.thread + QLatin1Char('/') + asked.checkpoint + QLatin1Char('/') + asked.interrupt);
}

void InboxPanel::focusNext()
{
    if (m_rows.empty())
        return;
    const bool hadFocus = m_card->isAncestorOf(focusWidget()) || m_view->hasFocus();
    const int row =
        hadFocus ? (currentRow() + 1) % static_cast<int>(m_rows.size()) : std::max(0, currentRow());
    m_view->setCurrentIndex(m_model->index(row, 0));
    Q_EMIT threadChosen(m_rows[static_cast<std::size_t>(row)].thread);
    m_card->focusAnswer();
}

} // namespace sg::ui
