#pragma once

#include "ui/bridge/rows.h"

#include <QAbstractListModel>

#include <vector>

namespace sg::ui {

// The threads of the open project, newest first.
class ThreadModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { ThreadRole = Qt::UserRole, StatusRole, CheckpointsRole, UpdatedRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    void reset(std::vector<ThreadRow> rows); // rows that stay keep their selection
    void setStatus(const QString& thread, const QString& status); // adds a thread that is new
    [[nodiscard]] QModelIndex indexOf(const QString& thread) const;
    [[nodiscard]] QStringList threads() const;
    [[nodiscard]] QString status(const QString& thread) const;

private:
    std::vector<ThreadRow> m_rows;
};

} // namespace sg::ui
