#include "ui/widgets/sight.h"

#include <QEvent>

namespace sg::ui {

bool isInFront(const QDockWidget& dock)
{
    return dock.isVisible() && (dock.isFloating() || dock.parentWidget()->rect().intersects(dock.geometry()));
}

Sight::Sight(QWidget& panel)
    : QObject(&panel)
    , m_panel(panel)
{
    panel.installEventFilter(this);
    follow();
}

bool Sight::isSeen() const
{
    return m_dock != nullptr ? isInFront(*m_dock) : m_panel.isVisible();
}

// A dock that comes out from behind another's tab says so; its panel gets no event.
void Sight::follow()
{
    auto* dock = qobject_cast<QDockWidget*>(m_panel.parentWidget());
    if (dock == m_dock)
        return;
    if (m_dock != nullptr)
        m_dock->disconnect(this);
    m_dock = dock;
    if (m_dock != nullptr)
        connect(m_dock, &QDockWidget::visibilityChanged, this, [this](bool isSeen) {
            if (isSeen)
                Q_EMIT came();
        });
}

bool Sight::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ParentChange)
        follow();
    else if (event->type() == QEvent::Show && !event->spontaneous() && m_dock == nullptr)
        Q_EMIT came();
    return QObject::eventFilter(watched, event);
}

} // namespace sg::ui
