#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/storage_rows.h"

#include <QWidget>

namespace sg::ui {

// What the project takes on the disk, and pruning: a dry run says exactly what would go, and only that can
// then be done, after a question that names it. What was said is forgotten when anything has changed since.
class StoragePanel : public QWidget {
    Q_OBJECT
public:
    explicit StoragePanel(QWidget* parent = nullptr);

    void clear(); // for another project
    void setReadOnly(bool isReadOnly); // nothing can be removed
    void setThreads(const QStringList& threads);
    void setStorage(const StorageView& view, const UserError& error);
    void setPruned(const PruneOutcome& outcome, const UserError& error);

Q_SIGNALS:
    void storageRequested();
    void pruneRequested(const sg::ui::PruneWish& wish);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
