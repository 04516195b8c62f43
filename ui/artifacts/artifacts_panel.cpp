#include "ui/artifacts/artifacts_panel.h"

#include "ui/artifacts/artifact_facts.h"
#include "ui/artifacts/artifact_filter.h"
#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_preview_view.h"
#include "ui/artifacts/artifact_table.h"
#include "ui/artifacts/artifacts_bar.h"
#include "ui/artifacts/artifacts_feed.h"
#include "ui/artifacts/artifacts_footer.h"
#include "ui/artifacts/copy_names_menu.h"
#include "ui/artifacts/example_code.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kLeastBelow = 320; // height with room for both, one below the other
constexpr int kLeastBeside = 720; // width from which on the preview is always beside the list

} // namespace

struct ArtifactsPanel::Impl : QObject {
    explicit Impl(ArtifactsPanel* panel);
    QWidget* createList(QWidget* parent);
    bool eventFilter(QObject* watched, QEvent* event) override; // the splitter's size
    void createActions();
    void connectList();
    void connectPreview();
    void setRows(const std::vector<ArtifactRow>& rows);
    void refilter();
    void showPage(std::size_t shown);
    void showSelection();
    void describeSelection();
    [[nodiscard]] std::vector<ArtifactRow> versionsOf(const ArtifactRow& artifact) const;
    void chooseFolder();
    void showError(const UserError& error);
    void showWaiting(const StagedFiles& files, bool isOver);
    void select(const QString& current, const QSet<QString>& ids);

    ArtifactsPanel* panel;
    ArtifactModel* model;
    Banner* banner;
    QStackedWidget* pages;
    EmptyState* empty;
    ExampleCode* example;
    QSplitter* splitter;
    ArtifactsBar* bar = nullptr;
    QStackedWidget* listPages = nullptr;
    ArtifactList* list = nullptr;
    ArtifactTable* table = nullptr;
    EmptyState* noMatch = nullptr;
    ArtifactsFooter* footer = nullptr;
    ArtifactPreviewView* preview = nullptr;
    std::vector<ArtifactRow> all; // newest first, unfiltered
    std::optional<Moment> moment;
    QString asked; // artifact whose preview was requested
    QString lastFolder;
    bool chosen = false; // by the user; before that the newest is selected
};

ArtifactsPanel::Impl::Impl(ArtifactsPanel* owner)
    : QObject(owner)
    , panel(owner)
    , model(new ArtifactModel(owner))
    , banner(new Banner(owner))
    , pages(new QStackedWidget(owner))
    , empty(new EmptyState(QLatin1String("image"),
                           ArtifactsPanel::tr("Files saved to `/session/artifacts/` appear here."), pages))
    , example(new ExampleCode(pages))
    , splitter(new QSplitter(Qt::Horizontal, pages))
{
    splitter->addWidget(createList(splitter));
    preview = new ArtifactPreviewView(splitter);
    splitter->addWidget(preview);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({ scaledLength(380), scaledLength(540) });
    splitter->installEventFilter(this);
    for (QWidget* page :
         { static_cast<QWidget*>(empty), static_cast<QWidget*>(example), static_cast<QWidget*>(splitter) })
        pages->addWidget(page);
    banner->setClosable(true);
    banner->hide();
    auto* column = new QVBoxLayout(owner);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(banner);
    column->addWidget(pages, 1);
    connect(empty->setButton(ArtifactsPanel::tr("Show example code")), &QPushButton::clicked, this,
            [this] { pages->setCurrentWidget(example); });
    connect(example, &ExampleCode::closed, this, [this] { pages->setCurrentWidget(empty); });
    connectList();
    connectPreview();
    createActions();
}

// The preview is below the list where the panel is narrow, as at a side of the window.
bool ArtifactsPanel::Impl::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == splitter && event->type() == QEvent::Resize) {
        const bool isNarrow = splitter->width() < scaledLength(kLeastBeside);
        const Qt::Orientation wanted = isNarrow ? Qt::Vertical : Qt::Horizontal;
        if (splitter->orientation() != wanted
            && (!isNarrow || splitter->height() > scaledLength(kLeastBelow))) {
            splitter->setOrientation(wanted);
            splitter->setSizes({ 2, 3 });
        }
    }
    return QObject::eventFilter(watched, event);
}

QWidget* ArtifactsPanel::Impl::createList(QWidget* parent)
{
    auto* side = new QWidget(parent);
    bar = new ArtifactsBar(side);
    side->setMinimumWidth(std::max(scaledLength(200), bar->minimumSizeHint().width()));
    listPages = new QStackedWidget(side);
    listPages->setObjectName(QStringLiteral("artifactLooks"));
    list = new ArtifactList(*model, listPages);
    table = new ArtifactTable(*model, *list, listPages);
    noMatch = new EmptyState(QLatin1String("filter"), {}, listPages);
    listPages->addWidget(list);
    listPages->addWidget(table);
    listPages->addWidget(noMatch);
    connect(noMatch->setButton(ArtifactsPanel::tr("Clear filter")), &QPushButton::clicked, bar,
            &ArtifactsBar::clearFilter);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(listPages, 1);
    footer = new ArtifactsFooter(side);
    column->addWidget(footer);
    return side;
}

void ArtifactsPanel::Impl::createActions()
{
    const auto add = [this](QLatin1String iconName, const QString& text, const QKeySequence& key,
                            auto&& done) {
        auto* action = new QAction(icon(iconName), text, panel);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, done);
        panel->addAction(action);
        list->addAction(action);
        table->addAction(action);
    };
    add(QLatin1String("file"), ArtifactsPanel::tr("Open a copy"), {}, [this] {
        if (list->currentIndex().isValid())
            Q_EMIT panel->outsideRequested(model->row(list->currentIndex()));
    });
    add(QLatin1String("copy"), ArtifactsPanel::tr("Copy"), {}, [this] { list->copySelection(); });
    add(QLatin1String("text"), ArtifactsPanel::tr("Show in log"), {}, [this] {
        if (list->currentIndex().isValid())
            Q_EMIT panel->logRequested(model->row(list->currentIndex()));
    });
    add(QLatin1String("export"), ArtifactsPanel::tr("Export…"), QKeySequence(QStringLiteral("Ctrl+Shift+E")),
        [this] { chooseFolder(); });
    add(QLatin1String("check"), ArtifactsPanel::tr("Verify contents"), {},
        [this] { Q_EMIT panel->verifyRequested(list->selectedRows()); });
    add(QLatin1String("clock"), ArtifactsPanel::tr("Look at its checkpoint"), {}, [this] {
        if (list->currentIndex().isValid())
            Q_EMIT panel->momentRequested(model->row(list->currentIndex()));
    });
    add(QLatin1String("filter"), ArtifactsPanel::tr("Filter"), QKeySequence::Find,
        [this] { bar->focusFilter(); });
    auto* names = new CopyNamesMenu(panel);
    list->addAction(names->menuAction());
    table->addAction(names->menuAction());
    list->setCopyNames(names->pattern());
    connect(names, &CopyNamesMenu::patternChanged, list, &ArtifactList::setCopyNames);
    connect(names, &CopyNamesMenu::refused, this, [this](const QString& why) { showError({ why, {} }); });
    list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ArtifactsPanel::Impl::connectList()
{
    connect(list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &Impl::showSelection);
    connect(list, &ArtifactList::stageRequested, panel, &ArtifactsPanel::stageRequested);
    connect(list, &ArtifactList::stagedReleased, panel, &ArtifactsPanel::stagedReleased);
    connect(list, &ArtifactList::thumbnailsWanted, panel, &ArtifactsPanel::thumbnailsWanted);
    connect(list, &ArtifactList::chosenByUser, this, [this] { chosen = true; });
    connect(list, &ArtifactList::dragging, footer, &ArtifactsFooter::showDragging);
    connect(list, &ArtifactList::copied, this, [this](int files) {
        preview->showNote(
            files == 1 ? ArtifactsPanel::tr("Copied; paste it into any folder.")
                       : ArtifactsPanel::tr("Copied %1 files; paste them into any folder.").arg(files));
    });
    connect(bar, &ArtifactsBar::filterChanged, this, &Impl::refilter);
    connect(bar, &ArtifactsBar::scopeChanged, panel, &ArtifactsPanel::scopeChanged);
    connect(bar, &ArtifactsBar::lookChanged, this, &Impl::refilter);
    connect(table, &ArtifactTable::orderRequested, this, [this](const TableOrder& order) {
        model->setOrder(order);
        table->showOrder(order);
        refilter();
    });
    connect(list, &ArtifactList::waitedFor, this, &Impl::showWaiting);
    for (const QAbstractItemView* view :
         { static_cast<const QAbstractItemView*>(list), static_cast<const QAbstractItemView*>(table) })
        connect(view, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
            Q_EMIT panel->documentRequested(model->row(model->index(index.row())));
        });
    connect(footer, &ArtifactsFooter::exportRequested, this, &Impl::chooseFolder);
}

void ArtifactsPanel::Impl::connectPreview()
{
    connect(preview, &ArtifactPreviewView::pageRequested, panel, &ArtifactsPanel::pageRequested);
    connect(preview, &ArtifactPreviewView::columnsShown, panel, &ArtifactsPanel::columnsShown);
    connect(preview, &ArtifactPreviewView::previewRequested, panel, &ArtifactsPanel::previewRequested);
    connect(preview, &ArtifactPreviewView::outsideRequested, panel, &ArtifactsPanel::outsideRequested);
    ArtifactFacts* facts = &preview->facts();
    connect(facts, &ArtifactFacts::momentRequested, panel, &ArtifactsPanel::momentRequested);
    connect(facts, &ArtifactFacts::compareRequested, panel, &ArtifactsPanel::compareRequested);
    connect(facts, &ArtifactFacts::verifyRequested, this, [this] {
        preview->showNote(ArtifactsPanel::tr("Reading…"));
        Q_EMIT panel->verifyRequested(list->selectedRows());
    });
}

void ArtifactsPanel::Impl::setRows(const std::vector<ArtifactRow>& rows)
{
    all = rows;
    if (rows.empty()) {
        asked.clear();
        chosen = false;
    }
    refilter();
}

void ArtifactsPanel::Impl::refilter()
{
    const QString current = chosen && list->currentIndex().isValid()
        ? list->currentIndex().data(ArtifactModel::IdRole).toString()
        : QString();
    QSet<QString> selected;
    if (chosen)
        for (const ArtifactRow& row : list->selectedRows())
            selected.insert(row.id);
    const ArtifactFilter filter = ArtifactFilter::parse(bar->filterText());
    const bool isPast = bar->isUpToStep() && moment;
    std::vector<ArtifactRow> shown;
    shown.reserve(all.size());
    for (const ArtifactRow& row : all)
        if ((!isPast || row.checkpoint.isEmpty() || moment->path.contains(row.checkpoint))
            && filter.matches(row))
            shown.push_back(row);
    model->reset(std::move(shown));
    const auto count = static_cast<std::size_t>(model->rowCount());
    showPage(count);
    if (count == 0) {
        preview->clear();
        asked.clear();
        return;
    }
    select(current, selected);
    describeSelection();
}

// Restores the selection as far as the artifacts are still listed; at least one is selected.
void ArtifactsPanel::Impl::select(const QString& current, const QSet<QString>& ids)
{
    const QModelIndex known = model->indexOf(current);
    const QModelIndex wanted = known.isValid() ? known : model->index(0);
    QItemSelectionModel* selection = list->selectionModel();
    if (!selection->isSelected(wanted))
        selection->setCurrentIndex(wanted, QItemSelectionModel::ClearAndSelect);
    if (ids.size() < 2)
        return;
    QItemSelection others; // as few ranges as possible, because each is compared with all
    int begin = -1;
    for (int row = 0; row <= model->rowCount(); ++row) {
        const bool isIn = row < model->rowCount() && ids.contains(model->row(model->index(row)).id);
        if (isIn && begin < 0)
            begin = row;
        if (!isIn && begin >= 0)
            others.append(QItemSelectionRange(model->index(begin), model->index(row - 1)));
        if (!isIn)
            begin = -1;
    }
    selection->select(others, QItemSelectionModel::Select);
}

void ArtifactsPanel::Impl::showPage(std::size_t shown)
{
    if (all.empty()) {
        if (pages->currentWidget() != example)
            pages->setCurrentWidget(empty);
        return;
    }
    pages->setCurrentWidget(splitter);
    const ArtifactsBar::Look look = bar->look();
    if (look != ArtifactsBar::Look::Table && list->showsCards() != (look == ArtifactsBar::Look::Cards))
        list->setCards(look == ArtifactsBar::Look::Cards);
    table->showThreads(bar->showsAllThreads());
    listPages->setCurrentWidget(shown == 0                              ? static_cast<QWidget*>(noMatch)
                                    : look == ArtifactsBar::Look::Table ? static_cast<QWidget*>(table)
                                                                        : list);
    if (shown > 0)
        return;
    const QString words = bar->filterText().trimmed().replace(QLatin1Char('`'), QLatin1Char('\''));
    noMatch->setSentence(words.isEmpty() ? ArtifactsPanel::tr("Nothing was saved by then.")
                                         : ArtifactsPanel::tr("No artifacts match `%1`.").arg(words));
    footer->showNothing(static_cast<qint64>(all.size()));
}

std::vector<ArtifactRow> ArtifactsPanel::Impl::versionsOf(const ArtifactRow& artifact) const
{
    std::vector<ArtifactRow> versions;
    for (const ArtifactRow& row : all)
        if (row.path == artifact.path && row.thread == artifact.thread)
            versions.push_back(row);
    return versions;
}

void ArtifactsPanel::Impl::showSelection()
{
    const std::vector<ArtifactRow> rows = list->selectedRows();
    describeSelection();
    if (rows.empty())
        return;
    const QModelIndex current = list->currentIndex();
    const bool currentIsSelected = list->selectionModel()->isSelected(current);
    const ArtifactRow& shown = currentIsSelected ? model->row(current) : rows.front();
    preview->showArtifact(shown, versionsOf(shown));
    if (shown.id == asked)
        return;
    asked = shown.id;
    list->askForThumbnails();
    Q_EMIT panel->previewRequested(shown);
}

void ArtifactsPanel::Impl::describeSelection()
{
    const std::vector<ArtifactRow> rows = list->selectedRows();
    qint64 bytes = 0;
    for (const ArtifactRow& row : rows)
        bytes += row.size;
    footer->showSelection(static_cast<qint64>(rows.size()), model->rowCount(), bytes);
}

void ArtifactsPanel::Impl::chooseFolder()
{
    const std::vector<ArtifactRow> rows = list->rowsToCopy();
    if (rows.empty())
        return;
    const QString title = rows.size() == 1 ? ArtifactsPanel::tr("Export %1 to").arg(rows.front().name)
                                           : ArtifactsPanel::tr("Export %1 artifacts to").arg(rows.size());
    const QString start = lastFolder.isEmpty() ? QDir::homePath() : lastFolder;
    auto* dialog = new QFileDialog(panel, title, start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, ArtifactsPanel::tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, rows](const QString& folder) {
        lastFolder = folder;
        Q_EMIT panel->exportRequested(rows, folder);
    });
    dialog->open();
}

void ArtifactsPanel::Impl::showWaiting(const StagedFiles& files, bool isOver)
{
    if (!isOver) {
        footer->showCopying(files);
        return;
    }
    footer->showDragging(false);
    if (!files.isDone())
        showError(
            { ArtifactsPanel::tr("The copies were not there within half a minute: the other program got "
                                 "nothing. Use Export…, or Ctrl+C, which waits for the copies."),
              {} });
}

void ArtifactsPanel::Impl::showError(const UserError& error)
{
    banner->showMessage(Banner::Kind::Error, error.what);
    banner->setToolTip(error.detail);
    banner->setClosable(true);
}

ArtifactsPanel::ArtifactsPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Artifacts"));
}

ArtifactsPanel::ArtifactsPanel(const PanelParts& parts, QWidget* parent)
    : ArtifactsPanel(parent)
{
    m_feed = new ArtifactsFeed(parts, *this);
}

const std::vector<ArtifactRow>& ArtifactsPanel::read() const
{
    Q_ASSERT(m_feed != nullptr);
    return m_feed->rows();
}

void ArtifactsPanel::clear()
{
    m_impl->banner->hide();
    m_impl->setRows({});
}

void ArtifactsPanel::setMoment(const std::optional<Moment>& moment)
{
    m_impl->moment = moment;
    m_impl->bar->showStep(moment ? moment->step : -1);
    m_impl->refilter();
}

void ArtifactsPanel::setArtifacts(const std::vector<ArtifactRow>& rows)
{
    m_impl->setRows(rows);
}

void ArtifactsPanel::choose(const QString& artifact)
{
    m_impl->chosen = true;
    m_impl->select(artifact, {});
}

bool ArtifactsPanel::showsAllThreads() const
{
    return m_impl->bar->showsAllThreads();
}

void ArtifactsPanel::setColumnFacts(const ColumnFacts& facts)
{
    m_impl->preview->showFacts(facts);
}

void ArtifactsPanel::setPreview(const ArtifactPreview& preview)
{
    m_impl->preview->showPreview(preview);
}

void ArtifactsPanel::setThumbnail(const ArtifactThumbnail& thumbnail)
{
    m_impl->model->setThumbnail(thumbnail);
}

void ArtifactsPanel::setStaged(const std::shared_ptr<StagedFiles>& files, const UserError& error)
{
    m_impl->list->noteStaged(files);
    if (!error.what.isEmpty())
        m_impl->showError(error);
}

void ArtifactsPanel::setExported(const QStringList& files, const UserError& error)
{
    if (error.what.isEmpty())
        m_impl->banner->hide();
    else
        m_impl->showError(error);
    if (files.isEmpty())
        return;
    const QString folder = QDir::toNativeSeparators(QFileInfo(files.front()).path());
    m_impl->preview->showNote(files.size() == 1
                                  ? tr("Exported to %1").arg(folder)
                                  : tr("Exported %1 files to %2").arg(files.size()).arg(folder));
}

void ArtifactsPanel::setVerified(int contents, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_impl->preview->showNote({});
        m_impl->showError(error);
        return;
    }
    m_impl->preview->showNote(contents == 1 ? tr("Verified: the content is what was stored.")
                                            : tr("Verified: %1 contents are what was stored.").arg(contents));
}

} // namespace sg::ui
