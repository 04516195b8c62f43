#pragma once

#include "ui/bridge/rows/rows.h"

#include <QAbstractListModel>
#include <QHash>

#include <vector>

namespace sg::ui {

// The threads of the open project, newest first.
class ThreadModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { ThreadRole = Qt::UserRole, StatusRole, WordRole, CheckpointsRole, UpdatedRole, PausedRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override; // sets the label

    void reset(std::vector<ThreadRow> rows); // keeps the selection of rows that stay
    void setStatus(const QString& thread, RunStatus status); // adds unknown threads
    void setLabels(const QHash<QString, QString>& labels); // by thread; shown instead of the id
    void setPaused(const QHash<QString, QString>& nodes); // thread → nodes that a breakpoint held back
    [[nodiscard]] QModelIndex indexOf(const QString& thread) const;
    [[nodiscard]] QStringList threads() const;
    [[nodiscard]] RunStatus status(const QString& thread) const;

Q_SIGNALS:
    void labelEdited(const QString& thread, const QString& label); // empty shows the id again

private:
    [[nodiscard]] QString shownName(const ThreadRow& row) const;
    [[nodiscard]] bool isPaused(const ThreadRow& row) const; // at a breakpoint: nobody is asked
    [[nodiscard]] QString wordOf(const ThreadRow& row) const; // its status as people read it

    QHash<QString, QString> m_paused;
    QHash<QString, QString> m_labels;
    std::vector<ThreadRow> m_rows;
};

} // namespace sg::ui
