#pragma once

#include <QWidget>

namespace sg::ui {

// How a node saves a file, to read and to copy.
class ExampleCode : public QWidget {
    Q_OBJECT
public:
    explicit ExampleCode(QWidget* parent = nullptr);
    static QString text();

Q_SIGNALS:
    void closed();
};

} // namespace sg::ui
