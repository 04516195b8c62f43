#pragma once

#include <QObject>
#include <QString>

#include <limits>

namespace sg::ui {

// The thing that the user looks at, shared by all panels: they meet here and do not know each other. Every
// setter emits only what changed. An empty checkpoint is the head: the view follows the run. A moment lies
// behind the checkpoint and before the next one of its branch, while tasks run.
class Selection : public QObject {
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr);

    [[nodiscard]] const QString& thread() const { return m_thread; }
    [[nodiscard]] const QString& checkpoint() const { return m_checkpoint; }
    [[nodiscard]] const QString& base() const
    {
        return m_base;
    } // others are compared with it; empty: each with its parent
    [[nodiscard]] const QString& node() const { return m_node; }
    [[nodiscard]] bool isAtHead() const { return m_checkpoint.isEmpty(); }
    // Milliseconds since 1970; not a number: when the checkpoint was made, at the head the present.
    [[nodiscard]] double moment() const { return m_moment; }

    // Selects another thread at its head; the node stays, because the graph is the same.
    void setThread(const QString& thread);
    void setCheckpoint(const QString& checkpoint);
    void setMoment(const QString& checkpoint, double timeMs); // some time after that checkpoint
    void setBase(const QString& checkpoint); // of this thread
    void returnToHead() { setCheckpoint({}); }
    void setNode(const QString& node); // empty: none
    void clear(); // another project

Q_SIGNALS:
    void threadChanged(const QString& thread);
    void checkpointChanged(const QString& checkpoint);
    void momentChanged(double timeMs); // after that, where both change
    void baseChanged(const QString& checkpoint);
    void nodeChanged(const QString& node);

private:
    void change(const QString& checkpoint, double timeMs);

    QString m_thread;
    QString m_checkpoint;
    double m_moment = std::numeric_limits<double>::quiet_NaN();
    QString m_base;
    QString m_node;
};

} // namespace sg::ui
