#include "ui/graph/canvas/canvas_picture.h"

#include "ui/graph/scene/graph_scene.h"
#include "ui/widgets/palette.h"

#include <QBuffer>
#include <QClipboard>
#include <QDrag>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgGenerator>
#include <QTemporaryDir>
#include <QUrl>
#include <QWidget>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kMargin = 24;
constexpr double kScale = 2; // so that it is sharp on most screens
constexpr double kLargest = 8000; // pixels of each side
constexpr int kDragged = 200; // pixels of the picture under the pointer

QRectF areaOf(const GraphScene& scene)
{
    return scene.contentRect().adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

// A name of a graph may hold what no file's name may.
QString fileName(const GraphScene& scene)
{
    QString name = QString::fromStdString(scene.document().graph().name);
    name.replace(QRegularExpression(QStringLiteral("[^\\w .-]+")), QStringLiteral("_"));
    name = name.left(80).trimmed();
    return (name.isEmpty() || name.startsWith(QLatin1Char('.')) ? QStringLiteral("graph") : name)
        + QStringLiteral(".png");
}

} // namespace

CanvasPicture::CanvasPicture(GraphScene& scene)
    : m_scene(scene)
{
}

CanvasPicture::~CanvasPicture() = default;

QImage CanvasPicture::image() const
{
    if (m_scene.nodes().empty())
        return {};
    const QRectF area = areaOf(m_scene);
    const double scale = std::min(kScale, kLargest / std::max(area.width(), area.height()));
    QImage image((area.size() * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.fill(color(&Tokens::canvas));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    m_scene.render(&painter, QRectF(QPointF(0, 0), image.size()), area);
    return image;
}

QByteArray CanvasPicture::svg() const
{
    const QRectF area = areaOf(m_scene);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(area.size().toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), area.size()));
    generator.setTitle(QString::fromStdString(m_scene.document().graph().name));
    QPainter painter(&generator);
    painter.fillRect(QRectF(QPointF(0, 0), area.size()), color(&Tokens::canvas));
    m_scene.render(&painter, QRectF(QPointF(0, 0), area.size()), area);
    painter.end();
    return bytes;
}

QString CanvasPicture::fileOf(const QImage& image)
{
    if (!m_folder)
        m_folder =
            std::make_unique<QTemporaryDir>(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation)
                                            + QStringLiteral("/sandglass-picture-XXXXXX"));
    const QString file = m_folder->filePath(fileName(m_scene));
    return m_folder->isValid() && image.save(file, "PNG") ? file : QString();
}

std::unique_ptr<QMimeData> CanvasPicture::mime(bool withFile)
{
    auto offered = std::make_unique<QMimeData>();
    const QImage picture = image();
    if (picture.isNull())
        return offered;
    offered->setImageData(picture);
    offered->setData(QStringLiteral("image/svg+xml"), svg());
    if (const QString file = withFile ? fileOf(picture) : QString(); !file.isEmpty())
        offered->setUrls({ QUrl::fromLocalFile(file) });
    return offered;
}

void CanvasPicture::copy()
{
    if (!m_scene.nodes().empty())
        QGuiApplication::clipboard()->setMimeData(mime(false).release());
}

void CanvasPicture::drag(QWidget& from)
{
    if (m_scene.nodes().empty())
        return;
    auto* drag = new QDrag(&from);
    auto offered = mime(true);
    drag->setPixmap(QPixmap::fromImage(offered->imageData().value<QImage>().scaled(
        kDragged, kDragged, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
    drag->setHotSpot({ 16, 16 });
    drag->setMimeData(offered.release());
    drag->exec(Qt::CopyAction);
}

} // namespace sg::ui
