#include "ui/artifacts/file_mime.h"

#include <QFile>
#include <QUrl>

#include <utility>

namespace sg::ui {
namespace {

constexpr auto kPatience = std::chrono::seconds(30); // what programs that take a drop have, too
constexpr qint64 kLargestPicture = 16 << 20;

const QString& uriList()
{
    static const QString format = QStringLiteral("text/uri-list");
    return format;
}

const QString& gnomeList()
{
    static const QString format = QStringLiteral("x-special/gnome-copied-files");
    return format;
}

const QString& png()
{
    static const QString format = QStringLiteral("image/png");
    return format;
}

} // namespace

FileMime::FileMime(std::shared_ptr<StagedFiles> files, const std::vector<ArtifactRow>& artifacts)
    : m_files(std::move(files))
    , m_isImage(artifacts.size() == 1 && artifacts.front().mime == png()
                && artifacts.front().size <= kLargestPicture)
{
    for (const ArtifactRow& artifact : artifacts)
        m_ids += artifact.id.toUtf8() + '\n';
}

QStringList FileMime::formats() const
{
    QStringList formats{ uriList(), gnomeList(), QLatin1String(kArtifactFormat) };
    if (m_isImage)
        formats << png();
    return formats;
}

bool FileMime::hasFormat(const QString& format) const
{
    return formats().contains(format);
}

QVariant FileMime::retrieveData(const QString& format, QMetaType) const
{
    if (format == QLatin1String(kArtifactFormat))
        return m_ids;
    if (!hasFormat(format))
        return {};
    const QStringList files = m_files->wait(kPatience);
    if (files.isEmpty())
        return {};
    if (format == png()) {
        QFile file(files.front());
        return file.open(QIODevice::ReadOnly) ? QVariant(file.readAll()) : QVariant();
    }
    QByteArray list;
    for (const QString& file : files) {
        const QByteArray url = QUrl::fromLocalFile(file).toEncoded();
        if (format == uriList())
            list += url + "\r\n";
        else
            list += '\n' + url;
    }
    return format == uriList() ? list : "copy" + list;
}

} // namespace sg::ui
