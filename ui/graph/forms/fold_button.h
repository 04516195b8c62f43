#pragma once

#include <QToolButton>

namespace sg::ui {

// A heading that shows or hides the widget below it.
class FoldButton : public QToolButton {
    Q_OBJECT
public:
    // `body` is shown and hidden, but not owned.
    FoldButton(const QString& title, QWidget& body, QWidget* parent = nullptr);
    void setOpen(bool open);

private:
    QWidget& m_body;
};

} // namespace sg::ui
