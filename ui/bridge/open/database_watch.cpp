#include "ui/bridge/open/database_watch.h"

#include <QFileInfo>

namespace sg::ui {
namespace {

constexpr int kSoonMs = 500;

} // namespace

DatabaseWatch::DatabaseWatch(std::chrono::milliseconds seldom)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    m_seldom.setInterval(seldom);
    m_seldom.setTimerType(Qt::VeryCoarseTimer);
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, &DatabaseWatch::heard);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, &DatabaseWatch::heard);
    connect(&m_soon, &QTimer::timeout, this, &DatabaseWatch::due);
    connect(&m_seldom, &QTimer::timeout, this, &DatabaseWatch::due);
}

QStringList DatabaseWatch::filesOf(const QString& database)
{
    return { database, database + QStringLiteral("-wal") };
}

void DatabaseWatch::follow(const QString& database)
{
    pause();
    m_soon.stop();
    m_database = database;
    if (database.isEmpty())
        m_seldom.stop();
    else
        m_seldom.start();
}

bool DatabaseWatch::listen(const QStringList& existing)
{
    if (m_database.isEmpty())
        return false;
    // A file that does not exist yet (the log comes and goes with its writers) is noticed in its folder.
    // Otherwise the folder is not watched, because other files in it do not matter.
    QStringList wanted = existing;
    if (existing.size() < filesOf(m_database).size())
        wanted << QFileInfo(m_database).path();
    const QStringList known = m_files.files() + m_files.directories();
    QStringList more;
    for (const QString& path : wanted)
        if (!known.contains(path))
            more << path;
    return !more.isEmpty() && m_files.addPaths(more).size() < more.size();
}

void DatabaseWatch::pause()
{
    if (const QStringList known = m_files.files() + m_files.directories(); !known.isEmpty())
        m_files.removePaths(known);
}

// A busy writer would otherwise cause a thousand notifications a second.
void DatabaseWatch::heard()
{
    pause();
    if (!m_soon.isActive())
        m_soon.start();
}

} // namespace sg::ui
