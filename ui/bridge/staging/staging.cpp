#include "ui/bridge/staging/staging.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <unistd.h>

#include <chrono>

namespace sg::ui {
namespace {

constexpr const char* kDragFolder = "sandglass-drag-";
constexpr qint64 kMostInMemory = 64LL << 20; // bytes
constexpr auto kInUse = std::chrono::minutes(10); // another program may still read dropped files

QString dragBase(qint64 bytes)
{
    const auto place = bytes >= 0 && bytes <= kMostInMemory ? QStandardPaths::RuntimeLocation
                                                            : QStandardPaths::CacheLocation;
    const QString base = QStandardPaths::writableLocation(place);
    return !base.isEmpty() && QDir().mkpath(base) ? base : QDir::tempPath();
}

// Removes folders that a former process left more than a day ago.
void removeOldDragFolders()
{
    const QDateTime limit = QDateTime::currentDateTime().addDays(-1);
    for (const qint64 bytes : { qint64(0), kMostInMemory + 1 })
        for (const QFileInfo& entry :
             QDir(dragBase(bytes))
                 .entryInfoList({ QLatin1String(kDragFolder) + QStringLiteral("*") },
                                QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks))
            if (entry.lastModified() < limit && entry.ownerId() == ::geteuid())
                QDir(entry.filePath()).removeRecursively();
}

} // namespace

UserError notCopied(const QStringList& problems, qsizetype files)
{
    if (problems.isEmpty())
        return {};
    return { files == 1 ? QObject::tr("Not copied: %1.").arg(problems.front())
                        : QObject::tr("%1 of %2 files were not copied: %3%4")
                              .arg(problems.size())
                              .arg(files)
                              .arg(problems.front(),
                                   problems.size() == 1 ? QStringLiteral(".") : QObject::tr("; and others.")),
             problems.join(QLatin1Char('\n')) };
}

QString newDragFolder(qint64 bytes, QString& problem)
{
    QTemporaryDir folder(dragBase(bytes) + QLatin1Char('/') + QLatin1String(kDragFolder)
                         + QStringLiteral("XXXXXX"));
    folder.setAutoRemove(false);
    if (folder.isValid())
        return folder.path();
    problem = QObject::tr("%1: no folder for the copies could be made there. Free some space, or use Export.")
                  .arg(folder.errorString());
    return {};
}

Staging::Staging(OpenProject& project)
    : Client(project)
{
    m_line.setMaxThreadCount(1);
    removeOldDragFolders();
}

Staging::~Staging()
{
    m_line.waitForDone();
    for (const QString& folder : std::as_const(m_folders))
        QDir(folder).removeRecursively();
}

QString Staging::newFolder(qint64 bytes, QString& problem)
{
    const QString folder = newDragFolder(bytes, problem);
    if (!folder.isEmpty())
        m_folders << folder;
    return folder;
}

void Staging::release(const std::shared_ptr<StagedFiles>& files, bool mayBeInUse)
{
    if (!mayBeInUse)
        files->giveUp(); // the next drag waits for it
    askOutside(
        m_line, // comes after the copying itself
        [files] { return files->folder(); },
        [this, mayBeInUse](const QString& folder) {
            if (folder.isEmpty())
                return;
            m_folders.removeAll(folder);
            if (mayBeInUse)
                QTimer::singleShot(kInUse, this, [folder] { QDir(folder).removeRecursively(); });
            else
                QDir(folder).removeRecursively();
        });
}

} // namespace sg::ui
