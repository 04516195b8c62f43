#pragma once

#include "ui/bridge/rows/project_rows.h"

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace sg::ui {

class InkLabel;

// Shows whether the Python of local sandboxes has its packages, and builds it if it lacks them.
class RuntimeStatus : public QWidget {
    Q_OBJECT
public:
    explicit RuntimeStatus(QWidget* parent);
    void setRuntime(const RuntimeRow& row);

Q_SIGNALS:
    void prepareRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RuntimeRow m_row;
    InkLabel* m_name;
    InkLabel* m_words;
    QProgressBar* m_bar;
    QPushButton* m_prepare;
};

} // namespace sg::ui
