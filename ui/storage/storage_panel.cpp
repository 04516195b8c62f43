#include "ui/storage/storage_panel.h"

#include "ui/bridge/clients.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/thread_book.h"
#include "ui/storage/size_delegate.h"
#include "ui/storage/storage_model.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <cmath>
#include <optional>

namespace sg::ui {

namespace {

constexpr int kForksTold = 3;
constexpr int kForksAsked = 12;

QString bytesText(double bytes)
{
    return formatBytes(static_cast<qint64>(std::llround(bytes)));
}

QString whatGoes(const PruneOutcome& outcome)
{
    const QString own = outcome.checkpoints == 1
        ? StoragePanel::tr("1 checkpoint")
        : StoragePanel::tr("%1 checkpoints").arg(formatCount(outcome.checkpoints));
    return outcome.nested == 0
        ? own
        : StoragePanel::tr("%1 and %2 of their subgraphs").arg(own, formatCount(outcome.nested));
}

QString firstOf(const QStringList& all, int most, const QString& between)
{
    const QString first = all.mid(0, most).join(between);
    return all.size() <= most ? first
                              : first + between + StoragePanel::tr("and %1 more").arg(all.size() - most);
}

} // namespace

struct StoragePanel::Impl : QObject {
    explicit Impl(StoragePanel* panel);
    void createBar();
    void createTable();
    void connectBar();
    [[nodiscard]] PruneWish wish() const;
    void forget(); // drops a prediction that may be outdated
    void ask(); // asks whether to do what was predicted
    void carryOut();
    void showOutcome(const PruneOutcome& outcome);

    StoragePanel* panel;
    StorageModel* model;
    Strip* bar;
    ElidedLabel* totals;
    QLabel* locked;
    QComboBox* thread;
    QSpinBox* keep;
    QPushButton* predict;
    QPushButton* prune;
    Banner* banner;
    QStackedWidget* pages;
    EmptyState* empty;
    QTableView* table;
    StorageView shown;
    std::optional<PruneOutcome> predicted;
    QPointer<QMessageBox> question;
    bool isReadOnly = false;
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
    connectBar();
}

void StoragePanel::Impl::connectBar()
{
    connect(predict, &QPushButton::clicked, this, [this] {
        forget();
        predict->setEnabled(false);
        Q_EMIT panel->pruneRequested(wish());
    });
    connect(prune, &QPushButton::clicked, this, &Impl::ask);
    const auto choose = [this] {
        forget();
        banner->hide();
    };
    connect(thread, &QComboBox::currentIndexChanged, this, choose);
    connect(keep, &QSpinBox::valueChanged, this, choose);
}

void StoragePanel::Impl::createBar()
{
    totals = new ElidedLabel({}, bar);
    totals->setFont(uiFont(TextSize::Dense));
    totals->setForegroundRole(QPalette::PlaceholderText);
    locked = new QLabel(StoragePanel::tr("Opened only to be read: nothing can be removed"), bar);
    locked->setObjectName(QStringLiteral("storageLocked"));
    locked->setFont(uiFont(TextSize::Dense));
    locked->hide();
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
    prune = new QPushButton(icon(QLatin1String("trash"), &Tokens::failed), StoragePanel::tr("Prune…"), bar);
    prune->setObjectName(QStringLiteral("storagePrune"));
    prune->setToolTip(StoragePanel::tr("Asks, then removes what was predicted. This cannot be undone."));
    prune->setEnabled(false);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(totals, 1);
    row->addWidget(locked);
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

PruneWish StoragePanel::Impl::wish() const
{
    PruneWish made;
    made.thread = thread->currentData().toString();
    made.keep = keep->value();
    return made;
}

void StoragePanel::Impl::forget()
{
    prune->setEnabled(false);
    if (question)
        question->close();
    if (predicted)
        banner->hide();
    predicted.reset();
}

void StoragePanel::Impl::ask()
{
    if (!predicted || question)
        return;
    const QString whose = predicted->wish.thread.isEmpty()
        ? StoragePanel::tr("all threads")
        : StoragePanel::tr("thread %1").arg(thread->currentText());
    question = new QMessageBox(QMessageBox::Warning, StoragePanel::tr("Prune"),
                               StoragePanel::tr("Remove %1 of %2?").arg(whatGoes(*predicted), whose),
                               QMessageBox::Cancel, panel);
    question->setObjectName(QStringLiteral("storageQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    QStringList words{ StoragePanel::tr("%1 become %2. This cannot be undone.")
                           .arg(bytesText(predicted->bytesBefore), bytesText(predicted->bytesAfter)) };
    if (!predicted->forks.isEmpty())
        words << StoragePanel::tr("Branches that lose what they began from:")
              << firstOf(predicted->forks, kForksAsked, QStringLiteral("\n"));
    question->setInformativeText(words.join(QLatin1Char('\n')));
    const QPushButton* remove = question->addButton(StoragePanel::tr("Remove"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(remove, &QPushButton::clicked, this, &Impl::carryOut);
    question->open();
}

void StoragePanel::Impl::carryOut()
{
    if (!predicted)
        return;
    PruneWish made = predicted->wish;
    made.isDryRun = false;
    made.expected = predicted->checkpoints + predicted->nested;
    forget();
    predict->setEnabled(false);
    Q_EMIT panel->pruneRequested(made);
}

void StoragePanel::Impl::showOutcome(const PruneOutcome& outcome)
{
    const bool isNothing = outcome.wish.isDryRun && outcome.checkpoints + outcome.nested == 0
        && outcome.bytesAfter >= outcome.bytesBefore;
    QStringList words;
    if (isNothing)
        words << StoragePanel::tr(
                     "**Nothing would go:** no branch has more than the %1 checkpoints that are kept.")
                     .arg(formatCount(outcome.wish.keep));
    else
        words << (outcome.wish.isDryRun ? StoragePanel::tr("**Would go:** %1; %2 become %3.")
                                        : StoragePanel::tr("**Pruned:** %1; %2 became %3."))
                     .arg(whatGoes(outcome), bytesText(outcome.bytesBefore), bytesText(outcome.bytesAfter));
    if (outcome.lostParents > 0)
        words << StoragePanel::tr("%1 checkpoints stay without what they began from.")
                     .arg(formatCount(outcome.lostParents));
    if (!outcome.forks.isEmpty())
        words << StoragePanel::tr("**Branches apart from then on:** %1.")
                     .arg(firstOf(outcome.forks, kForksTold, QStringLiteral("; ")));
    if (!outcome.skipped.isEmpty())
        words << StoragePanel::tr("Skipped: %1.").arg(outcome.skipped.join(QStringLiteral("; ")));
    banner->showMessage(Banner::Kind::Info, words.join(QLatin1Char(' ')));
    banner->setToolTip(outcome.forks.join(QLatin1Char('\n')));
}

StoragePanel::StoragePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Storage"));
}

StoragePanel::StoragePanel(const PanelParts& parts, QWidget* parent)
    : StoragePanel(parent)
{
    UpkeepClient* client = &parts.clients.upkeep;
    const auto* sight = new Sight(*this);
    connect(this, &StoragePanel::storageRequested, client, &UpkeepClient::loadStorage);
    connect(this, &StoragePanel::pruneRequested, client, &UpkeepClient::pruneStorage);
    connect(client, &UpkeepClient::storageLoaded, this, &StoragePanel::setStorage);
    connect(client, &UpkeepClient::storagePruned, this, &StoragePanel::setPruned);
    connect(sight, &Sight::came, client, &UpkeepClient::loadStorage);
    connect(&parts.clients.project, &OpenProject::opened, this, [this](const ProjectInfo& info) {
        clear();
        setReadOnly(info.isReadOnly);
    });
    connect(&parts.book, &ThreadBook::listed, this,
            [this, book = &parts.book] { setThreads(book->threads()); });
    connect(&parts.clients.history, &HistoryClient::threadsLoaded, this, [client, sight] {
        if (sight->isSeen()) // also after each run
            client->loadStorage();
    });
}

void StoragePanel::clear()
{
    m_impl->model->reset({});
    m_impl->shown = {};
    m_impl->forget();
    m_impl->banner->hide();
    m_impl->predict->setEnabled(true); // an answer for the former project never comes
    m_impl->totals->setFullText({});
    m_impl->empty->setSentence(tr("Measuring…"));
    m_impl->pages->setCurrentWidget(m_impl->empty);
}

void StoragePanel::setReadOnly(bool isReadOnly)
{
    m_impl->isReadOnly = isReadOnly;
    m_impl->forget();
    m_impl->locked->setVisible(isReadOnly);
    for (QWidget* part : { static_cast<QWidget*>(m_impl->thread), static_cast<QWidget*>(m_impl->keep),
                           static_cast<QWidget*>(m_impl->predict), static_cast<QWidget*>(m_impl->prune) })
        part->setVisible(!isReadOnly);
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
    if (m_impl->thread->currentData().toString() != chosen)
        m_impl->forget();
}

void StoragePanel::setStorage(const StorageView& view, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_impl->empty->setSentence(error.what);
        m_impl->pages->setCurrentWidget(m_impl->empty);
        return;
    }
    if (view.threads != m_impl->shown.threads || view.channels != m_impl->shown.channels
        || view.snapshots != m_impl->shown.snapshots)
        m_impl->forget();
    m_impl->shown = view;
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
        m_impl->forget();
        m_impl->banner->showMessage(Banner::Kind::Error, error.what);
        return;
    }
    const PruneWish wish = m_impl->wish();
    if (outcome.wish.isDryRun && (outcome.wish.thread != wish.thread || outcome.wish.keep != wish.keep))
        return; // the user chose something else meanwhile
    m_impl->forget();
    m_impl->showOutcome(outcome);
    if (!outcome.wish.isDryRun) {
        Q_EMIT storageRequested();
        return;
    }
    m_impl->predicted = outcome;
    m_impl->prune->setEnabled(outcome.checkpoints + outcome.nested > 0);
}

void StoragePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT storageRequested();
}

} // namespace sg::ui
