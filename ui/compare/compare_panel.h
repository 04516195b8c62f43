#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// Two branches or threads side by side: nodes, states, figures, and where they part.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    // What can be compared: the end of a branch, or of another thread.
    struct Choice {
        QString thread;
        QString checkpoint; // empty: the newest
        QString words; // "alice, branch 2"
    };

    explicit ComparePanel(QWidget* parent = nullptr);

    void setChoices(const std::vector<Choice>& choices); // keeps what is chosen where it is still there
    void choose(int a, int b); // as by the user
    void setComparison(const ComparisonRows& rows);
    void setError(const QString& message);

Q_SIGNALS:
    void comparisonRequested(const sg::ui::ComparePanel::Choice& a, const sg::ui::ComparePanel::Choice& b);
    void checkpointChosen(const QString& thread, const QString& checkpoint); // the first difference

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
