#pragma once

#include "ui/state/value_change.h"

#include <QHash>
#include <QHeaderView>
#include <QStyledItemDelegate>
#include <QTreeView>

namespace sg::ui {

class StateModel;

// "Channel │ Value  + 1  ~ 3  − 2": the counts stand behind the last title.
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

// Paints a row of the StateModel: the sign in the change's colour, words in the text's.
class StateDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Ctrl+C copies the values of the selected rows as JSON, Ctrl+Shift+C their paths.
class StateTree : public QTreeView {
    Q_OBJECT
public:
    explicit StateTree(QWidget* parent = nullptr);

    void setStates(StateModel* model);
    [[nodiscard]] StateHeader* stateHeader() const { return m_header; }
    // What was opened and closed by hand stays so, and the current row is that of the same value. With marks,
    // what leads to a change is opened, too, within reason.
    void show(const Value& was, const Value& now, bool withMarks);
    void forgetPlace(); // another thread comes

Q_SIGNALS:
    void originRequested(const QString& pointer); // where the value came from
    void historyRequested(const QString& pointer);
    void rawRequested(const QString& pointer); // its bytes

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copy(int role);
    [[nodiscard]] QString pointer() const; // of the current entry; empty: none
    void noteByHand(const QModelIndex& index, bool isOpen);
    void expandChanges();
    void expandBelow(const QModelIndex& parent, int depth, int& budget);

    StateHeader* m_header;
    StateModel* m_states = nullptr;
    QHash<QString, bool> m_byHand; // whether a value is open, by JSON pointer
    bool m_isFilling = false;
};

} // namespace sg::ui
