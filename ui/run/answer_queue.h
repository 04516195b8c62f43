#pragma once

#include "core/base/run_status.h"

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

class QTimer;

namespace sg::ui {

// Passes answers to their threads. A thread has one run at a time, so answers given during a run wait until
// it ends. All waiting answers of a thread start one run.
class AnswerQueue : public QObject {
    Q_OBJECT
public:
    using Answers = QHash<QString, QString>; // interrupt → JSON
    explicit AnswerQueue(QObject* parent = nullptr);

    void give(const QString& thread, const QString& interrupt, const QString& json);
    void noteStarted(const QString& thread); // a run of this thread started
    // Waiting answers are passed on if the run is done or asks. After a stop or a failure they are given
    // back, because no new run should start then.
    void noteEnded(const QString& thread, RunStatus status);
    void noteRefused(const QString& thread); // a run of it; ignored while another runs
    void clear();
    [[nodiscard]] bool isBusy(const QString& thread) const { return m_busy.contains(thread); }
    [[nodiscard]] QSet<QString> given() const; // "thread/interrupt" of answers that wait or are on their way

Q_SIGNALS:
    void ready(const QString& thread, const QHash<QString, QString>& answers);
    void changed(); // given() changed
    void givenBack(const QString& thread, int answers); // answers that were dropped

private:
    void flush();
    void giveBack(const QString& thread, const Answers& answers);

    QHash<QString, Answers> m_kept; // by thread
    QHash<QString, Answers> m_sent; // passed on, with a run that has not ended
    QSet<QString> m_busy;
    QSet<QString> m_running; // threads in m_busy whose run has started
    QTimer* m_soon; // joins answers that are given together
};

} // namespace sg::ui
