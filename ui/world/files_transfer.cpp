#include "ui/bridge/artifacts/file_mime.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/byte_format.h"
#include "ui/world/file_tree.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/files_panel.h"
#include "ui/world/world_frame.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QTimer>
#include <QUrl>

#include <algorithm>

// Copies files into the live session and out of it.
namespace sg::ui {
namespace {

constexpr int kLookMs = 150;

// Example: "Copying: 3.1 MB of 12 MB…"
QString copyingWords(const StagedFiles& files)
{
    const QString copied = formatBytes(files.copiedBytes());
    return files.totalBytes() > 0
        ? FilesPanel::tr("Copying: %1 of %2…").arg(copied, formatBytes(files.totalBytes()))
        : FilesPanel::tr("Copying: %1…").arg(copied);
}

// The dropped files of this machine, except those dragged from this panel.
QStringList localFiles(const QMimeData& data)
{
    QStringList files;
    if (!data.hasFormat(QLatin1String(kSessionFileFormat)))
        for (const QUrl& url : data.urls())
            if (url.isLocalFile())
                files << url.toLocalFile();
    return files;
}

} // namespace

QString FilesPanel::inside(const QString& folder)
{
    return folder.isEmpty() ? QStringLiteral("/session") : QStringLiteral("/session/") + folder;
}

QString FilesPanel::folderAt(const QPoint& position) const
{
    if (!m_tree->isVisible())
        return {};
    QModelIndex index = m_tree->indexAt(m_tree->viewport()->mapFrom(this, position)).siblingAtColumn(0);
    const auto isFolder = [](const QModelIndex& place) {
        return place.data(FileTreeModel::TypeRole).toInt() == static_cast<int>(WorldFileRow::Type::Folder);
    };
    if (index.isValid() && !isFolder(index))
        index = index.parent();
    return index.isValid() ? index.data(FileTreeModel::PathRole).toString() : QString();
}

void FilesPanel::dragEnterEvent(QDragEnterEvent* event)
{
    const QMimeData& offered = *event->mimeData();
    if (!offered.hasUrls() || offered.hasFormat(QLatin1String(kSessionFileFormat))
        || !event->possibleActions().testFlag(Qt::CopyAction))
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void FilesPanel::dragMoveEvent(QDragMoveEvent* event)
{
    const QString folder = folderAt(event->position().toPoint());
    const qsizetype replaced = replacedBy(localFiles(*event->mimeData()), folder).size();
    const QString said = tr("Copy to %1 of the live session").arg(inside(folder));
    m_over = replaced == 0 ? said
        : replaced == 1    ? tr("%1; a file there is replaced").arg(said)
                           : tr("%1; %2 files there are replaced").arg(said).arg(replaced);
    m_frame->setNote(m_over);
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void FilesPanel::dragLeaveEvent(QDragLeaveEvent*)
{
    m_over.clear();
    m_frame->setNote({});
}

void FilesPanel::dropEvent(QDropEvent* event)
{
    m_over.clear();
    m_frame->setNote({});
    const QStringList files = localFiles(*event->mimeData());
    if (files.isEmpty())
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    put(files, folderAt(event->position().toPoint()));
}

// The paths beneath /session that the files would replace, as far as the panel knows.
QStringList FilesPanel::replacedBy(const QStringList& files, const QString& folder) const
{
    QStringList replaced;
    for (const QString& file : files) {
        const QString name = QFileInfo(file).fileName();
        const QString path = folder.isEmpty() ? name : folder + QLatin1Char('/') + name;
        if (const WorldFileRow* row = rowAt(path); row && row->change != WorldChange::Removed)
            replaced << path;
    }
    return replaced;
}

const WorldFileRow* FilesPanel::rowAt(const QString& path) const
{
    const auto found = std::ranges::find(m_shown, path, &WorldFileRow::path);
    return found == m_shown.end() ? nullptr : &*found;
}

void FilesPanel::put(const QStringList& files, const QString& folder)
{
    for (const QString& file : files)
        m_sizes.insert(QFileInfo(file).fileName(), QFileInfo(file).size());
    m_replaced = replacedBy(files, folder);
    m_frame->setNote(files.size() == 1
                         ? tr("Copying %1 to %2…").arg(QFileInfo(files.front()).fileName(), inside(folder))
                         : tr("Copying %1 files to %2…").arg(files.size()).arg(inside(folder)));
    Q_EMIT putRequested(files, folder);
}

// The row of a copied file, with its change compared to the row before.
WorldFileRow FilesPanel::rowOfPut(const QString& path) const
{
    WorldFileRow row;
    row.path = path;
    row.size = m_sizes.value(path.section(QLatin1Char('/'), -1));
    const WorldFileRow* before = rowAt(path); // may itself be newer than the checkpoint
    row.change = before && before->change != WorldChange::Added ? WorldChange::Changed : WorldChange::Added;
    return row;
}

QString FilesPanel::wordsOfPut(const QStringList& paths, qsizetype replaced)
{
    if (paths.size() == 1)
        return replaced > 0 ? tr("Replaced %1; the next checkpoint has it.").arg(paths.front())
                            : tr("Copied to %1; the next checkpoint has it.").arg(paths.front());
    return replaced > 0 ? tr("Copied %1 files, %2 of them over older ones; the next checkpoint has them.")
                              .arg(paths.size())
                              .arg(replaced)
                        : tr("Copied %1 files; the next checkpoint has them.").arg(paths.size());
}

void FilesPanel::setPut(const QStringList& paths, const UserError& error)
{
    qsizetype replaced = 0;
    for (const QString& path : paths) {
        const WorldFileRow row = rowOfPut(path.startsWith(QLatin1String("/session/")) ? path.mid(9) : path);
        replaced += m_replaced.contains(row.path) ? 1 : 0;
        std::erase_if(m_put, [&row](const WorldFileRow& known) { return known.path == row.path; });
        m_put.push_back(row);
    }
    m_sizes.clear();
    m_replaced.clear();
    if (!paths.isEmpty() && (m_world.wasUsed || m_live))
        showRows();
    m_frame->setNote(paths.isEmpty() ? QString() : wordsOfPut(paths, replaced));
    if (error.what.isEmpty()) {
        m_banner->hide();
        return;
    }
    m_banner->showMessage(Banner::Kind::Error, error.what);
    m_banner->setToolTip(error.detail);
}

void FilesPanel::setTaken(const std::shared_ptr<StagedFiles>& files, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_frame->setNote({});
        m_banner->showMessage(Banner::Kind::Error, error.what);
        m_banner->setToolTip(error.detail);
    } else if (files == m_exporting) {
        m_banner->hide();
        const QString folder = QDir::toNativeSeparators(m_lastFolder);
        m_frame->setNote(files->stopToken().stop_requested()
                             ? tr("Stopped; what was copied before is in %1").arg(folder)
                             : tr("Exported to %1").arg(folder));
    }
    if (files == m_exporting)
        endExport();
}

void FilesPanel::connectCopying()
{
    m_progress->setInterval(kLookMs);
    connect(m_progress, &QTimer::timeout, this, &FilesPanel::showCopying);
    connect(m_tree, &FileTree::dragging, this, [this](const std::shared_ptr<StagedFiles>& files) {
        watchCopying(files ? files : m_exporting, files != nullptr);
        if (!files && !m_exporting)
            m_frame->setNote({});
    });
    connect(m_tree, &FileTree::waitedFor, this, &FilesPanel::showWaiting);
    connect(m_cancel, &QAction::triggered, this, [this] {
        if (m_exporting)
            m_exporting->giveUp();
    });
}

void FilesPanel::watchCopying(const std::shared_ptr<StagedFiles>& files, bool isDrag)
{
    m_watched = files;
    m_isDrag = isDrag;
    if (!files) {
        m_progress->stop();
        return;
    }
    m_progress->start();
    showCopying();
}

void FilesPanel::showCopying()
{
    const QString drop = tr("Drop to copy, Esc to cancel");
    if (!m_watched->isDone())
        m_frame->setNote(m_isDrag ? tr("%1. %2").arg(drop, copyingWords(*m_watched))
                                  : copyingWords(*m_watched));
    else if (m_isDrag)
        m_frame->setNote(drop);
}

void FilesPanel::showWaiting(const StagedFiles& files, bool isOver)
{
    if (!isOver) {
        m_frame->paintNote(copyingWords(files));
        return;
    }
    m_frame->setNote({});
    if (files.isDone())
        return;
    m_banner->showMessage(Banner::Kind::Error,
                          tr("The copies were not there within half a minute: the other program got nothing. "
                             "Use Export…, which waits for the copies."));
}

void FilesPanel::endExport()
{
    m_exporting.reset();
    m_cancel->setEnabled(false);
    if (!m_isDrag)
        watchCopying(nullptr, false);
}

void FilesPanel::chooseUploads()
{
    const QModelIndexList chosen = m_tree->selectionModel()->selectedRows();
    const QString folder = chosen.isEmpty()
        ? QString()
        : folderAt(m_tree->viewport()->mapTo(this, m_tree->visualRect(chosen.front()).center()));
    auto* dialog = new QFileDialog(this, tr("Upload to %1").arg(inside(folder)),
                                   m_lastFolder.isEmpty() ? QDir::homePath() : m_lastFolder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setLabelText(QFileDialog::Accept, tr("Upload"));
    connect(dialog, &QFileDialog::filesSelected, this, [this, folder](const QStringList& files) {
        if (!files.isEmpty())
            put(files, folder);
    });
    dialog->open();
}

void FilesPanel::chooseFolder()
{
    const std::vector<WantedFile> wanted = m_tree->selectedFiles();
    if (wanted.empty())
        return;
    auto* dialog = new QFileDialog(this,
                                   wanted.size() == 1 ? tr("Export %1 to").arg(wanted.front().path)
                                                      : tr("Export %1 files to").arg(wanted.size()),
                                   m_lastFolder.isEmpty() ? QDir::homePath() : m_lastFolder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, wanted](const QString& folder) {
        m_lastFolder = folder;
        m_exporting = std::make_shared<StagedFiles>();
        m_cancel->setEnabled(true);
        watchCopying(m_exporting, false);
        Q_EMIT takeRequested(wanted, folder, m_exporting);
    });
    dialog->open();
}

} // namespace sg::ui
