#pragma once

#include "core/base/value.h"

#include <QAbstractTableModel>
#include <QSet>

#include <vector>

namespace sg::ui {

// How the graph's channels take a staged value.
struct PatchRules {
    QSet<QString> reduced; // replaced as a whole: a change is not reduced into the stored value
    QSet<QString> locked; // shown, not edited: messages, whose types JSON does not hold
    QSet<QString> typed; // the same, of values that are more than JSON says
};

// The values of a checkpoint, a row a channel, with changes that are staged and not written. A value is
// edited as JSON; what is no JSON stays as it was typed, is marked, and makes the patch invalid.
class StagedPatch : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Channel, Text, ColumnCount };
    enum Role {
        OldTextRole = Qt::UserRole, // the stored value, where it was changed
        ChangedRole,
        ProblemRole, // why the text is not JSON; empty: it is
    };
    explicit StagedPatch(QObject* parent = nullptr);

    void reset(const Value& values, const PatchRules& rules);
    void revert();
    void revert(int row);
    [[nodiscard]] int changeCount() const;
    [[nodiscard]] bool isValid() const;
    // What `fork` writes: changed channels alone.
    [[nodiscard]] Value values() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void changed(); // what is staged

private:
    struct Row {
        QString channel;
        Value stored;
        QString storedText;
        QString typed; // null: not changed
        Value staged;
        QString problem;
        bool isEditable = true;
    };
    void rowChanged(int row);

    std::vector<Row> m_rows;
    PatchRules m_rules;
};

} // namespace sg::ui
