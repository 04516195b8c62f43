#pragma once

#include <QObject>
#include <QPointer>

class QFocusFrame;
class QWidget;

namespace sg::ui {

// Shows where the keys go once they came there by the keyboard: lists, tables, texts and canvases get a ring
// of their own; controls are told to paint theirs. One for the application; the style makes it.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject* parent);
    ~FocusRing() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(QWidget& focused, bool byKeys);
    void hide();

    QPointer<QFocusFrame> m_frame;
    bool m_wasKey = false; // the last input came from the keyboard
};

} // namespace sg::ui
