#include "ui/shell/pending_field.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <utility>

namespace sg::ui {

PendingField::PendingField(QWidget& window, const QWidget& forms)
    : QObject(&window)
    , m_window(window)
    , m_forms(forms)
{
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void PendingField::follow(QWidget* focused)
{
    if (focused == m_field)
        return;
    disconnect(m_typing);
    m_passedOver = nullptr;
    m_field = focused != nullptr && m_window.isAncestorOf(focused) ? focused : nullptr;
    const auto typed = [this] {
        m_passedOver = nullptr;
        Q_EMIT changed();
    };
    if (const auto* line = qobject_cast<QLineEdit*>(m_field))
        m_typing = connect(line, &QLineEdit::textEdited, this, typed);
    else if (const auto* text = qobject_cast<QPlainTextEdit*>(m_field))
        m_typing = connect(text, &QPlainTextEdit::textChanged, this, typed);
    Q_EMIT changed();
}

bool PendingField::isPending() const
{
    const auto* line = qobject_cast<QLineEdit*>(m_field);
    return line != nullptr && line->isModified() && m_forms.isAncestorOf(line);
}

PendingField::Refusal PendingField::take()
{
    const QPointer<QWidget> field = m_field;
    auto* line = qobject_cast<QLineEdit*>(field);
    const bool isOfForm = field != nullptr && m_forms.isAncestorOf(field);
    if (field == nullptr || field == m_passedOver || (line == nullptr && !isOfForm)
        || (line != nullptr && !line->isModified()))
        return {};
    const QString title = field->accessibleName();
    if (line == nullptr) // a text takes each letter, or says why not
        return { title, qobject_cast<QPlainTextEdit*>(field) ? field->accessibleDescription() : QString() };
    const QString typed = line->text();
    const QString faultBefore = isOfForm ? field->accessibleDescription() : QString();
    field->clearFocus();
    if (field == nullptr) // an editor inside of a table ends with that
        return {};
    const QString fault = isOfForm ? field->accessibleDescription() : QString();
    const bool wentBack = line->text() != typed;
    if (field->isVisible())
        field->setFocus(Qt::OtherFocusReason);
    else if (auto* table = qobject_cast<QAbstractItemView*>(field->parentWidget()->parentWidget()))
        table->setFocus(Qt::OtherFocusReason); // its editor is closed
    if (fault.isEmpty())
        line->setModified(false);
    return { title, fault.isEmpty() && wentBack ? faultBefore : fault };
}

void PendingField::passOver()
{
    m_passedOver = m_field;
}

} // namespace sg::ui
