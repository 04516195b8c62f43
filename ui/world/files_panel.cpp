#include "ui/world/files_panel.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/world/file_editor.h"
#include "ui/world/file_tree.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/kept_rows.h"
#include "ui/world/world_feed.h"
#include "ui/world/world_frame.h"
#include "ui/world/world_look.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

FilesPanel::FilesPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new FileTreeModel(this))
    , m_tree(new FileTree)
    , m_frame(new WorldFrame({ tr("Files"), tr("Filter files"), QLatin1String("folder"),
                               tr("The files that the session had at the selected step appear here. Files "
                                  "dropped here go into the live session.") },
                             m_model, FileTreeModel::PathRole, m_tree, this))
    , m_editor(new FileEditor(this))
    , m_banner(new Banner(this))
    , m_progress(new QTimer(this))
{
    setAccessibleName(tr("Files"));
    setAcceptDrops(true);
    m_tree->setObjectName(QStringLiteral("filesView"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(FileTreeModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->resizeSection(FileTreeModel::SizeColumn, scaledLength(90));
    m_tree->header()->resizeSection(FileTreeModel::ChangeColumn, scaledLength(140));
    m_tree->setDragDropMode(QAbstractItemView::DragOnly);
    m_banner->setClosable(true);
    m_banner->hide();
    createActions();
    connect(&m_look, &LiveLook::due, this, [this] {
        if (isVisible() && m_look.mayAsk())
            Q_EMIT liveRequested();
    });
    connect(m_frame, &WorldFrame::sessionChosen, this, &FilesPanel::sessionChosen);
    connect(m_frame, &WorldFrame::filtered, this, [this] { m_tree->expandAll(); });
    connect(m_tree, &FileTree::stageRequested, this,
            [this](const std::vector<WantedFile>& wanted, const std::shared_ptr<StagedFiles>& files) {
                Q_EMIT takeRequested(wanted, {}, files);
            });
    connect(m_tree, &FileTree::stagedReleased, this, &FilesPanel::stagedReleased);
    connect(m_tree, &FileTree::copied, this, [this](int files) {
        m_frame->setNote(files == 1 ? tr("Copied; paste it into any folder.")
                                    : tr("Copied %1 files; paste them into any folder.").arg(files));
    });
    connectEditor();
    connectCopying();
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &FilesPanel::updateActions);
    connect(m_tree->model(), &QAbstractItemModel::modelReset, this, &FilesPanel::updateActions);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setHandleWidth(1);
    sides->setChildrenCollapsible(false);
    sides->addWidget(m_frame);
    sides->addWidget(m_editor);
    sides->setSizes({ scaledLength(420), scaledLength(420) });
    m_editor->hide();
    column->addWidget(sides, 1);
    updateActions();
}

void FilesPanel::connectEditor()
{
    connect(m_tree, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        const QModelIndex file = index.siblingAtColumn(0);
        if (file.data(FileTreeModel::TypeRole).toInt() != static_cast<int>(WorldFileRow::Type::File))
            return;
        if (m_editor->isVisible() && m_editor->isModified())
            m_frame->setNote(tr("Save or close the file that is open first."));
        else
            Q_EMIT openRequested(file.data(FileTreeModel::PathRole).toString());
    });
    connect(m_editor, &FileEditor::saveRequested, this, &FilesPanel::saveRequested);
    connect(m_editor, &FileEditor::reloadRequested, this, &FilesPanel::reloadRequested);
    connect(m_editor, &FileEditor::modifiedChanged, this, &FilesPanel::modifiedChanged);
    connect(m_editor, &FileEditor::saved, this, &FilesPanel::textSaved);
    connect(m_editor, &FileEditor::closed, m_editor, &QWidget::hide);
}

QAction* FilesPanel::addVerb(QLatin1String iconName, const QString& text, const QKeySequence& key)
{
    auto* action = new QAction(icon(iconName), text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    m_tree->addAction(action);
    return action;
}

void FilesPanel::createActions()
{
    QAction* upload = addVerb(QLatin1String("plus"), tr("Upload files…"), {});
    m_export =
        addVerb(QLatin1String("export"), tr("Export files…"), QKeySequence(QStringLiteral("Ctrl+Shift+E")));
    QAction* copy = addVerb(QLatin1String("copy"), tr("Copy as files"), {});
    m_copyPath = addVerb(QLatin1String("text"), tr("Copy path"), {});
    m_change = addVerb(QLatin1String("clock"), tr("Look at the step that changed it"),
                       QKeySequence(QStringLiteral("Alt+Return")));
    connect(m_change, &QAction::triggered, this, [this] {
        if (const QStringList paths = m_tree->selectedPaths(); paths.size() == 1)
            Q_EMIT changeRequested(paths.front());
    });
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(upload, &QAction::triggered, this, &FilesPanel::chooseUploads);
    connect(m_export, &QAction::triggered, this, &FilesPanel::chooseFolder);
    connect(copy, &QAction::triggered, m_tree, &FileTree::copy);
    connect(m_copyPath, &QAction::triggered, this, [this] {
        QStringList paths;
        for (const QString& path : m_tree->selectedPaths())
            paths << inside(path);
        QGuiApplication::clipboard()->setText(paths.join(QLatin1Char('\n')));
    });
    m_cancel = addVerb(QLatin1String("stop"), tr("Stop copying"), QKeySequence(Qt::Key_Escape));
    const auto addButton = [this](QAction* action, const QString& text, const QString& tip) {
        auto* button = new QPushButton(action->icon(), text, this);
        button->setProperty("sgFlat", true);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::enabledChanged, button, &QPushButton::setEnabled);
        m_frame->addControl(button);
        return button;
    };
    QPushButton* cancel = addButton(m_cancel, tr("Cancel"), tr("Stop copying (Esc)"));
    cancel->setObjectName(QStringLiteral("cancelCopying"));
    connect(m_cancel, &QAction::enabledChanged, cancel, &QPushButton::setVisible);
    m_cancel->setEnabled(false);
    addButton(upload, tr("Upload…"),
              tr("Copy files of this machine into the live session; or drop them here"));
    addButton(m_export, tr("Export…"),
              tr("Copy the selected files to a folder (Ctrl+Shift+E); or drag them out"));
}

void FilesPanel::updateActions()
{
    const bool any = m_tree->selectionModel()->hasSelection();
    m_export->setEnabled(any);
    m_copyPath->setEnabled(any);
    m_change->setEnabled(isOneRow(m_tree->selectionModel()->selection()));
}

FilesPanel::FilesPanel(const PanelParts& parts, QWidget* parent)
    : FilesPanel(parent)
{
    m_feed = new WorldFeed(parts, *this);
}

WorldFeed& FilesPanel::feed() const
{
    Q_ASSERT(m_feed != nullptr);
    return *m_feed;
}

void FilesPanel::clear()
{
    m_world = {};
    m_put.clear();
    m_live.reset();
    m_shown.clear();
    m_changed.clear();
    m_look.forget(); // requests of the former project get no answer
    m_model->reset({});
    m_frame->setNote(m_over);
    m_frame->clear();
    m_banner->hide();
    if (!m_editor->isModified())
        m_editor->hide();
}

void FilesPanel::setWorld(const WorldView& world)
{
    if ((world.thread != m_world.thread || world.session != m_world.session) && !m_editor->isModified())
        m_editor->hide(); // the file belongs to another session
    if (world.thread != m_world.thread || world.checkpoint != m_world.checkpoint) {
        m_put.clear();
        m_frame->setNote(m_over);
    }
    if (m_live && (m_live->thread != world.thread || m_live->session != world.session))
        m_live.reset();
    if (world.thread != m_world.thread || world.session != m_world.session)
        m_changed.clear();
    m_world = world;
    showRows();
    m_look.soon(); // compare with the newer checkpoint
}

void FilesPanel::setLive(bool live)
{
    if (live == m_look.isWanted())
        return;
    m_live.reset();
    m_look.setWanted(live);
    if (!live && !m_world.thread.isEmpty())
        showRows();
}

void FilesPanel::lookAgain()
{
    m_look.forget();
    m_look.soon();
}

void FilesPanel::setLiveFiles(const LiveFiles& files)
{
    m_look.answered(files.seconds);
    if (!m_look.isWanted() || !files.problem.isEmpty()
        || (!m_world.thread.isEmpty()
            && (files.thread != m_world.thread || files.session != m_world.session)))
        return;
    m_live = files;
    m_put.clear(); // the live list includes them
    showRows();
}

void FilesPanel::setChangeUnknown(const QString& path)
{
    m_frame->setNote(tr("No checkpoint tells when %1 was changed.").arg(path));
}

void FilesPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_look.soon();
}

// Example: "Now, 2 added, 1 changed since step 4"
QString FilesPanel::words(const std::vector<WorldFileRow>& rows) const
{
    std::vector<WorldChange> changes;
    for (const WorldFileRow& row : rows)
        if (row.type != WorldFileRow::Type::Folder)
            changes.push_back(row.change);
    if (!m_live)
        return momentWords(m_world, changes);
    QString said = changesWords(changes);
    said =
        m_world.wasUsed ? tr("Live, %1 since step %2").arg(said).arg(m_world.step) : tr("Live, %1").arg(said);
    if (!m_live->isCut)
        return said;
    const auto listed = std::ranges::count_if(rows, [](const WorldFileRow& row) {
        return row.type == WorldFileRow::Type::File && row.change != WorldChange::Removed;
    });
    return tr("%1; the first %2 files").arg(said, formatCount(listed));
}

void FilesPanel::showRows()
{
    std::vector<WorldFileRow> rows = m_live ? m_live->files : m_world.files;
    for (const WorldFileRow& put : m_put) {
        std::erase_if(rows, [&put](const WorldFileRow& row) { return row.path == put.path; });
        rows.push_back(put);
    }
    std::ranges::stable_sort(rows, {}, &WorldFileRow::path);
    if (m_live && rows == m_shown && m_model->rowCount() > 0) {
        m_frame->showMoment(words(rows));
        return;
    }
    m_shown = rows;
    resetRows(*m_tree, *m_model, rows);
    WorldView world = m_world;
    world.wasUsed = world.wasUsed || m_live;
    m_frame->show(world, rows.empty() && !m_live ? m_world.filesProblem : QString(),
                  m_live ? tr("The session's folder is empty.") : tr("The session's folder was empty."));
    expandChanges(*m_tree, m_changed);
    m_changed = changedFolders(rows);
    if (world.wasUsed)
        m_frame->showMoment(words(rows));
}

void FilesPanel::setText(const SessionText& text)
{
    // The text was requested before the user changed the open one.
    if (!m_editor->isHidden() && m_editor->isModified() && !m_editor->awaits(text)) {
        m_frame->setNote(tr("Save or close the file that is open first."));
        return;
    }
    m_editor->open(text);
    m_editor->show();
}

bool FilesPanel::isModified() const
{
    return m_editor->isModified();
}

void FilesPanel::saveText()
{
    m_editor->save();
}

void FilesPanel::closeText()
{
    m_editor->discard();
    m_editor->hide();
}

void FilesPanel::setSaved(const SessionText& now, const UserError& error, bool conflict)
{
    m_editor->setSaved(now, error, conflict);
}

} // namespace sg::ui
