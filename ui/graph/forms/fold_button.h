#pragma once

#include <QToolButton>

namespace sg::ui {

// A heading that shows or hides what stands below it.
class FoldButton : public QToolButton {
    Q_OBJECT
public:
    // `body` is shown and hidden; it stays its parent's.
    FoldButton(const QString& title, QWidget& body, QWidget* parent = nullptr);
    void setOpen(bool open);

private:
    QWidget& m_body;
};

} // namespace sg::ui
