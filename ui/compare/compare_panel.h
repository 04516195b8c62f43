#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

struct PanelParts;

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

    explicit ComparePanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit ComparePanel(QWidget* parent = nullptr); // shows what it is given

    void setChoices(const std::vector<Choice>& choices); // keeps the chosen sides if they still exist
    void choose(int a, int b); // as if chosen by the user
    void compareBranch(const PanelParts& parts); // the one that is shown, with the one before
    void setComparison(const ComparisonRows& rows);
    void setError(const QString& message);

Q_SIGNALS:
    void comparisonRequested(const sg::ui::ComparePanel::Choice& a, const sg::ui::ComparePanel::Choice& b);
    void checkpointChosen(const QString& thread, const QString& checkpoint); // the first difference

private:
    void offer(const PanelParts& parts); // what can be compared now

    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
