#pragma once

#include "core/base/value.h"

#include <QAbstractTableModel>
#include <QSet>

#include <vector>

namespace sg::ui {

// Properties of channels for staged values.
struct PatchRules {
    QSet<QString> reduced; // their reducer is bypassed: the value replaces the stored one
    QSet<QString> locked; // not editable: messages, whose types JSON does not hold
    QSet<QString> typed; // not editable: values that JSON cannot hold
};

// The values of a checkpoint, one row for each channel, with staged changes. Values are edited as JSON; text
// that is no JSON stays, is marked, and makes the patch invalid.
class StagedPatch : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Channel, Text, ColumnCount };
    enum Role {
        OldTextRole = Qt::UserRole, // the stored value of a changed row
        ChangedRole,
        ProblemRole, // why the text is no JSON
    };
    explicit StagedPatch(QObject* parent = nullptr);

    void reset(const Value& values, const PatchRules& rules);
    // None of these is Qt's revert(), which views call where somebody leaves an editor without a change.
    void revertAll();
    void revertRow(int row);
    [[nodiscard]] int changeCount() const;
    [[nodiscard]] bool isValid() const;
    // The object for a fork: only changed channels.
    [[nodiscard]] Value values() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void changed(); // the staged changes

private:
    struct Row {
        QString channel;
        Value stored;
        QString storedText;
        QString typed{}; // null if not changed
        Value staged{};
        QString problem{};
        bool isEditable = true;
    };
    void rowChanged(int row);

    std::vector<Row> m_rows;
    PatchRules m_rules;
};

} // namespace sg::ui
