#include "ui/bridge/artifacts/artifact_query.h"

#include "core/artifacts/blob_store.h"
#include "core/artifacts/export_file.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/staging/staging.h"

#include <QObject>

#include <set>

namespace sg::ui {
namespace {

Result<QString> copy(workbench::Workbench& workbench, const ArtifactRow& row, const QString& folder,
                     StagedFiles* staged)
{
    const auto artifact = workbench.artifacts().find(ArtifactId(utf8(row.id)));
    if (!artifact)
        return artifact.error();
    const std::stop_token stop = staged != nullptr ? staged->stopToken() : std::stop_token();
    // A bucket may have it that several machines share.
    if (auto fetched = workbench.artifacts().fetch(*artifact, stop); !fetched)
        return std::move(fetched.error());
    auto file = artifacts::ExportFile::create(utf8(folder));
    if (!file)
        return file.error();
    const auto read =
        workbench.artifacts().contents().read(artifact->sha256, [&](std::string_view bytes) -> Result<void> {
            if (stop.stop_requested())
                return Error{ Errc::Cancelled, "given up" };
            if (staged != nullptr)
                staged->noteCopied(static_cast<qint64>(bytes.size()));
            return file->write(bytes);
        });
    if (!read)
        return read.error();
    auto placed = file->finish(artifacts::exportName(utf8(row.name)), artifact->modifiedNs);
    if (!placed)
        return placed.error();
    return text(placed->string());
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
                                  const QString& folder, StagedFiles* staged)
{
    Answer<QStringList> answer;
    QStringList problems;
    for (const ArtifactRow& row : artifacts) {
        auto made = copy(workbench, row, folder, staged);
        if (made)
            answer.value << *made;
        else if (made.error().code == Errc::Cancelled)
            return {};
        else
            problems << QStringLiteral("%1: %2").arg(row.name, userError(made.error()).what);
    }
    answer.error = notCopied(problems, static_cast<qsizetype>(artifacts.size()));
    return answer;
}

Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts)
{
    Answer<int> answer;
    std::set<QString> seen; // each content is checked once
    QStringList wrong;
    for (const ArtifactRow& row : artifacts) {
        if (!seen.insert(row.sha256).second)
            continue;
        auto artifact = workbench.artifacts().find(ArtifactId(utf8(row.id)));
        const auto checked = artifact ? workbench.artifacts().contents().read(
                                 artifact->sha256, [](std::string_view) { return Result<void>(); })
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

} // namespace sg::ui
