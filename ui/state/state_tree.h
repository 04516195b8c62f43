#pragma once

#include "ui/state/value_change.h"

#include <QHash>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace sg::ui {

class StateModel;

// "Channel │ Value  + 1  ~ 3  − 2": the counts follow the last title.
class StateHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit StateHeader(QWidget* parent = nullptr);
    void setCounts(const ChangeCounts& counts);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    ChangeCounts m_counts;
};

// Paints a row of the StateModel; only the sign has the change's colour.
class StateDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Tree view of a StateModel. Ctrl+C copies the selected values as JSON, Ctrl+Shift+C their paths; a drag
// takes the values along.
class StateTree : public QTreeView {
    Q_OBJECT
public:
    explicit StateTree(QWidget* parent = nullptr);

    void setStates(StateModel* model);
    [[nodiscard]] StateHeader* stateHeader() const { return m_header; }
    // Values that the user opened or closed stay so, and the current value stays current. With marks, changed
    // containers are opened too, up to a limit.
    void show(const Value& was, const Value& now, bool withMarks);
    void forgetPlace(); // for another thread

Q_SIGNALS:
    void originRequested(const QString& pointer); // asks where the value came from
    void historyRequested(const QString& pointer);
    void rawRequested(const QString& pointer); // asks for its bytes

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copy(int role);
    [[nodiscard]] QString pointer() const; // of the current entry, if any
    void noteByHand(const QModelIndex& index, bool isOpen);
    void expandChanges();
    void expandBelow(const QModelIndex& parent, int depth, int& budget);

    StateHeader* m_header;
    StateModel* m_states = nullptr;
    QHash<QString, bool> m_byHand; // by JSON pointer: whether the user opened or closed it
    bool m_isFilling = false;
};

} // namespace sg::ui
