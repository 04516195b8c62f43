#pragma once

#include "ui/bridge/rows/rows.h"

#include <QImage>
#include <QWidget>

#include <vector>

namespace sg::ui {

struct PanelParts;

// The log of a thread, line by line, with filter and follow.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    explicit LogPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit LogPanel(QWidget* parent = nullptr); // shows what it is given

    void clear();
    void setRows(std::vector<LogRow> rows);
    void append(const std::vector<LogRow>& rows);
    void setFilter(const QString& text); // "node:load error"
    // Adds a small picture of what a node has shown under that name: the rows that tell of it show it.
    void addPicture(const QString& name, const QImage& picture);
    // The time that other panels show; NaN is the present. `scroll` means that it was chosen elsewhere.
    void setMoment(double timeMs, bool scroll);

Q_SIGNALS:
    void momentRequested(const sg::ui::LogRow& row);

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
