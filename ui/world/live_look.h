#pragma once

#include <QObject>
#include <QTimer>

namespace sg::ui {

// Schedules the questions to a live session for its files: one at a time, each a second after the last
// answer, and later if answers are slow. GUI thread.
class LiveLook : public QObject {
    Q_OBJECT
public:
    explicit LiveLook(QObject* parent = nullptr);

    void setWanted(bool wanted); // starts again; a pending answer is not waited for
    [[nodiscard]] bool isWanted() const { return m_isWanted; }
    void soon();
    [[nodiscard]] bool mayAsk(); // if true, a question is now pending
    void answered(double seconds); // duration of the answer
    void forget() { m_isAsking = false; } // the pending answer will not come

Q_SIGNALS:
    void due();

private:
    QTimer m_next;
    bool m_isWanted = false;
    bool m_isAsking = false;
    bool m_asksAgain = false; // ask again after the pending answer
};

} // namespace sg::ui
