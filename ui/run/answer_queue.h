#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>

class QTimer;

namespace sg::ui {

// Answers on their way to their threads. A thread takes one run at a time, so what is answered while its run
// is under way is kept until that has ended, and then given at once; what is answered together is one run.
class AnswerQueue : public QObject {
    Q_OBJECT
public:
    using Answers = QHash<QString, QString>; // interrupt → JSON
    explicit AnswerQueue(QObject* parent = nullptr);

    void give(const QString& thread, const QString& interrupt, const QString& json);
    void noteStarted(const QString& thread); // a run of it
    // What is kept is given where the thread goes on, done or asking; a stop and a failure are no reason to
    // start another run.
    void noteEnded(const QString& thread, const QString& status);
    void noteRefused(const QString& thread); // a run of it; while one is under way it was another's
    void clear();
    [[nodiscard]] bool isBusy(const QString& thread) const { return m_busy.contains(thread); }
    [[nodiscard]] QSet<QString> given() const; // "thread/interrupt"; waiting or on their way

Q_SIGNALS:
    void ready(const QString& thread, const QHash<QString, QString>& answers);
    void changed(); // given()
    void givenBack(const QString& thread, int answers); // they were not given, and are not kept

private:
    void flush();
    void giveBack(const QString& thread, const Answers& answers);

    QHash<QString, Answers> m_kept; // by thread
    QHash<QString, Answers> m_sent; // of runs under way
    QSet<QString> m_busy;
    QSet<QString> m_running; // of them, those whose run has begun
    QTimer* m_soon; // what is chosen together is given together
};

} // namespace sg::ui
