#pragma once

#include <QWidget>

namespace sg::ui {

// Shows code that saves a file from a node, for copying.
class ExampleCode : public QWidget {
    Q_OBJECT
public:
    explicit ExampleCode(QWidget* parent = nullptr);
    static QString text();

Q_SIGNALS:
    void closed();
};

} // namespace sg::ui
