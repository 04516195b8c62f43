#pragma once

#include "ui/widgets/strip.h"

class QPushButton;

namespace sg::ui {

class FilterEdit;
class SegmentedControl;

// Controls of the list: filter, up to the viewed step, all threads, and cards, rows or a table.
class ArtifactsBar : public Strip {
    Q_OBJECT
public:
    explicit ArtifactsBar(QWidget* parent = nullptr);

    void showStep(int step); // of the viewed checkpoint; -1 for the head
    [[nodiscard]] QString filterText() const;
    [[nodiscard]] bool showsAllThreads() const;
    [[nodiscard]] bool isUpToStep() const; // whether later artifacts are hidden
    enum class Look { Cards, Rows, Table };
    [[nodiscard]] Look look() const;
    void clearFilter();
    void focusFilter();

Q_SIGNALS:
    void filterChanged();
    void scopeChanged(bool allThreads);
    void lookChanged();

private:
    FilterEdit* m_filter;
    QPushButton* m_upTo;
    QPushButton* m_all;
    SegmentedControl* m_look;
    bool m_isPast = false;
};

} // namespace sg::ui
