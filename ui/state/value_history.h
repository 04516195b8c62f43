#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QWidget>

class QStandardItemModel;
class QTreeView;

namespace sg::ui {

class ElidedLabel;

// What one value of the state was, change by change: newest first, with who wrote it. Choosing a change shows
// its checkpoint.
class ValueHistory : public QWidget {
    Q_OBJECT
public:
    explicit ValueHistory(QWidget* parent);

    void show(const ValueTraceRows& trace); // also makes it visible
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

// "main input", "update", "analyze, check": who made a value.
QString writerText(const ValueOriginRow& origin);

} // namespace sg::ui
