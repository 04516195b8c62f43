#include "ui/bridge/artifact_query.h"

#include "core/artifacts/blob_store.h"
#include "ui/bridge/row_conversion.h"

#include <QDateTime>
#include <QDir>
#include <QObject>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <unistd.h>

#include <set>

namespace sg::ui {
namespace {

constexpr const char* kDragFolder = "sandglass-drag-";

QString dragBase()
{
    const QString base = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return base.isEmpty() ? QDir::tempPath() : base;
}

} // namespace

Answer<std::vector<ArtifactRow>> readArtifacts(workbench::Workbench& workbench, const QString& thread)
{
    artifacts::ArtifactFilter filter;
    if (!thread.isEmpty())
        filter.thread = ThreadId(utf8(thread));
    auto found = workbench.artifacts().list(filter);
    if (!found)
        return { {}, userError(found.error()) };
    Answer<std::vector<ArtifactRow>> answer;
    answer.value.reserve(found->size());
    for (const artifacts::Artifact& artifact : *found)
        answer.value.push_back(artifactRow(artifact, workbench.artifacts().blobPath(artifact)));
    return answer;
}

Answer<QStringList> copyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts,
                                  const QString& folder)
{
    Answer<QStringList> answer;
    for (const ArtifactRow& row : artifacts) {
        auto artifact = workbench.artifacts().find(ArtifactId(utf8(row.id)));
        if (!artifact) {
            answer.error = userError(artifact.error());
            return answer;
        }
        artifact->name = utf8(row.name); // as the panel wants it called
        auto file = workbench.artifacts().exportTo(*artifact, utf8(folder));
        if (!file) {
            answer.error = userError(file.error());
            return answer;
        }
        answer.value << text(file->string());
    }
    return answer;
}

Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts)
{
    Answer<int> answer;
    const auto store = artifacts::BlobStore::open(workbench.project().blobs);
    if (!store)
        return { 0, userError(store.error()) };
    std::set<QString> seen; // each content once
    QStringList wrong;
    for (const ArtifactRow& row : artifacts) {
        if (!seen.insert(row.sha256).second)
            continue;
        auto artifact = workbench.artifacts().find(ArtifactId(utf8(row.id)));
        const auto checked = artifact
            ? store->read(artifact->sha256, [](std::string_view) { return Result<void>(); })
            : Result<void>(artifact.error());
        if (checked)
            ++answer.value;
        else
            wrong << QStringLiteral("%1: %2").arg(row.name, text(checked.error().message));
    }
    if (!wrong.isEmpty())
        answer.error = { QObject::tr("%1 of %2 contents are not what was stored: %3. Run the node again, or "
                                     "take them from a backup.")
                             .arg(wrong.size())
                             .arg(seen.size())
                             .arg(wrong.front()),
                         wrong.join(QLatin1Char('\n')) };
    return answer;
}

QString newDragFolder(QString& problem)
{
    QTemporaryDir folder(dragBase() + QLatin1Char('/') + QLatin1String(kDragFolder)
                         + QStringLiteral("XXXXXX"));
    folder.setAutoRemove(false);
    if (folder.isValid())
        return folder.path();
    problem = QObject::tr("%1: no folder for the copies could be made there. Free some space, or use Export.")
                  .arg(folder.errorString());
    return {};
}

void removeOldDragFolders()
{
    const QDateTime limit = QDateTime::currentDateTime().addDays(-1);
    for (const QFileInfo& entry : QDir(dragBase())
                                      .entryInfoList({ QLatin1String(kDragFolder) + QStringLiteral("*") },
                                                     QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks))
        if (entry.lastModified() < limit && entry.ownerId() == ::geteuid())
            QDir(entry.filePath()).removeRecursively();
}

} // namespace sg::ui
