#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <chrono>

namespace sg::ui {

// Says when a checkpoint file may have changed: where its files are told to have been written, at most twice
// a second, and else now and then, as not every file system tells. On one thread, which asks the disk only
// where a reader was just answered: a network's may not answer at all.
class DatabaseWatch : public QObject {
    Q_OBJECT
public:
    explicit DatabaseWatch(std::chrono::milliseconds seldom = std::chrono::seconds(5));

    // What is written to it shows at these.
    static QStringList filesOf(const QString& database);
    void follow(const QString& database); // another one; empty: none
    // To what is written from here on to those of its files that exist. True: what was written to one just
    // before was not heard.
    bool listen(const QStringList& existing);
    void pause(); // until listen(), nothing but the time says so

Q_SIGNALS:
    void due();

private:
    void heard();

    QString m_database;
    QFileSystemWatcher m_files;
    QTimer m_soon; // a writer writes many times
    QTimer m_seldom;
};

} // namespace sg::ui
