#pragma once

#include <QTreeView>

namespace sg::ui {

class StagedPatch;

// The staged patch as a table: changed rows are tinted and show their old values. Enter or F2 edits, Delete
// reverts a change.
class PatchTable : public QTreeView {
    Q_OBJECT
public:
    PatchTable(StagedPatch& patch, QWidget* parent);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    StagedPatch& m_patch;
};

} // namespace sg::ui
