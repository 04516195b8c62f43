#pragma once

#include <QObject>
#include <QTimer>

namespace sg::ui {

// When a live session is asked for its files again: one question at a time, each a second after the last
// answer, later where answers are slow. GUI thread.
class LiveLook : public QObject {
    Q_OBJECT
public:
    explicit LiveLook(QObject* parent = nullptr);

    void setWanted(bool wanted); // begins anew: no answer is waited for
    [[nodiscard]] bool isWanted() const { return m_isWanted; }
    void soon();
    [[nodiscard]] bool mayAsk(); // true: now one is under way
    void answered(double seconds); // it took
    void forget() { m_isAsking = false; } // no answer will come

Q_SIGNALS:
    void due();

private:
    QTimer m_next;
    bool m_isWanted = false;
    bool m_isAsking = false;
    bool m_asksAgain = false; // once the answer is there
};

} // namespace sg::ui
