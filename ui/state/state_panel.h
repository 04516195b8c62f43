#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QList>
#include <QWidget>

class QAction;

namespace sg::ui {

struct PanelParts;
class StateFeed;

// The state at one checkpoint as a tree. Changes since its parent, or since another checkpoint, are marked.
class StatePanel : public QWidget {
    Q_OBJECT
public:
    explicit StatePanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit StatePanel(QWidget* parent = nullptr); // shows what it is given

    void clear();
    void setState(const StateView& state);
    void setError(const UserError& error); // replaces a state that cannot be read
    void setTrace(const ValueTraceRows& trace); // answers historyRequested()
    // Names the checkpoint compared with, as the user chose it: "step 3 of branch 2"; empty for the parent.
    void setBase(const QString& words);
    // Shows how the session can be restored at the shown checkpoint, and what would be missing; see
    // CheckpointRow.
    void setRewind(SandboxMark sandbox, const QString& note);
    void setUsage(const QString& line); // token usage up to here; empty for none
    [[nodiscard]] QAction* pinAction() const; // compares other steps with this one
    [[nodiscard]] QAction* rawAction() const; // shows the bytes of the shown checkpoint
    [[nodiscard]] QList<QAction*> compareActions() const; // the choice of the base, and the patch

Q_SIGNALS:
    void originRequested(const QString& pointer); // asks where a value came from
    void historyRequested(const QString& pointer);
    void checkpointChosen(const QString& checkpoint);
    void patchRequested(const sg::Value& from, const sg::Value& to); // to copy a JSON Patch
    void usageRequested(); // asks for details
    void worldRequested(); // asks for the variables and files of the shown checkpoint
    void rawRequested(const QString& pointer); // asks for the bytes of a value
    void readAgain(); // retries a state that could not be read
    void baseRequested(bool pinned); // true compares with the checkpoint shown now, false with the parent

private:
    struct Impl;
    Impl* m_impl; // a child
    StateFeed* m_feed = nullptr; // a child; null: the panel shows what it is given
};

} // namespace sg::ui
