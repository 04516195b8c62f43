#pragma once

#include "ui/bridge/rows/connection_rows.h"

#include <QAbstractTableModel>

#include <map>
#include <vector>

namespace sg::ui {

// The user's connections, with what each service answered last.
class ConnectionModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, AddressColumn, AnswerColumn, CanColumn, KeyColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void reset(const std::vector<ConnectionRow>& rows); // keeps the answers of those that are as they were
    void setAsking(const QString& name);
    void setHealth(const ConnectionHealth& health);
    [[nodiscard]] const std::vector<ConnectionRow>& rows() const { return m_rows; }
    [[nodiscard]] const ConnectionHealth* healthOf(const QString& name) const; // null: it was not asked
    [[nodiscard]] int rowOf(const QString& name) const; // -1: there is none
    struct Counts {
        int answering = 0;
        int failing = 0;
    };
    [[nodiscard]] Counts counts() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Answer {
        ConnectionHealth health;
        bool isAsked = false; // again, and not answered yet
        bool isKnown = false;
    };
    [[nodiscard]] QString words(const ConnectionRow& row, int column) const;
    [[nodiscard]] QVariant sign(const ConnectionRow& row) const;
    void changed(const QString& name);

    std::vector<ConnectionRow> m_rows;
    std::map<QString, Answer> m_answers; // by name
};

} // namespace sg::ui
