#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/storage_rows.h"

#include <QWidget>

namespace sg::ui {

struct PanelParts;

// Shows disk use and prunes checkpoints. A dry run tells exactly what would be removed; only that can then be
// done, after a question that names it. The prediction is dropped when anything changes.
class StoragePanel : public QWidget {
    Q_OBJECT
public:
    explicit StoragePanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit StoragePanel(QWidget* parent = nullptr); // shows what it is given

    void clear(); // for another project
    void setReadOnly(bool isReadOnly); // disables pruning
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
