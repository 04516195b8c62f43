#include "ui/widgets/icons.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>
#include <optional>

// It must be in the global namespace, because Q_INIT_RESOURCE declares a function there.
static void registerIcons()
{
    static const bool done = [] {
        Q_INIT_RESOURCE(icons);
        return true;
    }();
    Q_UNUSED(done)
}

namespace sg::ui {

namespace {

constexpr double kDisabledOpacity = 0.42;
constexpr double kSmall = 14; // up to this size a line of 1.25 units becomes too thin

QString pathOf(QLatin1String name)
{
    return QLatin1String(":/sandglass/icons/") + name + QLatin1String(".svg");
}

const QByteArray& sourceOf(QLatin1String name)
{
    registerIcons();
    static QHash<QString, QByteArray> sources;
    auto found = sources.find(name);
    if (found == sources.end()) {
        QFile file(pathOf(name));
        QByteArray text;
        if (file.open(QIODevice::ReadOnly))
            text = file.readAll();
        else
            qWarning("No icon is named '%s'.", name.data());
        found = sources.insert(name, text);
    }
    return *found;
}

QPixmap render(QLatin1String name, const QSizeF& size, double scale, const QColor& ink)
{
    const QSize pixels(static_cast<int>(std::ceil(size.width() * scale)),
                       static_cast<int>(std::ceil(size.height() * scale)));
    if (pixels.isEmpty())
        return {};
    const QString key = QStringLiteral("sg-icon/%1/%2x%3@%4/%5")
                            .arg(name)
                            .arg(pixels.width())
                            .arg(pixels.height())
                            .arg(scale)
                            .arg(ink.rgba());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QByteArray text = sourceOf(name);
    text.replace("currentColor", ink.name(QColor::HexRgb).toLatin1());
    if (size.height() <= kSmall)
        text.replace("stroke-width=\"1.25\"", "stroke-width=\"1.4\"");
    QSvgRenderer renderer(text);
    pixmap = QPixmap(pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(ink.alphaF());
    renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(pixels)));
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class LineIconEngine : public QIconEngine {
public:
    LineIconEngine(QLatin1String name, Token token, std::optional<QColor> fixed)
        : m_name(name)
        , m_token(token)
        , m_fixed(std::move(fixed))
    {
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        paintIcon(*painter, m_name, rect, inkFor(mode));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        // Qt passes the size in device pixels here.
        return render(m_name, QSizeF(size) / scale, scale, inkFor(mode));
    }
    QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override
    {
        const int side = std::min(size.width(), size.height());
        return { side, side };
    }
    QIconEngine* clone() const override { return new LineIconEngine(m_name, m_token, m_fixed); }
    QString key() const override { return QStringLiteral("sandglass-line-icon"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return sourceOf(m_name).isEmpty(); }

private:
    QColor inkFor(QIcon::Mode mode) const
    {
        QColor ink = m_fixed ? *m_fixed : color(m_token);
        if (mode == QIcon::Disabled)
            ink.setAlphaF(static_cast<float>(ink.alphaF() * kDisabledOpacity));
        return ink;
    }

    QLatin1String m_name;
    Token m_token;
    std::optional<QColor> m_fixed;
};

} // namespace

QIcon icon(QLatin1String name, Token ink)
{
    return QIcon(new LineIconEngine(name, ink, std::nullopt));
}

QIcon icon(QLatin1String name, const QColor& ink)
{
    return QIcon(new LineIconEngine(name, &Tokens::text2, ink));
}

void paintIcon(QPainter& painter, QLatin1String name, const QRectF& rect, const QColor& ink)
{
    const QTransform& transform = painter.deviceTransform();
    const double zoom = std::hypot(transform.m11(), transform.m12());
    const QPixmap pixmap = render(name, rect.size(), zoom > 0 ? zoom : 1, ink);
    if (pixmap.isNull())
        return;
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawPixmap(rect, pixmap, QRectF(QPointF(0, 0), QSizeF(pixmap.size())));
    painter.restore();
}

QStringList iconNames()
{
    registerIcons();
    QStringList names;
    for (const QString& file :
         QDir(QStringLiteral(":/sandglass/icons")).entryList({ QStringLiteral("*.svg") }))
        names << file.chopped(4);
    return names;
}

} // namespace sg::ui
