#include "ui/run/input_form.h"

#include "ui/run/input_field.h"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

InputForm::InputForm(QWidget* parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_more(new QToolButton(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_more);
    m_column->addStretch(1);
    m_more->setObjectName(QStringLiteral("moreInputs"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->hide();
    connect(m_more, &QToolButton::toggled, this, &InputForm::showOthers);
}

void InputForm::setFields(const std::vector<InputFieldRow>& fields)
{
    if (fields == m_fields)
        return;
    const ValueMap filled = values();
    m_fields = fields;
    for (InputFieldEdit* edit : m_edits)
        edit->deleteLater();
    m_edits.clear();
    const bool asks = std::ranges::any_of(fields, &InputFieldRow::isDeclared);
    int others = 0;
    for (const InputFieldRow& field : fields) {
        auto* edit = new InputFieldEdit(field, this);
        connect(edit, &InputFieldEdit::edited, this, &InputForm::edited);
        const bool isOther = asks && !field.isDeclared;
        const int at = isOther ? m_column->count() - 1 : m_column->indexOf(m_more);
        m_column->insertWidget(at, edit);
        m_edits.push_back(edit);
        others += isOther ? 1 : 0;
    }
    m_more->setText(others == 1 ? tr("1 more channel, which nodes write themselves")
                                : tr("%1 more channels, which nodes write themselves").arg(others));
    m_more->setVisible(others > 0);
    showOthers(m_more->isChecked());
    setValues(filled);
}

void InputForm::showOthers(bool isShown)
{
    m_more->setArrowType(isShown ? Qt::DownArrow : Qt::RightArrow);
    const bool asks = std::ranges::any_of(m_fields, &InputFieldRow::isDeclared);
    for (InputFieldEdit* edit : m_edits)
        edit->setVisible(isShown || !asks || edit->field().isDeclared);
}

void InputForm::setValues(const ValueMap& values)
{
    m_others = {};
    for (const auto& [name, value] : values)
        if (std::ranges::none_of(m_edits, [&name = name](const InputFieldEdit* edit) {
                return name == Value(edit->field().channel.toStdString());
            }))
            m_others.set(name, value);
    bool hasOther = false;
    for (InputFieldEdit* edit : m_edits) {
        const Value* value = values.find(edit->field().channel.toStdString());
        edit->setValue(value);
        hasOther = hasOther || (value != nullptr && !edit->field().isDeclared);
    }
    if (hasOther)
        m_more->setChecked(true); // nothing is given unseen
}

ValueMap InputForm::values() const
{
    ValueMap values;
    for (const InputFieldEdit* edit : m_edits)
        if (auto value = edit->value())
            values.set(edit->field().channel.toStdString(), std::move(*value));
    for (const auto& [name, value] : m_others)
        values.set(name, value);
    return values;
}

int InputForm::faults() const
{
    return static_cast<int>(std::ranges::count_if(m_edits, &InputFieldEdit::isWrong));
}

void InputForm::focusFirst()
{
    for (InputFieldEdit* edit : m_edits)
        if (!edit->isHidden()) {
            edit->editor()->setFocus();
            return;
        }
}

} // namespace sg::ui
