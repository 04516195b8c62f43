#pragma once

#include "ui/bridge/rows/connection_rows.h"

#include <QAbstractTableModel>
#include <QTimer>

#include <vector>

namespace sg::ui {

// Sandboxes of ours that live elsewhere, the next to end first, with a countdown.
class RemoteModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SandboxColumn, ThreadColumn, WhereColumn, LeftColumn, ColumnCount };
    explicit RemoteModel(QObject* parent = nullptr);

    void setSandboxes(const QString& connection,
                      const std::vector<RemoteSandboxRow>& rows); // in place of its former
    void keep(const QStringList& connections); // those of others are dropped
    void remove(const QString& sandbox);
    [[nodiscard]] const std::vector<RemoteSandboxRow>& rows() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void take(std::vector<RemoteSandboxRow> rows);

    std::vector<RemoteSandboxRow> m_rows;
    QTimer m_second;
};

} // namespace sg::ui
