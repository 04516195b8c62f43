#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QWidget>

class QStandardItemModel;
class QTreeView;

namespace sg::ui {

class ElidedLabel;

// The history of one value of the state, newest change first, with the node that wrote it. Choosing a change
// shows its checkpoint.
class ValueHistory : public QWidget {
    Q_OBJECT
public:
    explicit ValueHistory(QWidget* parent);

    void show(const ValueTraceRows& trace); // also shows the widget
    [[nodiscard]] const QString& pointer() const { return m_pointer; }

Q_SIGNALS:
    void checkpointChosen(const QString& checkpoint);

protected:
    void keyPressEvent(QKeyEvent* event) override; // Esc closes

private:
    ElidedLabel* m_title;
    QTreeView* m_view;
    QStandardItemModel* m_model;
    QString m_pointer;
};

// The writer of a value: "main input", "update", "analyze, check".
QString writerText(const ValueOriginRow& origin);

} // namespace sg::ui
