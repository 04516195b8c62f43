#include "ui/widgets/error_cover.h"

#include <QApplication>
#include <QEvent>
#include <QPushButton>

#include <utility>

namespace sg::ui {

ErrorCover::ErrorCover(QWidget& panel)
    : EmptyState(QLatin1String("error"), QString(), &panel)
    , m_again(setButton(tr("Try again")))
{
    setObjectName(QStringLiteral("errorCover"));
    connect(m_again, &QPushButton::clicked, this, &ErrorCover::readAgain);
    panel.installEventFilter(this);
    hide();
}

void ErrorCover::showError(const QString& what, const QString& why)
{
    setSentence(QStringLiteral("**%1** %2").arg(what, why));
    setAccessibleName(what + QLatin1Char(' ') + why);
    setGeometry(parentWidget()->rect());
    show();
    raise();
}

bool ErrorCover::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == parent())
        setGeometry(parentWidget()->rect());
    return EmptyState::eventFilter(watched, event);
}

bool ErrorCover::event(QEvent* event)
{
    if (event->type() == QEvent::ShowToParent)
        holdFocus();
    else if (event->type() == QEvent::HideToParent)
        freeFocus();
    return EmptyState::event(event);
}

// The panel cannot be disabled, because this cover is its child; its focus goes to the button instead.
void ErrorCover::holdFocus()
{
    QWidget* panel = parentWidget();
    const QWidget* focused = QApplication::focusWidget();
    const bool hadFocus = focused != nullptr && (focused == panel || panel->isAncestorOf(focused));
    if (panel->focusPolicy() != Qt::NoFocus && panel->focusProxy() == nullptr)
        panel->setFocusProxy(m_again);
    if (hadFocus)
        m_again->setFocus();
    for (QWidget* child : panel->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (child != this && !child->isWindow() && child->isEnabledTo(panel)) {
            child->setEnabled(false);
            m_disabled.emplace_back(child);
        }
}

void ErrorCover::freeFocus()
{
    QWidget* panel = parentWidget();
    for (const QPointer<QWidget>& child : std::exchange(m_disabled, {}))
        if (child)
            child->setEnabled(true);
    const bool hadFocus = m_again->hasFocus();
    if (panel->focusProxy() == m_again)
        panel->setFocusProxy(nullptr);
    if (hadFocus && panel->focusPolicy() != Qt::NoFocus)
        panel->setFocus();
}

} // namespace sg::ui
