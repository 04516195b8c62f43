#include "ui/bridge/editing/graph_export.h"

#include "core/base/file.h"
#include "core/projects/graph_exchange.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kScale = 2; // of a PNG, so that it is sharp on most screens
constexpr double kLargest = 16'000; // pixels of each side

Result<std::string> pngOf(const std::string& svg)
{
    QSvgRenderer renderer(QByteArray::fromStdString(svg));
    const QSizeF size = renderer.defaultSize();
    if (!renderer.isValid() || size.isEmpty())
        return Error{ Errc::Unsupported, "the picture could not be drawn; export it as SVG" };
    const double scale = std::min(kScale, kLargest / std::max(size.width(), size.height()));
    QImage image((size * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return Error{ Errc::LimitExceeded, "there is not enough memory for the picture; export it as SVG" };
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return Error{ Errc::Unsupported, "the picture could not be written as PNG; export it as SVG" };
    return bytes.toStdString();
}

} // namespace

QString listed(const std::vector<std::string>& notes)
{
    QStringList lines;
    for (const std::string& note : notes)
        lines << QString::fromStdString(note);
    return lines.join(QLatin1Char('\n'));
}

Result<QString> exportTo(const graph::Graph& graph, const projects::ProjectPaths& project, GraphFormat format,
                         const std::filesystem::path& target)
{
    using projects::PictureFormat;
    std::string content;
    switch (format) {
    case GraphFormat::Python: {
        auto made = projects::exportPython(graph, project, target);
        if (!made)
            return std::move(made.error());
        return listed(made->notes);
    }
    case GraphFormat::Png: {
        auto png = pngOf(projects::pictureOf(graph, PictureFormat::Svg));
        if (!png)
            return std::move(png.error());
        content = std::move(*png);
        break;
    }
    case GraphFormat::Svg: content = projects::pictureOf(graph, PictureFormat::Svg); break;
    case GraphFormat::Dot: content = projects::pictureOf(graph, PictureFormat::Dot); break;
    case GraphFormat::Mermaid: content = projects::pictureOf(graph, PictureFormat::Mermaid); break;
    }
    if (auto written = writeFileAtomically(target, content); !written)
        return std::move(written.error()).during("export to " + target.string());
    return QString();
}

} // namespace sg::ui
