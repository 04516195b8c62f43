#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

// The verb that compares the shown branch.
class ComparisonPart : public WindowPart {
    Q_OBJECT
public:
    explicit ComparisonPart(const WindowParts& parts);

    [[nodiscard]] QAction* compareAction() const { return m_action; }

private:
    void compareBranches();

    QAction* m_action;
};

} // namespace sg::ui
