#include "ui/state/value_history.h"

#include "ui/state/value_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/strip.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QStandardItemModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kCheckpointRole = Qt::UserRole + 1;
constexpr qsizetype kHistoryTipLength = 2000;

} // namespace

QString writerText(const ValueOriginRow& origin)
{
    if (!origin.writtenBy.isEmpty())
        return origin.writtenBy.join(QStringLiteral(", "));
    if (origin.source == checkpoint::Source::Input)
        return ValueHistory::tr("input");
    if (origin.source == checkpoint::Source::Update || origin.source == checkpoint::Source::Fork)
        return ValueHistory::tr("changed by hand");
    return ValueHistory::tr("not stored");
}

ValueHistory::ValueHistory(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel({}, this))
    , m_view(new QTreeView(this))
    , m_model(new QStandardItemModel(this))
{
    setAccessibleName(tr("History of a value"));
    auto* bar = new Strip(28, &Tokens::border, this);
    m_title->setParent(bar);
    m_title->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    auto* close = new QToolButton(bar);
    close->setIcon(icon(QLatin1String("close")));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close the value's history"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 4, 1);
    row->addWidget(m_title, 1);
    row->addWidget(close);

    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Changes of the value"));
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setTabKeyNavigation(false);
    m_view->setFont(uiFont(TextSize::Dense));
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT checkpointChosen(index.siblingAtColumn(0).data(kCheckpointRole).toString());
    });
    connect(m_view, &QTreeView::clicked, m_view, &QTreeView::activated);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_view, 1);
    setMinimumHeight(scaledLength(120));
    hide();
}

void ValueHistory::show(const ValueTraceRows& trace)
{
    m_pointer = trace.pointer;
    const QString name = trace.pointer.mid(1);
    m_title->setFullText(
        trace.isWhole
            ? tr("History of %1: %n changes", nullptr, static_cast<int>(trace.origins.size())).arg(name)
            : tr("History of %1: the newest %n changes", nullptr, static_cast<int>(trace.origins.size()))
                  .arg(name));
    m_model->clear();
    m_model->setHorizontalHeaderLabels({ tr("Step"), tr("Written by"), tr("Value") });
    for (const ValueOriginRow& origin : trace.origins) {
        const QString value = origin.isMissing ? tr("not there") : valueLine(origin.value);
        auto* step = new QStandardItem(QString::number(origin.step));
        auto* writer = new QStandardItem(writerText(origin));
        auto* shown = new QStandardItem(value);
        shown->setFont(monoFont());
        shown->setToolTip(value.left(kHistoryTipLength));
        step->setData(origin.checkpoint, kCheckpointRole);
        step->setData(tr("Step %1, written by %2: %3").arg(step->text(), writer->text(), value),
                      Qt::AccessibleTextRole);
        m_model->appendRow({ step, writer, shown });
    }
    m_view->header()->resizeSection(0, scaledLength(48));
    m_view->header()->resizeSection(1, scaledLength(110));
    if (m_model->rowCount() > 0)
        m_view->setCurrentIndex(m_model->index(0, 0));
    setVisible(true);
    m_view->setFocus();
}

void ValueHistory::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QWidget::keyPressEvent(event);
}

} // namespace sg::ui
