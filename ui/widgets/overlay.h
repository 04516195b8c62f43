#pragma once

#include <QFrame>
#include <QPointer>

namespace sg::ui {

// A frame that lies over its window for a moment: a form, or a list to choose from. It is a part of the
// window and no window of its own, so that assistive technology finds its fields in the window's tree. Esc, a
// press outside and a focus that goes elsewhere in the window close it; Tab stays inside.
class Overlay : public QFrame {
    Q_OBJECT
public:
    explicit Overlay(QWidget* owner); // it lies over the window that the owner is in at that time

    // Shows it as near to this left top corner as the window has room. The caller then sets the focus inside.
    void layOver(const QPoint& globalTopLeft);
    void lift(); // hides it; the focus returns to where it was

Q_SIGNALS:
    void dismissed(); // closed by the user without a choice

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void dismiss();
    void keepInside();
    void followFocus(const QWidget* now);
    [[nodiscard]] bool holds(const QWidget& widget) const; // also what pops up from inside

    QWidget* m_owner;
    QPointer<QWidget> m_before; // had the focus
    bool m_isOpen = false;
};

} // namespace sg::ui
