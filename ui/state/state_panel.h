#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QList>
#include <QWidget>

class QAction;

namespace sg::ui {

// The state at one checkpoint as a tree, with what changed from its parent, or from another checkpoint,
// marked.
class StatePanel : public QWidget {
    Q_OBJECT
public:
    explicit StatePanel(QWidget* parent = nullptr);

    void clear();
    void setState(const StateView& state);
    void setError(const UserError& error); // in the place of a state that cannot be read
    void setTrace(const ValueTraceRows& trace); // the history that was asked for
    // What it is compared with, as the user chose it: "step 3 of branch 2"; empty: the parent.
    void setBase(const QString& words);
    // How the sandbox can be brought back to the shown checkpoint, and what would be missing; as its row
    // says.
    void setRewind(const QString& sandbox, const QString& note);
    void setUsage(const QString& line); // what models took up to here; empty: nothing
    [[nodiscard]] QList<QAction*> compareActions() const; // what it is compared with, and the patch

Q_SIGNALS:
    void originRequested(const QString& pointer); // where a value came from
    void historyRequested(const QString& pointer);
    void checkpointChosen(const QString& checkpoint);
    void patchRequested(const sg::Value& from, const sg::Value& to); // to be copied as JSON Patch
    void usageRequested(); // in full
    void worldRequested(); // the names and files of the shown checkpoint
    void rawRequested(const QString& pointer); // the bytes of a value
    void readAgain(); // the state that could not be read
    void baseRequested(bool pinned); // compare with the step that is looked at now; false: with the parent

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
