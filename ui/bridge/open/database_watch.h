#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace sg::ui {

// Tells when a checkpoint database may have changed: at most twice a second after notifications of its files,
// and otherwise every `seldom`, because not every file system notifies. Only listen() touches the disk; it
// is called after a reader was answered, because a network file system may not answer at all.
class DatabaseWatch : public QObject {
    Q_OBJECT
public:
    explicit DatabaseWatch(std::chrono::milliseconds seldom = std::chrono::seconds(5));

    // The database's files that change when something is written.
    static QStringList filesOf(const QString& database);
    void follow(const QString& database); // replaces the former one; empty for none
    // Listens from here on to those of its files that exist. Returns true if a write just before may have
    // been missed.
    bool listen(const QStringList& existing);
    void pause(); // until listen(), only the timer reports

Q_SIGNALS:
    void due();

private:
    void heard();

    QString m_database;
    QFileSystemWatcher m_files;
    QTimer m_soon; // one write is many notifications
    QTimer m_seldom;
};

} // namespace sg::ui
