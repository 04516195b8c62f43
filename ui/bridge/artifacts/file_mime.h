#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <QFile>
#include <QMimeData>
#include <QStringList>
#include <QUrl>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace sg::ui {

inline constexpr const char* kArtifactFormat = "application/x-workbench-artifact"; // ids, one a line
inline constexpr const char* kSessionFileFormat = "application/x-workbench-session-file"; // paths, one a line

// Artifacts or session files as other programs take them from a drag or the clipboard: URLs of copies, and
// the format that GNOME's file managers need to paste copies. The formats are offered at once; retrieveData()
// waits until the copies exist. GUI thread only. The class is header-only, so that panels need not link the
// code that makes the copies.
class FileMime : public QMimeData {
public:
    // Called while retrieveData() waits and blocks the window, and once at the end of the wait.
    using Waiting = std::function<void(const StagedFiles& files, bool isOver)>;

    FileMime(std::shared_ptr<StagedFiles> files, const std::vector<ArtifactRow>& artifacts,
             Waiting waiting = {})
        : m_files(std::move(files))
        , m_waiting(std::move(waiting))
        , m_ownFormat(QLatin1String(kArtifactFormat))
        , m_isPicture(artifacts.size() == 1 && artifacts.front().mime == QLatin1String(kPng)
                      && artifacts.front().size <= kLargestPicture)
    {
        for (const ArtifactRow& artifact : artifacts)
            m_own += artifact.id.toUtf8() + '\n';
    }
    FileMime(std::shared_ptr<StagedFiles> files, const QStringList& sessionPaths, Waiting waiting = {})
        : m_files(std::move(files))
        , m_waiting(std::move(waiting))
        , m_ownFormat(QLatin1String(kSessionFileFormat))
        , m_own(sessionPaths.join(QLatin1Char('\n')).toUtf8())
    {
    }

    [[nodiscard]] QStringList formats() const override
    {
        QStringList formats{ QLatin1String(kUris), QLatin1String(kGnomeFiles), m_ownFormat };
        if (m_isPicture)
            formats << QLatin1String(kPng);
        return formats;
    }
    [[nodiscard]] bool hasFormat(const QString& format) const override { return formats().contains(format); }

protected:
    [[nodiscard]] QVariant retrieveData(const QString& format, QMetaType) const override
    {
        if (format == m_ownFormat)
            return m_own;
        if (!hasFormat(format))
            return {};
        const QStringList files = waitForFiles();
        if (files.isEmpty())
            return {};
        if (format == QLatin1String(kPng)) {
            QFile file(files.front());
            return file.open(QIODevice::ReadOnly) ? QVariant(file.readAll()) : QVariant();
        }
        const bool isUris = format == QLatin1String(kUris);
        QByteArray list = isUris ? "" : "copy";
        for (const QString& file : files) {
            const QByteArray url = QUrl::fromLocalFile(file).toEncoded();
            list += isUris ? url + "\r\n" : '\n' + url;
        }
        return list;
    }

private:
    [[nodiscard]] QStringList waitForFiles() const
    {
        if (m_files->isDone())
            return m_files->wait(kLook);
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!m_files->isDone() && std::chrono::steady_clock::now() < end) {
            static_cast<void>(m_files->wait(kLook));
            if (m_waiting)
                m_waiting(*m_files, false);
        }
        if (m_waiting)
            m_waiting(*m_files, true);
        return m_files->wait(std::chrono::milliseconds(0));
    }

    static constexpr const char* kUris = "text/uri-list";
    static constexpr const char* kGnomeFiles = "x-special/gnome-copied-files";
    static constexpr const char* kPng = "image/png";
    static constexpr std::chrono::seconds kPatience{ 30 }; // as long as programs that take a drop wait
    static constexpr std::chrono::milliseconds kLook{ 100 };
    static constexpr qint64 kLargestPicture = 16 << 20;

    std::shared_ptr<StagedFiles> m_files; // shared with the thread that copies
    Waiting m_waiting;
    QString m_ownFormat; // for drops within this program
    QByteArray m_own;
    bool m_isPicture = false; // a single PNG is also offered as a picture
};

} // namespace sg::ui
