#include "ui/bridge/previews/artifact_preview.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "ui/bridge/previews/line_changes.h"
#include "ui/bridge/previews/picture_changes.h"
#include "ui/bridge/previews/plain_image.h"
#include "ui/bridge/previews/safe_svg.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QFile>
#include <QImageReader>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

constexpr qint64 kImageLimit = 64LL << 20;
constexpr qint64 kTextLimit = 1 << 20;
constexpr qint64 kThumbnailText = 8 << 10;
constexpr int kLargestImageMb = 256; // of the decoded image
constexpr int kMostPixels = 40'000'000; // larger images are decoded to a smaller size
constexpr int kSmallestHalf = 128;
constexpr QSize kDrawingSize(1600, 1200);
constexpr QSize kThumbnailSize(360, 208);
constexpr std::size_t kMostCsvTables = 16;
constexpr QLatin1String kBetweenCells(" | ");

QByteArray head(const ArtifactRow& artifact, qint64 limit)
{
    QFile file(artifact.blob);
    return file.open(QIODevice::ReadOnly) ? file.read(limit) : QByteArray();
}

std::string_view viewOf(const QByteArray& bytes)
{
    return { bytes.constData(), static_cast<std::size_t>(bytes.size()) };
}

bool endsAs(const ArtifactRow& artifact, std::initializer_list<const char*> endings)
{
    return std::ranges::any_of(endings, [&artifact](const char* ending) {
        return artifact.name.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
    });
}

bool isImage(const ArtifactRow& artifact)
{
    return artifact.mime.startsWith(QLatin1String("image/"))
        && artifact.mime != QLatin1String("image/svg+xml");
}

bool isSvg(const ArtifactRow& artifact)
{
    return artifact.mime == QLatin1String("image/svg+xml") || endsAs(artifact, { ".svg" });
}

bool isCsv(const ArtifactRow& artifact)
{
    return endsAs(artifact, { ".csv", ".tsv" });
}

bool isBinary(std::string_view content)
{
    return content.substr(0, 8192).find('\0') != std::string_view::npos;
}

ArtifactPreview none(const ArtifactRow& artifact, const QString& why)
{
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    preview.note = why;
    return preview;
}

// Halved pictures for small views: scaling down much in one step loses lines, and good scaling of the whole
// picture for each size takes long.
std::vector<QImage> halvesOf(const QImage& picture)
{
    std::vector<QImage> halves;
    QImage last = picture;
    while (last.width() > kSmallestHalf && last.height() > kSmallestHalf) {
        last =
            last.scaled(last.width() / 2, last.height() / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        halves.push_back(last);
    }
    return halves;
}

ArtifactPreview shown(const ArtifactRow& artifact, const QImage& picture, const QString& note)
{
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    preview.kind = ArtifactPreview::Kind::Image;
    preview.picture = picture.convertToFormat(picture.hasAlphaChannel() ? QImage::Format_ARGB32_Premultiplied
                                                                        : QImage::Format_RGB32);
    preview.halves = halvesOf(preview.picture);
    preview.note = note;
    return preview;
}

ArtifactPreview image(const ArtifactRow& artifact)
{
    if (artifact.size > kImageLimit)
        return none(artifact, QObject::tr("Images over 64 MB are not shown. Export it to look at it."));
    QFile file(artifact.blob);
    QImageReader reader(&file);
    QImageReader::setAllocationLimit(kLargestImageMb);
    reader.setAutoTransform(true);
    if (!file.open(QIODevice::ReadOnly) || !isPlainFormat(reader.format()) || !reader.canRead())
        return none(artifact, QObject::tr("This is not an image that can be shown."));
    const QSize size = reader.size();
    const double pixels = static_cast<double>(size.width()) * size.height();
    if (pixels > kMostPixels)
        reader.setScaledSize(size * std::sqrt(kMostPixels / pixels));
    const QImage picture = reader.read();
    if (picture.isNull())
        return none(artifact,
                    QObject::tr("This image cannot be shown: %1. Export it to open it elsewhere.")
                        .arg(reader.errorString()));
    return shown(artifact, picture, QObject::tr("%1 × %2").arg(size.width()).arg(size.height()));
}

ArtifactPreview drawing(const ArtifactRow& artifact)
{
    const DrawnSvg drawn = drawSvg(head(artifact, kImageLimit), kDrawingSize);
    if (drawn.image.isNull())
        return none(artifact, drawn.problem);
    return shown(artifact, drawn.image,
                 QObject::tr("%1 × %2, drawn without scripts and links")
                     .arg(drawn.size.width())
                     .arg(drawn.size.height()));
}

// JSON is shown with one value a line, other text as it is.
QString readable(const ArtifactRow& artifact, std::string_view content, bool isWhole)
{
    if (isWhole && endsAs(artifact, { ".json" }))
        if (const auto value = parseJson(content))
            return text(printableText(toJson(*value, JsonStyle::Indented)));
    return text(printableText(content));
}

QImage shrunk(const ArtifactRow& artifact)
{
    if (artifact.size > kImageLimit)
        return {};
    if (isSvg(artifact))
        return drawSvg(head(artifact, kImageLimit), kThumbnailSize).image;
    QFile file(artifact.blob);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QImageReader reader(&file);
    QImageReader::setAllocationLimit(kLargestImageMb);
    if (!isPlainFormat(reader.format()))
        return {};
    const QSize size = reader.size();
    if (!size.isEmpty() && (size.width() > kThumbnailSize.width() || size.height() > kThumbnailSize.height()))
        reader.setScaledSize(size.scaled(kThumbnailSize, Qt::KeepAspectRatio).expandedTo({ 1, 1 }));
    return reader.read();
}

bool isPicture(const ArtifactRow& artifact)
{
    return (isImage(artifact) || isSvg(artifact)) && artifact.size <= kImageLimit;
}

QImage pictureOf(const ArtifactRow& artifact)
{
    if (isSvg(artifact))
        return drawSvg(head(artifact, kImageLimit), kDrawingSize).image;
    QFile file(artifact.blob);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QImageReader reader(&file);
    QImageReader::setAllocationLimit(kLargestImageMb);
    return isPlainFormat(reader.format()) ? reader.read() : QImage();
}

} // namespace

ArtifactPreviewer::ArtifactPreviewer(workbench::Workbench& workbench)
    : m_workbench(workbench)
    , m_tables(workbench)
{
}

// A content that is in the shared bucket alone is fetched, unless that takes long.
QString ArtifactPreviewer::bringHere(const ArtifactRow& artifact, const std::stop_token& stop)
{
    constexpr qint64 kSoon = 64 << 20;
    const auto& shared = m_workbench.artifacts().contents().shared();
    if (shared == nullptr)
        return QObject::tr("The content is missing from the store.");
    if (artifact.size > kSoon)
        return QObject::tr("It is in %1 and not on this machine yet. Drag or save it to fetch it.")
            .arg(text(shared->place()));
    const auto found = m_workbench.artifacts().find(ArtifactId(utf8(artifact.id)));
    const auto fetched = found ? m_workbench.artifacts().fetch(*found, stop) : Result<void>(found.error());
    return fetched ? QString() : text(fetched.error().message);
}

ArtifactPreview ArtifactPreviewer::make(const ArtifactRow& artifact, const std::stop_token& stop)
{
    if (!QFile::exists(artifact.blob))
        if (const QString problem = bringHere(artifact, stop); !problem.isEmpty())
            return none(artifact, problem);
    if (isImage(artifact))
        return image(artifact);
    if (isSvg(artifact))
        return drawing(artifact);
    if (TableSandbox::reads(artifact.name) || isCsv(artifact))
        return page(artifact, 0);
    const QByteArray bytes = head(artifact, kTextLimit);
    // Both must match: the desktop opens it by its name, and must not get a program under the name of a PDF.
    if (endsAs(artifact, { ".pdf" }) && bytes.startsWith("%PDF-")) {
        ArtifactPreview preview =
            none(artifact, QObject::tr("PDF files are shown by the program that this desktop has for them."));
        preview.kind = ArtifactPreview::Kind::Outside;
        return preview;
    }
    const std::string_view content = viewOf(bytes);
    if (isBinary(content))
        return none(artifact, QObject::tr("No preview for this kind of file."));
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    preview.kind = endsAs(artifact, { ".md", ".markdown" }) ? ArtifactPreview::Kind::Markdown
                                                            : ArtifactPreview::Kind::Text;
    preview.text = readable(artifact, content, artifact.size <= kTextLimit);
    if (artifact.size > kTextLimit)
        preview.note = QObject::tr("first 1 MB of %1 bytes").arg(artifact.size);
    return preview;
}

ArtifactPreview ArtifactPreviewer::page(const ArtifactRow& artifact, qint64 row, const TableOrder& order)
{
    if (!isCsv(artifact))
        return m_tables.page(artifact, row, order);
    ArtifactPreview preview;
    preview.artifact = artifact.id;
    const QString problem = withCsv(artifact, [&](CsvTable& table, std::string_view content) {
        if (order.column < 0 && order.filter.column < 0)
            table.readPage(content, row, preview);
        else
            table.readSorted(content, row, order, preview);
    });
    return problem.isEmpty() ? preview : none(artifact, problem);
}

ColumnFacts ArtifactPreviewer::facts(const ArtifactRow& artifact, int column)
{
    if (!isCsv(artifact))
        return m_tables.facts(artifact, column);
    ColumnFacts facts;
    const QString problem = withCsv(
        artifact, [&](CsvTable& table, std::string_view content) { facts = table.facts(content, column); });
    if (!problem.isEmpty())
        facts.problem = problem;
    facts.artifact = artifact.id;
    facts.column = column;
    return facts;
}

QString ArtifactPreviewer::withCsv(const ArtifactRow& artifact,
                                   const std::function<void(CsvTable& table, std::string_view content)>& read)
{
    QFile file(artifact.blob);
    if (!file.open(QIODevice::ReadOnly))
        return QObject::tr("The content cannot be read: %1").arg(file.errorString());
    if (file.size() == 0)
        return QObject::tr("The file is empty.");
    uchar* mapped = file.map(0, file.size());
    if (mapped == nullptr)
        return QObject::tr("The content cannot be read: %1").arg(file.errorString());
    const std::string_view content(reinterpret_cast<const char*>(mapped),
                                   static_cast<std::size_t>(file.size()));
    if (isBinary(content))
        return QObject::tr("No preview for this kind of file.");
    const std::lock_guard lock(m_mutex);
    if (m_csv.size() >= kMostCsvTables && !m_csv.contains(artifact.sha256))
        m_csv.clear();
    read(m_csv[artifact.sha256], content);
    return {};
}

// The lines to compare: all lines read of a text, or the first rows of a table.
QStringList ArtifactPreviewer::linesOf(const ArtifactRow& artifact, QString& problem)
{
    if (TableSandbox::reads(artifact.name)) {
        const ArtifactPreview table = m_tables.page(artifact, 0);
        if (table.kind != ArtifactPreview::Kind::Table)
            problem = table.note;
        QStringList lines{ table.columns.join(kBetweenCells) };
        for (const QStringList& row : table.rows)
            lines << row.join(kBetweenCells);
        return lines;
    }
    const QByteArray bytes = head(artifact, kTextLimit);
    if (isBinary(viewOf(bytes)))
        problem = QObject::tr("Only texts, tables and pictures are compared.");
    return readable(artifact, viewOf(bytes), artifact.size <= kTextLimit).split(QLatin1Char('\n'));
}

ArtifactPreview ArtifactPreviewer::compare(const ArtifactRow& older, const ArtifactRow& newer)
{
    ArtifactPreview preview = none(newer, QObject::tr("Both versions have the same content."));
    preview.isComparison = true;
    if (older.sha256 == newer.sha256)
        return preview;
    if (isPicture(older) && isPicture(newer)) {
        const ComparedPictures pictures = comparePictures(pictureOf(older), pictureOf(newer));
        if (pictures.both.isNull()) {
            preview.note = QObject::tr("One of the pictures cannot be shown.");
            return preview;
        }
        preview = shown(newer, pictures.both,
                        QObject::tr("left step %1, right step %2; %3")
                            .arg(older.step)
                            .arg(newer.step)
                            .arg(pictures.words));
        preview.isComparison = true;
        return preview;
    }
    QString problem;
    const QStringList before = linesOf(older, problem);
    const QStringList after = problem.isEmpty() ? linesOf(newer, problem) : QStringList();
    if (!problem.isEmpty()) {
        preview.note = QObject::tr("The contents differ: %1 bytes before, %2 bytes now. %3")
                           .arg(older.size)
                           .arg(newer.size)
                           .arg(problem);
        return preview;
    }
    const LineChanges changes = lineChanges(before, after);
    preview.kind = ArtifactPreview::Kind::Changes;
    preview.text = changes.lines.join(QLatin1Char('\n'));
    preview.note = QObject::tr("step %1 → step %2: %3 lines added, %4 removed")
                       .arg(older.step)
                       .arg(newer.step)
                       .arg(changes.added)
                       .arg(changes.removed);
    if (TableSandbox::reads(newer.name))
        preview.note += QObject::tr(" in the first %1 rows").arg(kPageRows);
    return preview;
}

ArtifactThumbnail ArtifactPreviewer::thumbnail(const ArtifactRow& artifact)
{
    ArtifactThumbnail made;
    made.artifact = artifact.id;
    if (isImage(artifact) || isSvg(artifact)) {
        made.image = shrunk(artifact);
        return made;
    }
    const QByteArray bytes = head(artifact, kThumbnailText);
    if (bytes.isEmpty() || isBinary(viewOf(bytes)) || bytes.startsWith("%PDF-"))
        return made;
    if (isCsv(artifact)) {
        ArtifactPreview table;
        CsvTable().readPage(viewOf(bytes), 0, table);
        made.cells.push_back(table.columns.mid(0, 3));
        for (std::size_t row = 0; row < std::min<std::size_t>(6, table.rows.size()); ++row)
            made.cells.push_back(table.rows[row].mid(0, 3));
        return made;
    }
    for (const QString& line : readable(artifact, viewOf(bytes), artifact.size <= kThumbnailText)
                                   .split(QLatin1Char('\n'))
                                   .mid(0, 12))
        made.lines << line.left(80);
    return made;
}

} // namespace sg::ui
