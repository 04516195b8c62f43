#pragma once

#include "ui/bridge/rows/rows.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// The log of a thread, line by line, with filter and follow.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    explicit LogPanel(QWidget* parent = nullptr);

    void clear();
    void setRows(std::vector<LogRow> rows);
    void append(const std::vector<LogRow>& rows);
    void setFilter(const QString& text); // "node:load error"
    // The time that other panels show; NaN is the present. `scroll` means that it was chosen elsewhere.
    void setMoment(double timeMs, bool scroll);

Q_SIGNALS:
    void momentRequested(const sg::ui::LogRow& row);

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
