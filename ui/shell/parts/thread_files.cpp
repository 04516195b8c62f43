#include "ui/shell/parts/thread_files.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/icons.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kShownSecrets = 3;

QString bundleFilter()
{
    return ThreadFiles::tr("Threads (*.sandglass.zip *.zip);;All files (*)");
}

// "3 checkpoints, 1 artifact"
QString contentOf(const ThreadBundle& bundle)
{
    const QString checkpoints = bundle.checkpoints == 1
        ? ThreadFiles::tr("1 checkpoint")
        : ThreadFiles::tr("%1 checkpoints").arg(bundle.checkpoints);
    const QString artifacts = bundle.artifacts == 1 ? ThreadFiles::tr("1 artifact")
                                                    : ThreadFiles::tr("%1 artifacts").arg(bundle.artifacts);
    return checkpoints + QStringLiteral(", ") + artifacts;
}

} // namespace

ThreadFiles::ThreadFiles(const WindowParts& parts)
    : WindowPart(parts)
{
    connect(&m_clients->project, &OpenProject::opened, this, [this] { m_imported.clear(); });
    connect(&m_clients->history, &HistoryClient::threadsLoaded, this, &ThreadFiles::selectImported);
    connect(&m_clients->upkeep, &UpkeepClient::threadExported, this, &ThreadFiles::showThreadExported);
    connect(&m_clients->upkeep, &UpkeepClient::threadImported, this, &ThreadFiles::showThreadImported);
}

void ThreadFiles::addTo(QMenu& thread)
{
    thread.addSeparator();
    QAction* exporting = thread.addAction(icon(QLatin1String("export")), tr("&Export thread…"), this,
                                          &ThreadFiles::exportThread);
    QAction* importing =
        thread.addAction(tr("&Import thread…"), this, qOverload<>(&ThreadFiles::importThread));
    connect(&thread, &QMenu::aboutToShow, this, [this, exporting, importing] {
        exporting->setEnabled(m_clients->project.isOpen() && m_history->count() > 0
                              && !m_clients->project.info().isReadOnly);
        importing->setEnabled(m_clients->project.isOpen() && !m_clients->project.info().isReadOnly);
    });
}

void ThreadFiles::exportThread()
{
    const QString thread = m_selection->thread();
    auto* dialog = new QFileDialog(m_window, tr("Export thread %1").arg(thread),
                                   m_clients->project.info().folder, bundleFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(QString(thread).replace(QLatin1Char('/'), QLatin1Char('_'))
                       + QStringLiteral(".sandglass.zip"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, thread](const QString& file) { m_clients->upkeep.exportThread(thread, file, false); });
    dialog->open();
}

void ThreadFiles::showThreadExported(const ThreadBundle& bundle, const UserError& error)
{
    if (!error.what.isEmpty())
        return showError(error);
    if (!bundle.isWritten) {
        // The export that was checked is meant, even if another thread is selected by then.
        m_banners->tell(BannerStack::Owner::Done,
                        { .kind = Banner::Kind::Warning,
                          .text = tr("**Nothing was exported.** %1 places look like secrets: %2")
                                      .arg(bundle.secrets.size())
                                      .arg(bundle.secrets.mid(0, kShownSecrets).join(QStringLiteral("; "))),
                          .toolTip = bundle.secrets.join(QLatin1Char('\n')),
                          .actions = { { .text = tr("Export all the same"),
                                         .run = [this, thread = bundle.thread, file = bundle.file] {
                                             m_clients->upkeep.exportThread(thread, file, true);
                                         } } } });
        return;
    }
    m_banners->tell(
        BannerStack::Owner::Done,
        { .text =
              tr("**Exported** thread %1 to `%2`: %3.").arg(bundle.thread, bundle.file, contentOf(bundle)),
          .actions = { { .text = tr("Open folder"),
                         .run =
                             [folder = QFileInfo(bundle.file).path()] {
                                 QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                             },
                         .withdraws = false } } });
}

void ThreadFiles::importThread()
{
    auto* dialog =
        new QFileDialog(m_window, tr("Import a thread"), m_clients->project.info().folder, bundleFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setLabelText(QFileDialog::Accept, tr("Import"));
    connect(dialog, &QFileDialog::fileSelected, this, qOverload<const QString&>(&ThreadFiles::importThread));
    dialog->open();
}

void ThreadFiles::importThread(const QString& file)
{
    if (!m_clients->project.isOpen() || m_clients->project.info().isReadOnly)
        return showError(
            { m_clients->project.isOpen()
                  ? tr("%1 is a thread: open a project to import it into. Only checkpoints are open "
                       "now, to be read.")
                        .arg(QFileInfo(file).fileName())
                  : tr("%1 is a thread: open the project first that it is to be imported into.")
                        .arg(QFileInfo(file).fileName()),
              {} });
    auto* name = new QInputDialog(m_window);
    name->setAttribute(Qt::WA_DeleteOnClose);
    name->setObjectName(QStringLiteral("importName"));
    name->setWindowTitle(tr("Import a thread"));
    name->setLabelText(tr("Name of the thread of %1 here; empty: its own").arg(QFileInfo(file).fileName()));
    connect(name, &QInputDialog::textValueSelected, this,
            [this, file](const QString& given) { m_clients->upkeep.importThread(file, given.trimmed()); });
    name->open();
}

void ThreadFiles::showThreadImported(const ThreadBundle& bundle, const UserError& error)
{
    if (!error.what.isEmpty())
        return showError(error);
    m_banners->tell(BannerStack::Owner::Done,
                    { .text = tr("**Imported** thread %1: %2.").arg(bundle.thread, contentOf(bundle)) });
    m_imported = bundle.thread;
}

void ThreadFiles::selectImported(const std::vector<ThreadRow>& rows)
{
    if (m_imported.isEmpty() || std::ranges::find(rows, m_imported, &ThreadRow::thread) == rows.end())
        return; // a list from before the import
    const QString thread = std::exchange(m_imported, {});
    if (thread == m_selection->thread())
        Q_EMIT arrived(thread); // it was chosen, and there was nothing of it
    else
        m_selection->setThread(thread);
}

} // namespace sg::ui
