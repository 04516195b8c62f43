#include "ui/bridge/artifact_preview.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "ui/bridge/row_conversion.h"

#include <QBuffer>
#include <QFile>
#include <QImageReader>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::ui {
namespace {

constexpr qint64 kImageLimit = 64LL << 20;
constexpr qint64 kTextLimit = 1 << 20;
constexpr std::size_t kRows = 200;
constexpr int kLargestImageMb = 256; // decoded

QByteArray head(const ArtifactRow& artifact, qint64 limit)
{
    QFile file(artifact.blob);
    return file.open(QIODevice::ReadOnly) ? file.read(limit) : QByteArray();
}

ArtifactPreview none(const ArtifactRow& artifact, const QString& why)
{
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    preview.note = why;
    return preview;
}

// Printed as one line of JSON; the file's own texts are data in it.
constexpr const char* kReadParquet = R"(
def _sandglass_preview(path, limit):
    import json
    import pyarrow.parquet as parquet
    with parquet.ParquetFile(path) as file:
        schema = file.schema_arrow
        rows = []
        for batch in file.iter_batches(batch_size=limit):
            for row in batch.slice(0, limit - len(rows)).to_pylist():
                rows.append(['' if row[name] is None else str(row[name])[:1000] for name in schema.names[:200]])
            if len(rows) >= limit:
                break
        print(json.dumps({'columns': schema.names[:200], 'types': [str(t) for t in schema.types[:200]],
                          'rows': rows, 'total': file.metadata.num_rows}))
_sandglass_preview('/data/preview', 200)
)";

QStringList strings(const Value& list)
{
    QStringList made;
    if (list.isList())
        for (const Value& item : list.asList())
            made << (item.isString() ? text(printableText(item.asString())) : QString());
    return made;
}

} // namespace

ArtifactPreviewer::ArtifactPreviewer(workbench::Workbench& workbench)
    : m_workbench(workbench)
{
}

ArtifactPreview ArtifactPreviewer::make(const ArtifactRow& artifact)
{
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    if (!QFile::exists(artifact.blob))
        return none(artifact, QObject::tr("The content is missing from the store."));
    const QString name = artifact.name.toLower();
    if (artifact.mime.startsWith(QLatin1String("image/"))
        && artifact.mime != QLatin1String("image/svg+xml")) {
        if (artifact.size > kImageLimit)
            return none(artifact, QObject::tr("Images over 64 MB are not shown. Export it to look at it."));
        preview.image = head(artifact, kImageLimit);
        QBuffer buffer(&preview.image);
        QImageReader reader(&buffer);
        QImageReader::setAllocationLimit(kLargestImageMb);
        if (!reader.canRead())
            return none(artifact, QObject::tr("This is not an image that can be shown."));
        preview.note = QObject::tr("%1 × %2").arg(reader.size().width()).arg(reader.size().height());
        preview.kind = ArtifactPreview::Kind::Image;
        return preview;
    }
    if (name.endsWith(QLatin1String(".parquet")))
        return table(artifact);
    const QByteArray bytes = head(artifact, kTextLimit);
    const std::string_view content(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (name.endsWith(QLatin1String(".csv")) || name.endsWith(QLatin1String(".tsv"))) {
        readCsv(content, kRows, preview);
        preview.note = preview.rows.size() == kRows ? QObject::tr("first %1 rows").arg(kRows)
                                                    : QObject::tr("rows: %1").arg(preview.rows.size());
        return preview;
    }
    if (content.substr(0, 8192).find('\0') != std::string_view::npos)
        return none(artifact, QObject::tr("No preview for this kind of file."));
    preview.kind = ArtifactPreview::Kind::Text;
    preview.text = text(printableText(content));
    if (artifact.size > kTextLimit)
        preview.note = QObject::tr("first 1 MB of %1 bytes").arg(artifact.size);
    return preview;
}

ArtifactPreview ArtifactPreviewer::table(const ArtifactRow& artifact)
{
    const std::lock_guard lock(m_sandbox);
    auto spec = m_workbench.sessionSpec();
    if (!spec)
        return none(artifact, text(spec.error().message));
    const fs::path folder = m_workbench.project().data / "preview";
    std::error_code failed;
    fs::create_directories(folder, failed);
    fs::copy_file(fs::path(utf8(artifact.blob)), folder / "preview", fs::copy_options::overwrite_existing,
                  failed);
    if (failed)
        return none(artifact,
                    QObject::tr("The preview could not be prepared: %1").arg(text(failed.message())));
    spec->mode = { sessions::SessionStorage::Tmpfs, sessions::DatasetAccess::LocalRo };
    spec->datasetFolder = folder;
    spec->keep = false;
    auto session = m_workbench.sessions().acquire(ThreadId("sandglass:preview"), *spec);
    if (!session)
        return none(artifact, text(printableText(session.error().message)));
    std::string printed;
    sessions::CellHandlers handlers;
    handlers.output = [&printed](const sessions::CellOutput& output) {
        if (output.stream == sessions::CellOutput::Stream::Stdout)
            printed += output.bytes;
    };
    sessions::CellLimits limits;
    limits.deadline = std::chrono::seconds(20);
    const sessions::CellResult result = (*session)->runCell(kReadParquet, limits, {}, handlers, {});
    fs::remove(folder / "preview", failed);
    if (result.error)
        return none(artifact, text(printableText(result.error->type + ": " + result.error->message)));
    auto parsed = parseJson(printed);
    if (!parsed)
        return none(artifact, QObject::tr("The preview could not be read."));
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    preview.kind = ArtifactPreview::Kind::Table;
    preview.columns = strings((*parsed)["columns"]);
    preview.columnTypes = strings((*parsed)["types"]);
    preview.totalRows = (*parsed).intOr("total", -1);
    if ((*parsed)["rows"].isList())
        for (const Value& row : (*parsed)["rows"].asList())
            preview.rows.push_back(strings(row));
    preview.note = QObject::tr("%1 of %2 rows, %3 columns")
                       .arg(preview.rows.size())
                       .arg(preview.totalRows)
                       .arg(preview.columns.size());
    return preview;
}

} // namespace sg::ui
