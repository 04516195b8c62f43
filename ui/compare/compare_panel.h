#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// Compares two branches or threads: nodes, states, figures, and where they diverge.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    // One side: the end of a branch, or of another thread.
    struct Choice {
        QString thread;
        QString checkpoint; // empty for the newest
        QString words; // "alice, branch 2"
    };

    explicit ComparePanel(QWidget* parent = nullptr);

    void setChoices(const std::vector<Choice>& choices); // keeps the chosen sides if they still exist
    void choose(int a, int b); // as if chosen by the user
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
