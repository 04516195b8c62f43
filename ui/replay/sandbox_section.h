#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/replay/replay_section.h"

class QComboBox;

namespace sg::ui {

// Shows what becomes of the sandbox, and the choice between what was stored, nothing and what stands now.
class SandboxSection : public ReplaySection {
    Q_OBJECT
public:
    explicit SandboxSection(QWidget* parent);

    void setPlan(const ReplayPlan& plan); // with the choices that are possible; hidden if no session was used
    void setFate(const QString& text); // what is restored, and what is not
    [[nodiscard]] rewind::SandboxChoice choice() const;

Q_SIGNALS:
    void chosen();

private:
    RewindSign* m_sign;
    QLabel* m_fate;
    QComboBox* m_choice;
};

} // namespace sg::ui
