#pragma once

#include <QDockWidget>
#include <QObject>
#include <QPointer>

namespace sg::ui {

// Tells whether a dock is seen at all. Docks behind another tab are shown, too, at a place outside of the
// window. visibleRegion() would not do, since it leaves out the area of its dock that an opaque panel covers.
bool isInFront(const QDockWidget& dock);

// Tells whether the user sees a panel, which may be in a dock. It belongs to the panel.
class Sight : public QObject {
    Q_OBJECT
public:
    explicit Sight(QWidget& panel);

    [[nodiscard]] bool isSeen() const; // not behind another tab

Q_SIGNALS:
    void came(); // the panel is seen now

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(); // the dock that the panel is in

    QWidget& m_panel;
    QPointer<QDockWidget> m_dock;
};

} // namespace sg::ui
