#include "ui/storage/storage_panel.h"

#include "ui/storage/storage_model.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <cmath>

namespace sg::ui {

namespace {

QString bytesText(double bytes)
{
    return formatBytes(static_cast<qint64>(std::llround(bytes)));
}

// A quiet bar for the share of the largest, before the size.
class SizeDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        plain.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
        const QRectF room = QRectF(option.rect).adjusted(8, 0, -8, 0);
        const double width = scaledLength(72);
        const QRectF bar(room.left(), std::round(room.center().y()) - 3, width, 7);
        painter->fillRect(bar, color(&Tokens::neutralTint));
        painter->fillRect(QRectF(bar.left(), bar.top(),
                                 width * index.data(StorageModel::ShareRole).toDouble(), bar.height()),
                          color(&Tokens::text2));
        painter->setFont(option.font);
        painter->setPen(color(&Tokens::text));
        painter->drawText(room.adjusted(width + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          index.data().toString());
    }
};

} // namespace

struct StoragePanel::Impl : QObject {
    explicit Impl(StoragePanel* panel);
    void createBar();
    void createTable();
    [[nodiscard]] PruneWish wish(bool dryRun) const;
    void forget(); // a prediction that does not hold for what is chosen now

    StoragePanel* panel;
    StorageModel* model;
    Strip* bar;
    ElidedLabel* totals;
    QComboBox* thread;
    QSpinBox* keep;
    QPushButton* predict;
    QPushButton* prune;
    Banner* banner;
    QStackedWidget* pages;
    EmptyState* empty;
    QTableView* table;
};

StoragePanel::Impl::Impl(StoragePanel* owner)
    : QObject(owner)
    , panel(owner)
    , model(new StorageModel(owner))
    , bar(new Strip(32, &Tokens::subtle, owner))
    , banner(new Banner(owner))
    , pages(new QStackedWidget(owner))
    , empty(new EmptyState(QLatin1String("dataset"), StoragePanel::tr("Measuring…"), pages))
    , table(new QTableView(pages))
{
    createBar();
    createTable();
    banner->hide();
    banner->setClosable(true);
    pages->addWidget(empty);
    pages->addWidget(table);
    auto* column = new QVBoxLayout(owner);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(banner);
    column->addWidget(pages, 1);
    connect(predict, &QPushButton::clicked, this, [this] {
        predict->setEnabled(false);
        Q_EMIT panel->pruneRequested(wish(true));
    });
    connect(prune, &QPushButton::clicked, this, [this] {
        prune->setEnabled(false);
        Q_EMIT panel->pruneRequested(wish(false));
    });
    connect(thread, &QComboBox::currentIndexChanged, this, &Impl::forget);
    connect(keep, &QSpinBox::valueChanged, this, &Impl::forget);
}

void StoragePanel::Impl::createBar()
{
    totals = new ElidedLabel({}, bar);
    totals->setFont(uiFont(TextSize::Dense));
    totals->setForegroundRole(QPalette::PlaceholderText);
    thread = new QComboBox(bar);
    thread->setAccessibleName(StoragePanel::tr("Threads to prune"));
    thread->addItem(StoragePanel::tr("All threads"), QString());
    keep = new QSpinBox(bar);
    keep->setRange(1, 100'000);
    keep->setValue(10);
    keep->setPrefix(StoragePanel::tr("keep "));
    keep->setAccessibleName(StoragePanel::tr("Newest checkpoints of each branch that stay"));
    keep->setToolTip(StoragePanel::tr("Newest checkpoints of each branch that stay; heads always do"));
    predict = new QPushButton(icon(QLatin1String("eye")), StoragePanel::tr("Predict"), bar);
    predict->setObjectName(QStringLiteral("storagePredict"));
    predict->setToolTip(StoragePanel::tr("Does it on a copy and says what would go; nothing is changed"));
    prune = new QPushButton(icon(QLatin1String("trash"), &Tokens::failed), StoragePanel::tr("Prune"), bar);
    prune->setObjectName(QStringLiteral("storagePrune"));
    prune->setToolTip(StoragePanel::tr("Removes what was predicted. This cannot be undone."));
    prune->setEnabled(false);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(totals, 1);
    for (QWidget* part : { static_cast<QWidget*>(thread), static_cast<QWidget*>(keep),
                           static_cast<QWidget*>(predict), static_cast<QWidget*>(prune) }) {
        makeDense(part);
        row->addWidget(part);
    }
}

void StoragePanel::Impl::createTable()
{
    table->setObjectName(QStringLiteral("storageTable"));
    table->setAccessibleName(StoragePanel::tr("What takes room"));
    table->setModel(model);
    table->setItemDelegateForColumn(StorageModel::SizeColumn, new SizeDelegate(table));
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setFont(uiFont(TextSize::Dense));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(scaledLength(24));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(StorageModel::NameColumn, QHeaderView::Stretch);
    table->setColumnWidth(StorageModel::KindColumn, scaledLength(110));
    table->setColumnWidth(StorageModel::SizeColumn, scaledLength(170));
    table->setColumnWidth(StorageModel::CountColumn, scaledLength(130));
}

PruneWish StoragePanel::Impl::wish(bool dryRun) const
{
    return { thread->currentData().toString(), keep->value(), dryRun };
}

void StoragePanel::Impl::forget()
{
    prune->setEnabled(false);
    banner->hide();
}

StoragePanel::StoragePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Storage"));
}

void StoragePanel::clear()
{
    m_impl->model->reset({});
    m_impl->forget();
    m_impl->totals->setFullText({});
    m_impl->pages->setCurrentWidget(m_impl->empty);
}

void StoragePanel::setThreads(const QStringList& threads)
{
    const QString chosen = m_impl->thread->currentData().toString();
    const QSignalBlocker quiet(m_impl->thread);
    m_impl->thread->clear();
    m_impl->thread->addItem(tr("All threads"), QString());
    for (const QString& thread : threads)
        m_impl->thread->addItem(thread, thread);
    m_impl->thread->setCurrentIndex(std::max(0, m_impl->thread->findData(chosen)));
}

void StoragePanel::setStorage(const StorageView& view, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_impl->empty->setSentence(error.what);
        m_impl->pages->setCurrentWidget(m_impl->empty);
        return;
    }
    m_impl->model->reset(view);
    m_impl->totals->setFullText(tr("Database %1, artifacts %2, snapshots %3, session folders %4")
                                    .arg(bytesText(view.databaseBytes), bytesText(view.artifactBytes),
                                         bytesText(view.snapshotBytes), bytesText(view.sessionBytes)));
    m_impl->empty->setSentence(tr("Nothing has been stored yet."));
    m_impl->pages->setCurrentWidget(m_impl->model->rowCount() > 0 ? static_cast<QWidget*>(m_impl->table)
                                                                  : m_impl->empty);
}

void StoragePanel::setPruned(const PruneOutcome& outcome, const UserError& error)
{
    m_impl->predict->setEnabled(true);
    m_impl->banner->clearActions();
    if (!error.what.isEmpty()) {
        m_impl->banner->showMessage(Banner::Kind::Error, error.what);
        return;
    }
    const bool isNothing =
        outcome.wish.isDryRun && outcome.checkpoints == 0 && outcome.bytesAfter >= outcome.bytesBefore;
    QStringList words;
    if (isNothing)
        words << tr("**Nothing would go:** no branch has more than the %1 checkpoints that are kept.")
                     .arg(formatCount(outcome.wish.keep));
    else
        words << (outcome.wish.isDryRun ? tr("**Would go:** %1 checkpoints; %2 become %3.")
                                        : tr("**Pruned:** %1 checkpoints; %2 became %3."))
                     .arg(formatCount(outcome.checkpoints), bytesText(outcome.bytesBefore),
                          bytesText(outcome.bytesAfter));
    if (outcome.lostParents > 0)
        words
            << tr("%1 checkpoints stay without what they began from.").arg(formatCount(outcome.lostParents));
    if (!outcome.skipped.isEmpty())
        words << tr("Skipped: %1.").arg(outcome.skipped.join(QStringLiteral("; ")));
    m_impl->banner->showMessage(Banner::Kind::Info, words.join(QLatin1Char(' ')));
    m_impl->prune->setEnabled(outcome.wish.isDryRun && outcome.checkpoints > 0);
    if (!outcome.wish.isDryRun)
        Q_EMIT storageRequested();
}

void StoragePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT storageRequested();
}

} // namespace sg::ui
