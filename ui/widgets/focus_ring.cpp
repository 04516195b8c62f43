#include "ui/widgets/focus_ring.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QFocusEvent>
#include <QFocusFrame>

namespace sg::ui {

FocusRing::FocusRing(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

FocusRing::~FocusRing()
{
    hide();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride: m_wasKey = true; break;
    case QEvent::MouseButtonPress: m_wasKey = false; break;
    case QEvent::FocusIn:
        if (watched->isWidgetType()) {
            const Qt::FocusReason reason = static_cast<const QFocusEvent*>(event)->reason();
            const bool byTab = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
                || reason == Qt::ShortcutFocusReason;
            show(*static_cast<QWidget*>(watched), byTab || (m_wasKey && reason != Qt::MouseFocusReason));
        }
        break;
    case QEvent::FocusOut:
        if (watched->isWidgetType())
            hide();
        break;
    default: break;
    }
    return false;
}

void FocusRing::show(QWidget& focused, bool byKeys)
{
    focused.window()->setAttribute(Qt::WA_KeyboardFocusChange, byKeys);
    const auto* area = qobject_cast<QAbstractScrollArea*>(&focused);
    if (!byKeys || area == nullptr || focused.isWindow())
        return;
    m_frame = new QFocusFrame;
    m_frame->setWidget(&focused);
}

void FocusRing::hide()
{
    delete m_frame;
}

} // namespace sg::ui
