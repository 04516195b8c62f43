#include "ui/artifacts/file_mime.h"

#include <QMimeData>
#include <QUrl>

namespace sg::ui {

QMimeData* mimeOfFiles(const QStringList& files)
{
    QList<QUrl> urls;
    QByteArray gnome("copy");
    for (const QString& file : files) {
        urls << QUrl::fromLocalFile(file);
        gnome += '\n' + urls.back().toEncoded();
    }
    auto* data = new QMimeData;
    data->setUrls(urls);
    data->setData(QStringLiteral("x-special/gnome-copied-files"), gnome);
    return data;
}

} // namespace sg::ui
