#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/widgets/strip.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace sg::ui {

// The last line of the preview: who is said to have written the changes, how far it runs, and the buttons.
class ReplayFoot : public Strip {
    Q_OBJECT
public:
    explicit ReplayFoot(QWidget* parent);

    struct Look {
        ReplayVerb verb = ReplayVerb::Replay;
        bool hasChanges = false; // staged, and not written yet
        bool mayFork = false;
        bool mayRun = false;
        QString problem;
    };
    void begin(const QStringList& nodes, const ReplayAim& aim);
    void setLook(const Look& look);
    [[nodiscard]] ReplayAim aim() const;
    [[nodiscard]] QStringList pauseBefore() const; // "*" for all
    [[nodiscard]] QString writer() const; // empty: the node that wrote last
    [[nodiscard]] QPushButton* runButton() const { return m_now; }

Q_SIGNALS:
    void aimChanged();
    void cancelled();
    void pressed(bool run);

private:
    QLabel* m_writerTitle;
    QComboBox* m_writer;
    QComboBox* m_until;
    QLabel* m_problem;
    QPushButton* m_later;
    QPushButton* m_now;
};

} // namespace sg::ui
