#include "ui/run/thread_list.h"

#include "ui/run/thread_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QItemSelectionModel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStackedLayout>
#include <QStyledItemDelegate>

namespace sg::ui {
namespace {

// "unfinished": the program ended in the middle of a run; the thread waits for Resume.
QString statusWord(const QString& status)
{
    if (status == QLatin1String("unfinished"))
        return ThreadList::tr("Not finished");
    return stateWord(stateFromWord(status));
}

// glyph · name · count, on one row; the state's word stands at the right while something is to be said.
class ThreadDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(40) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const QRgb background = selected ? tokens().selection : tokens().base;
        painter->fillRect(option.rect, QColor::fromRgba(background));
        const QString status = index.data(ThreadModel::StatusRole).toString();
        const StateKind state = stateFromWord(status);
        const QRectF row = option.rect;
        paintStateGlyph(*painter, state, QRectF(row.left() + 12, row.center().y() - 8, 16, 16), background);

        const double left = row.left() + 38;
        const QFont nameFont = uiFont(TextSize::Dense, QFont::DemiBold);
        const QFont noteFont = uiFont(TextSize::Small);
        const double half = row.height() / 2;
        painter->setPen(color(&Tokens::text));
        painter->setFont(nameFont);
        const QString name = QFontMetricsF(nameFont).elidedText(index.data().toString(), Qt::ElideRight,
                                                                row.right() - left - 12);
        painter->drawText(QRectF(left, row.top() + 3, row.width(), half), Qt::AlignVCenter, name);

        const auto count = index.data(ThreadModel::CheckpointsRole).toLongLong();
        QString note = statusWord(status);
        if (count > 0)
            note += count == 1 ? tr(", 1 checkpoint") : tr(", %1 checkpoints").arg(count);
        painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
        painter->setFont(noteFont);
        painter->drawText(QRectF(left, row.top() + half - 2, row.right() - left - 12, half), Qt::AlignVCenter,
                          QFontMetricsF(noteFont).elidedText(note, Qt::ElideRight, row.right() - left - 12));
        painter->fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), color(&Tokens::subtle));
    }
};

} // namespace

ThreadList::ThreadList(QWidget* parent)
    : QWidget(parent)
    , m_model(new ThreadModel(this))
    , m_view(new QListView(this))
    , m_empty(new EmptyState(QLatin1String("hourglass"), tr("Threads appear after the first run."), this))
    , m_stack(new QStackedLayout(this))
{
    m_view->setModel(m_model);
    m_view->setItemDelegate(new ThreadDelegate(m_view));
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // rows are as wide as the list
    m_view->setAccessibleName(tr("Threads"));
    m_view->setObjectName(QStringLiteral("threadList"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_view);
    connect(m_empty->setButton(tr("Run (F5)")), &QPushButton::clicked, this, &ThreadList::runRequested);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    Q_EMIT threadSelected(current.data(ThreadModel::ThreadRole).toString());
            });
    setCanRun(false);
}

void ThreadList::setThreads(const std::vector<ThreadRow>& rows)
{
    const QString current = m_view->currentIndex().data(ThreadModel::ThreadRole).toString();
    m_model->reset(rows);
    m_stack->setCurrentIndex(rows.empty() ? 0 : 1);
    setCurrent(current);
}

void ThreadList::setStatus(const QString& thread, const QString& status)
{
    m_model->setStatus(thread, status);
    m_stack->setCurrentIndex(1);
}

void ThreadList::setCurrent(const QString& thread)
{
    const QModelIndex index = m_model->indexOf(thread);
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    m_view->viewport()->update();
}

void ThreadList::setCanRun(bool canRun)
{
    m_empty->setButton(tr("Run (F5)"))->setEnabled(canRun);
}

QStringList ThreadList::threads() const
{
    return m_model->threads();
}

QString ThreadList::status(const QString& thread) const
{
    return m_model->status(thread);
}

} // namespace sg::ui
