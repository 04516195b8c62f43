#include "core/artifacts/blob_store.h"
#include "core/artifacts/export_file.h"
#include "core/base/relative_path.h"
#include "core/sessions/session_files.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

// Files into a thread's session and out of it: of the live one, or as they were at a checkpoint.
namespace sg::ui {
namespace {

constexpr qint64 kPiece = 1 << 20;

std::shared_ptr<sessions::RunnerLink> linkOf(workbench::Workbench& workbench, const QString& thread)
{
    const auto living = workbench.sessions().find(ThreadId(utf8(thread)));
    return living ? living->link() : nullptr;
}

Result<QString> put(sessions::RunnerLink& link, const QString& local, const QString& folder)
{
    const QString inside = folder.isEmpty() ? QFileInfo(local).fileName()
                                            : folder + QLatin1Char('/') + QFileInfo(local).fileName();
    const auto path = RelativePath::parse(utf8(inside));
    if (!path)
        return path.error();
    QFile file(local);
    if (!QFileInfo(local).isFile() || !file.open(QIODevice::ReadOnly))
        return Error{ Errc::Io,
                      utf8(local) + ": "
                          + utf8(QFileInfo(local).isDir() ? QObject::tr("a folder; drop its files instead")
                                                          : file.errorString()) };
    const auto writer = sessions::writeSessionFile(link, sessions::FileRoot::Session, *path);
    while (!file.atEnd()) {
        const QByteArray piece = file.read(kPiece);
        if (file.error() != QFileDevice::NoError)
            return Error{ Errc::Io, utf8(local) + ": " + utf8(file.errorString()) };
        if (auto written = writer->write({ piece.constData(), static_cast<std::size_t>(piece.size()) });
            !written)
            return Error(written.error()).during(utf8(inside));
    }
    auto done = writer->finish();
    if (!done)
        return Error(done.error()).during(utf8(inside));
    return text(*done);
}

Result<QString> takeLive(sessions::RunnerLink& link, const RelativePath& path,
                         const std::filesystem::path& folder)
{
    auto file = artifacts::ExportFile::create(folder);
    if (!file)
        return file.error();
    const auto read =
        sessions::readSessionFile(link, sessions::FileRoot::Session, path,
                                  [&file](std::string_view bytes) { return file->write(bytes); });
    if (!read)
        return read.error();
    auto placed = file->finish(artifacts::exportName(path.name()), read->modifiedNs);
    if (!placed)
        return placed.error();
    return text(placed->string());
}

Result<QString> takeKept(workbench::Workbench& workbench, const sessions::Snapshot& snapshot,
                         const std::string& path, const std::filesystem::path& folder)
{
    if (!snapshot.files || !snapshot.files->contains(path))
        return Error{ Errc::NotFound, path + " was not kept at this checkpoint" };
    const sessions::FileEntry* entry = &snapshot.files->at(path);
    if (!entry->sameAs.empty() && snapshot.files->contains(entry->sameAs))
        entry = &snapshot.files->at(entry->sameAs);
    if (entry->type != sessions::FileEntry::Type::File)
        return Error{ Errc::InvalidArgument, path + " is no file; only files can be taken out" };
    auto file = artifacts::ExportFile::create(folder);
    if (!file)
        return file.error();
    if (entry->size > 0) {
        const auto blobs = artifacts::BlobStore::open(workbench.project().snapshots);
        if (!blobs)
            return blobs.error();
        const auto copied =
            blobs->read(entry->content, [&file](std::string_view bytes) { return file->write(bytes); });
        if (!copied)
            return Error(copied.error()).during(path);
    }
    const std::size_t slash = path.rfind('/');
    auto placed = file->finish(artifacts::exportName(path.substr(slash == std::string::npos ? 0 : slash + 1)),
                               entry->mtimeNs);
    if (!placed)
        return placed.error();
    return text(placed->string());
}

struct Wanted {
    QString thread;
    QString checkpoint; // empty: the live session, or the newest where there is none
    QStringList paths;
    QString folder;
};

Answer<QStringList> take(workbench::Workbench& workbench, const Wanted& wanted)
{
    Answer<QStringList> answer;
    const std::filesystem::path folder(utf8(wanted.folder));
    const auto link = wanted.checkpoint.isEmpty() ? linkOf(workbench, wanted.thread) : nullptr;
    std::optional<sessions::Snapshot> kept;
    if (!link) {
        checkpoint::CheckpointRef at{ ThreadId(utf8(wanted.thread)), "",
                                      CheckpointId(utf8(wanted.checkpoint)) };
        if (wanted.checkpoint.isEmpty())
            if (const auto rows = workbench.history().checkpoints(at.thread, "", 1); rows && !rows->empty())
                at.id = rows->front().id;
        auto found = workbench.snapshots() != nullptr
            ? workbench.snapshots()->at(at)
            : Result<sessions::Snapshot>(Error{ Errc::NotFound, "nothing is kept of this session" });
        if (!found) {
            answer.error = userError(found.error());
            return answer;
        }
        kept = std::move(*found);
    }
    for (const QString& each : wanted.paths) {
        const auto path = RelativePath::parse(utf8(each));
        const auto made = !path ? Result<QString>(path.error())
            : kept              ? takeKept(workbench, *kept, path->text(), folder)
                                : takeLive(*link, *path, folder);
        if (!made) {
            answer.error = userError(made.error());
            return answer;
        }
        answer.value << *made;
    }
    return answer;
}

} // namespace

void ProjectBridge::putFiles(const QString& thread, const QStringList& files, const QString& folder)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, files, folder] {
            Answer<QStringList> answer;
            const auto link = linkOf(*workbench, thread);
            if (!link) {
                answer.error = {
                    tr("No sandbox of this thread runs: start one with a cell of the console or a run, "
                       "then drop the files again."),
                    {}
                };
                return answer;
            }
            for (const QString& file : files) {
                const auto done = put(*link, file, folder);
                if (!done) {
                    answer.error = userError(done.error());
                    break;
                }
                answer.value << *done;
            }
            return answer;
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT filesPut(answer.value, answer.error); });
}

void ProjectBridge::takeFiles(const QString& thread, const QString& checkpoint, const QStringList& paths,
                              const std::shared_ptr<StagedFiles>& files)
{
    QString problem = tr("No project is open: nothing was copied.");
    const QString folder = isOpen() ? newDragFolder(problem) : QString();
    if (folder.isEmpty()) {
        files->finish({}, problem);
        Q_EMIT filesTaken(files, { problem, {} });
        return;
    }
    m_impl->stagedFolders << folder;
    m_impl->askAlways(
        m_impl->staging,
        [workbench = m_impl->workbench, wanted = Wanted{ thread, checkpoint, paths, folder }, files] {
            const Answer<QStringList> answer = take(*workbench, wanted);
            files->finish(answer.error.what.isEmpty() ? answer.value : QStringList(), answer.error.what);
            return answer.error;
        },
        [this, files](const UserError& error) { Q_EMIT filesTaken(files, error); });
}

} // namespace sg::ui
