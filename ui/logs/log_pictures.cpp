#include "ui/logs/log_pictures.h"

#include <QBuffer>

namespace sg::ui {
namespace {

constexpr int kMostPictures = 500;

} // namespace

void LogPictures::add(const QString& name, const QImage& picture)
{
    if (picture.isNull())
        return;
    if (!m_pictures.contains(name))
        m_order.append(name);
    m_pictures.insert(name, picture);
    while (m_order.size() > kMostPictures)
        m_pictures.remove(m_order.takeFirst());
}

const QImage* LogPictures::of(const LogRow& row) const
{
    if (m_pictures.isEmpty())
        return nullptr;
    const auto found = m_pictures.constFind(nameIn(row));
    return found == m_pictures.constEnd() ? nullptr : &*found;
}

QString LogPictures::nameIn(const LogRow& row)
{
    // A node may print such a line, too: then it names a picture of its own.
    const QString text = row.text.trimmed();
    const qsizetype colon = text.lastIndexOf(QLatin1String(": "));
    if (row.stream != LogRow::Stream::Event || colon < 0 || !text.startsWith(QLatin1Char('['))
        || !text.endsWith(QLatin1Char(']')))
        return {};
    return text.mid(colon + 2, text.size() - colon - 3);
}

QString LogPictures::toolTip(const QImage& picture, const QString& name)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return QStringLiteral("<p><img src=\"data:image/png;base64,%1\"></p><p>%2</p>")
        .arg(QString::fromLatin1(bytes.toBase64()), name.toHtmlEscaped());
}

} // namespace sg::ui
