#include "ui/widgets/overlay.h"

#include "ui/widgets/palette.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QWindow>

#include <algorithm>

namespace sg::ui {
namespace {

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* overlay = qobject_cast<Overlay*>(object);
    return overlay ? new QAccessibleWidget(overlay, QAccessible::Dialog) : nullptr;
}

void tell(QObject* overlay, QAccessible::Event what)
{
    QAccessibleEvent event(overlay, what);
    QAccessible::updateAccessibility(&event);
}

} // namespace

// A sub-window is no window, and Qt keeps Tab inside.
Overlay::Overlay(QWidget* owner)
    : QFrame(owner, Qt::SubWindow)
    , m_owner(owner)
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(isInstalled)
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
}

void Overlay::layOver(const QPoint& globalTopLeft)
{
    if (!m_isOpen)
        m_before = QApplication::focusWidget();
    QWidget* window = m_owner->window();
    if (parentWidget() != window)
        setParent(window, Qt::SubWindow); // the owner may have been put into a window, or torn off, since
    move(window->mapFromGlobal(globalTopLeft));
    keepInside();
    m_isOpen = true;
    show();
    raise();
    tell(this, QAccessible::DialogStart);
}

void Overlay::lift()
{
    if (!m_isOpen)
        return;
    m_isOpen = false;
    if (m_before && m_before->isVisible())
        m_before->setFocus(Qt::PopupFocusReason);
    hide();
    tell(this, QAccessible::DialogEnd);
}

void Overlay::dismiss()
{
    lift();
    Q_EMIT dismissed();
}

void Overlay::keepInside()
{
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    resize(size().boundedTo(room.size()));
    move(std::clamp(x(), room.left(), std::max(room.left(), room.right() + 1 - width())),
         std::clamp(y(), room.top(), std::max(room.top(), room.bottom() + 1 - height())));
}

bool Overlay::holds(const QWidget& widget) const
{
    for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
        if (at == this)
            return true;
    return false;
}

void Overlay::followFocus(const QWidget* now)
{
    if (!m_isOpen || now == nullptr || now->window() != window() || holds(*now))
        return;
    m_before.clear(); // the focus is where somebody wants it
    dismiss();
}

// The window's own commands on Esc do not hear of the key while something lies over them.
bool Overlay::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QFrame::event(event);
}

bool Overlay::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parentWidget())
        keepInside();
    if (event->type() != QEvent::MouseButtonPress || watched != window()->windowHandle()
        || QApplication::activePopupWidget() != nullptr)
        return false;
    if (rect().contains(mapFrom(window(), static_cast<QMouseEvent*>(event)->position().toPoint())))
        return false;
    dismiss();
    return true; // the press closes it, and does nothing else
}

void Overlay::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

void Overlay::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    qApp->installEventFilter(this);
}

void Overlay::hideEvent(QHideEvent* event)
{
    QFrame::hideEvent(event);
    qApp->removeEventFilter(this);
    if (!event->spontaneous())
        m_isOpen = false;
}

void Overlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.setPen(color(&Tokens::strong));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace sg::ui
