#include "ui/bridge/world/session_file_query.h"

#include "core/artifacts/blob_store.h"
#include "core/artifacts/export_file.h"
#include "core/base/hash.h"
#include "core/base/relative_path.h"
#include "core/base/utf8.h"
#include "core/sessions/runner/session_files.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/staging/staging.h"

#include <QFile>
#include <QFileInfo>
#include <QObject>

#include <filesystem>
#include <functional>
#include <optional>

namespace sg::ui {

std::shared_ptr<sessions::RunnerLink> linkToSession(workbench::Workbench& workbench, const QString& thread,
                                                    const QString& session)
{
    const auto living =
        workbench.sessions().find(ThreadId(utf8(thread)), sessions::SessionPart::parse(utf8(session)));
    return living && !living->info().state.is(sessions::SessionState::Kind::Paused) ? living->link()
                                                                                    : nullptr;
}

Result<sessions::Snapshot> keptAt(workbench::Workbench& workbench, const QString& thread,
                                  const QString& checkpoint, const QString& session)
{
    if (workbench.snapshots() == nullptr)
        return Error{ Errc::NotFound, "nothing is kept of this session" };
    checkpoint::CheckpointRef at{ ThreadId(utf8(thread)), "", CheckpointId(utf8(checkpoint)) };
    if (checkpoint.isEmpty())
        if (const auto rows = workbench.history().checkpoints(at.thread, "", 1); rows && !rows->empty())
            at.id = rows->front().id;
    return workbench.snapshots()->at(at, utf8(session)); // never another session's files
}

namespace {

constexpr qint64 kPiece = 1 << 20;
constexpr std::size_t kMostText = 1 << 20;
constexpr qsizetype kMostFailures = 5; // at the beginning

// Uses composed Unicode, so that a name from one system is the same file name on all.
std::string nameHere(const std::string& name)
{
    return artifacts::exportName(utf8(text(name).normalized(QString::NormalizationForm_C)));
}

// Converts folder names of a sandbox to names that are allowed here.
std::filesystem::path placeIn(const std::filesystem::path& folder, const QString& into)
{
    std::filesystem::path place = folder;
    for (const QString& part : into.split(QLatin1Char('/'), Qt::SkipEmptyParts))
        place /= nameHere(utf8(part));
    return place;
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

using Take = std::function<Result<void>(std::string_view)>;

// Writes into the file until the copies are given up.
Take writing(artifacts::ExportFile& file, StagedFiles* staged)
{
    return [&file, staged](std::string_view bytes) -> Result<void> {
        if (staged != nullptr && staged->stopToken().stop_requested())
            return Error{ Errc::Cancelled, "given up" };
        if (staged != nullptr)
            staged->noteCopied(static_cast<qint64>(bytes.size()));
        return file.write(bytes);
    };
}

Result<QString> takeLive(sessions::RunnerLink& link, const RelativePath& path,
                         const std::filesystem::path& folder, StagedFiles* staged)
{
    auto file = artifacts::ExportFile::create(folder);
    if (!file)
        return file.error();
    const auto read =
        sessions::readSessionFile(link, sessions::FileRoot::Session, path, writing(*file, staged));
    if (!read)
        return read.error();
    auto placed = file->finish(nameHere(path.name()), read->modifiedNs);
    if (!placed)
        return placed.error();
    return text(placed->string());
}

// Passes the content of a snapshot's file to `take` and returns its entry.
Result<sessions::FileEntry> readKept(workbench::Workbench& workbench, const sessions::Snapshot& snapshot,
                                     const std::string& path, const Take& take)
{
    if (!snapshot.files || !snapshot.files->contains(path))
        return Error{ Errc::NotFound, path + " was not kept at this checkpoint" };
    const sessions::FileEntry* entry = &snapshot.files->at(path);
    if (!entry->sameAs.empty() && snapshot.files->contains(entry->sameAs))
        entry = &snapshot.files->at(entry->sameAs);
    if (entry->type != sessions::FileEntry::Type::File)
        return Error{ Errc::InvalidArgument, path + " is no file; only files can be taken out" };
    if (entry->size == 0)
        return *entry;
    const auto blobs = artifacts::BlobStore::open(workbench.project().snapshots);
    if (!blobs)
        return blobs.error();
    if (const auto read = blobs->read(entry->content, take); !read)
        return Error(read.error()).during(path);
    return *entry;
}

// Collects a text and refuses larger ones.
std::function<Result<void>(std::string_view)> collect(std::string& bytes)
{
    return [&bytes](std::string_view piece) -> Result<void> {
        bytes += piece;
        if (bytes.size() > kMostText)
            return Error{ Errc::LimitExceeded, "texts over 1 MB are not opened here; export it instead" };
        return {};
    };
}

Result<std::string> liveBytes(sessions::RunnerLink& link, const QString& path)
{
    const auto parsed = RelativePath::parse(utf8(path));
    if (!parsed)
        return parsed.error();
    std::string bytes;
    const auto read = sessions::readSessionFile(link, sessions::FileRoot::Session, *parsed, collect(bytes));
    if (!read)
        return read.error();
    return bytes;
}

Result<std::string> keptBytes(workbench::Workbench& workbench, const QString& thread,
                              const QString& checkpoint, const QString& path, const QString& session)
{
    const auto snapshot = keptAt(workbench, thread, checkpoint, session);
    if (!snapshot)
        return snapshot.error();
    std::string bytes;
    const auto read = readKept(workbench, *snapshot, utf8(path), collect(bytes));
    if (!read)
        return read.error();
    return bytes;
}

Result<QString> takeKept(workbench::Workbench& workbench, const sessions::Snapshot& snapshot,
                         const std::string& path, const std::filesystem::path& folder, StagedFiles* staged)
{
    auto file = artifacts::ExportFile::create(folder);
    if (!file)
        return file.error();
    const auto entry = readKept(workbench, snapshot, path, writing(*file, staged));
    if (!entry)
        return entry.error();
    const std::size_t slash = path.rfind('/');
    auto placed =
        file->finish(nameHere(path.substr(slash == std::string::npos ? 0 : slash + 1)), entry->mtimeNs);
    if (!placed)
        return placed.error();
    return text(placed->string());
}

} // namespace

Answer<QStringList> putSessionFiles(workbench::Workbench& workbench, const QString& thread,
                                    const QStringList& files, const QString& folder, const QString& session)
{
    Answer<QStringList> answer;
    const auto link = linkToSession(workbench, thread, session);
    if (!link) {
        answer.error = { QObject::tr(
                             "No sandbox of this thread runs: start one with a cell of the console or "
                             "a run, then upload the files again."),
                         {} };
        return answer;
    }
    QStringList problems; // each names its file
    for (const QString& file : files) {
        const auto done = put(*link, file, folder);
        if (done)
            answer.value << *done;
        else
            problems << userError(done.error()).what;
        if (answer.value.isEmpty() && problems.size() == kMostFailures)
            break; // nothing can be written there, and each try may take long
    }
    answer.error = notCopied(problems, files.size());
    return answer;
}

Answer<QStringList> takeSessionFiles(workbench::Workbench& workbench, const SessionFilesWanted& wanted,
                                     StagedFiles* staged)
{
    Answer<QStringList> answer;
    const std::filesystem::path folder(utf8(wanted.folder));
    const auto link =
        wanted.checkpoint.isEmpty() ? linkToSession(workbench, wanted.thread, wanted.session) : nullptr;
    std::optional<sessions::Snapshot> kept;
    if (!link) {
        auto found = keptAt(workbench, wanted.thread, wanted.checkpoint, wanted.session);
        if (!found) {
            answer.error = userError(found.error());
            return answer;
        }
        kept = std::move(*found);
    }
    QStringList problems;
    for (const WantedFile& each : wanted.files) {
        const auto path = RelativePath::parse(utf8(each.path));
        const std::filesystem::path place = placeIn(folder, each.into);
        const auto made = !path ? Result<QString>(path.error())
            : kept              ? takeKept(workbench, *kept, path->text(), place, staged)
                                : takeLive(*link, *path, place, staged);
        if (!made && made.error().code == Errc::Cancelled)
            return {};
        if (!made) {
            problems << QStringLiteral("%1: %2").arg(each.path, userError(made.error()).what);
            if (answer.value.isEmpty() && problems.size() == kMostFailures)
                break; // nothing can be read, and each try may take long
            continue;
        }
        const QString chosen = // a folder that was chosen counts as one file
            each.into.isEmpty() ? *made
                                : text(placeIn(folder, each.into.section(QLatin1Char('/'), 0, 0)).string());
        if (!answer.value.contains(chosen))
            answer.value << chosen;
    }
    answer.error = notCopied(problems, static_cast<qsizetype>(wanted.files.size()));
    return answer;
}

SessionText readSessionText(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& path, const QString& session)
{
    SessionText made;
    made.thread = thread;
    made.session = session;
    made.checkpoint = checkpoint;
    made.path = path;
    const auto link = checkpoint.isEmpty() ? linkToSession(workbench, thread, session) : nullptr;
    const auto bytes =
        link ? liveBytes(*link, path) : keptBytes(workbench, thread, checkpoint, path, session);
    if (!bytes) {
        made.problem = userError(bytes.error()).what;
        return made;
    }
    if (bytes->find('\0') != std::string::npos || !isValidUtf8(*bytes)) {
        made.problem = QObject::tr("This is no text. Export it to open it elsewhere.");
        return made;
    }
    made.hash = text(sha256Hex(*bytes));
    made.hasCarriageReturns = bytes->find("\r\n") != std::string::npos;
    made.text = text(*bytes).replace(QLatin1String("\r\n"), QLatin1String("\n"));
    made.isLive = link != nullptr;
    return made;
}

SessionTextSaved saveSessionText(workbench::Workbench& workbench, const SessionText& before,
                                 const QString& text)
{
    SessionTextSaved saved;
    saved.now = before;
    const auto path = RelativePath::parse(utf8(before.path));
    const auto link = linkToSession(workbench, before.thread, before.session);
    if (!link || !path) {
        saved.error = { QObject::tr(
                            "%1 was not saved: no sandbox of this thread runs. Start one with a cell of "
                            "the console, then save again.")
                            .arg(before.path),
                        {} };
        return saved;
    }
    if (!before.hash.isEmpty()) {
        const auto now = liveBytes(*link, before.path);
        if (!now || sg::ui::text(sha256Hex(*now)) != before.hash) {
            saved.isConflict = true;
            saved.error = { QObject::tr(
                                "%1 was changed or removed in the session meanwhile: nothing was saved.")
                                .arg(before.path),
                            {} };
            return saved;
        }
    }
    std::string bytes = utf8(
        before.hasCarriageReturns ? QString(text).replace(QLatin1Char('\n'), QLatin1String("\r\n")) : text);
    const auto writer = sessions::writeSessionFile(*link, sessions::FileRoot::Session, *path);
    auto written = writer->write(bytes);
    const auto done = written ? writer->finish() : Result<std::string>(written.error());
    if (!done) {
        saved.error = userError(done.error());
        return saved;
    }
    saved.now.text = text;
    saved.now.hash = sg::ui::text(sha256Hex(bytes));
    return saved;
}

} // namespace sg::ui
