#pragma once

#include "ui/shell/parts/window_part.h"

class QAction;

namespace sg::ui {

class ComparePanel;

// Branches and threads side by side.
class ComparisonPart : public WindowPart {
    Q_OBJECT
public:
    ComparisonPart(const WindowParts& parts, ComparePanel& comparison);

    [[nodiscard]] QAction* compareAction() const { return m_action; }

private:
    void offerComparisons(); // what can be compared now
    void compareBranches();

    ComparePanel* const m_comparison;
    QAction* m_action;
};

} // namespace sg::ui
