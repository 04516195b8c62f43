#pragma once

#include "ui/bridge/rows/rows.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace sg::ui {

class DesktopNotice;

// Notifies the desktop of unseen ends; successful runs only if they took long. Ends that come together share
// one notice.
class RunNotices : public QObject {
    Q_OBJECT
public:
    static constexpr int kLongMs = 10'000;
    explicit RunNotices(QObject* parent = nullptr, int longMs = kLongMs);

    void noteStarted(const QString& thread);
    // Returns false if such an end is not announced: whoever stopped a run knows, and a question has a notice
    // of its own.
    bool add(const QString& thread, RunStatus status, const UserError& error, bool isUnseen = true);
    void clear(); // somebody looks

Q_SIGNALS:
    void chosen(const QString& thread); // the last that failed, or the last

private:
    void show();

    DesktopNotice* m_notice;
    int m_longMs;
    QHash<QString, QElapsedTimer> m_runs; // by thread
    QTimer m_soon;
    int m_done = 0;
    int m_failed = 0;
    QString m_thread;
    QString m_why; // the last failure
};

} // namespace sg::ui
