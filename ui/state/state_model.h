#pragma once

#include "ui/state/value_change.h"

#include <QAbstractItemModel>

#include <memory>

namespace sg::ui {

// A state as a tree of channels, each marked with its change since the parent's state. Children are made when
// they are first needed.
class StateModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { SignColumn, ChannelColumn, ValueColumn, ColumnCount };
    enum Role {
        ChangeRole = Qt::UserRole, // int(Change)
        OldTextRole, // the former text of a changed leaf
        ContainerRole, // whether it has entries
        WholeTextRole, // JSON of the value
        PathRole, // "quality.issues[0]"
        PointerRole, // "/quality/issues/0", as RFC 6901
    };

    explicit StateModel(QObject* parent = nullptr);
    ~StateModel() override;

    // Without marks, removed entries are omitted. With marks, long runs of equal items are one row.
    void reset(const Value& was, const Value& now, bool withMarks);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    // The values of the rows as JSON, a line each.
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // The row of a JSON pointer; invalid if there is none, or if it is not loaded yet.
    [[nodiscard]] QModelIndex find(const QString& pointer);

private:
    struct Node;
    [[nodiscard]] Node& node(const QModelIndex& index) const; // an invalid index means the root
    void load(Node& node) const;
    [[nodiscard]] ValueChanges pageOf(const Node& node) const; // the next page
    void take(Node& node, ValueChanges changes) const;
    [[nodiscard]] QVariant text(const Node& node, int column) const;
    [[nodiscard]] static QString path(const Node& node);
    [[nodiscard]] static QString pointer(const Node& node);

    std::unique_ptr<Node> m_root;
    bool m_withMarks = true;
};

} // namespace sg::ui
