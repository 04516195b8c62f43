#include "ui/run/answer_form.h"

#include "core/base/json.h"
#include "ui/run/input_field.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

using FieldType = AnswerFieldRow::Type;

constexpr int kMostHeight = 260; // of all fields; more scroll

InputFieldRow::Type inputType(FieldType type)
{
    switch (type) {
    case FieldType::Any:
    case FieldType::Choice: return InputFieldRow::Type::Any;
    case FieldType::Text: return InputFieldRow::Type::Text;
    case FieldType::Number: return InputFieldRow::Type::Number;
    case FieldType::Integer: return InputFieldRow::Type::Integer;
    case FieldType::Flag: return InputFieldRow::Type::Flag;
    case FieldType::List: return InputFieldRow::Type::List;
    case FieldType::Object: return InputFieldRow::Type::Object;
    }
    return InputFieldRow::Type::Any;
}

QString choiceText(const Value& choice)
{
    return QString::fromStdString(choice.isString() ? choice.asString() : toJson(choice));
}

} // namespace

AnswerForm::AnswerForm(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea(this))
    , m_fault(new InkLabel(&Tokens::failed, TextSize::Small, QFont::DemiBold, this))
{
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_fault->setObjectName(QStringLiteral("answerFault"));
    m_fault->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_scroll);
    column->addWidget(m_fault);
    hide();
}

QWidget* AnswerForm::editorOf(const AnswerFieldRow& row)
{
    const QString initial = row.initial.isNull() ? QString() : inputTextOf(inputType(row.type), row.initial);
    if (row.type == FieldType::Flag || row.type == FieldType::Choice) {
        auto* box = new QComboBox(m_body);
        if (!row.isRequired || row.initial.isNull())
            box->addItem(row.isRequired ? tr("choose…") : tr("not given"));
        const ValueList choices = row.type == FieldType::Flag ? ValueList{ true, false } : row.choices;
        for (const Value& choice : choices) {
            box->addItem(row.type == FieldType::Flag ? (choice == Value(true) ? tr("yes") : tr("no"))
                                                     : choiceText(choice),
                         QString::fromStdString(toJson(choice)));
            if (!row.initial.isNull() && choice == row.initial)
                box->setCurrentIndex(box->count() - 1);
        }
        makeDense(box);
        connect(box, &QComboBox::activated, this, &AnswerForm::edited);
        return box;
    }
    if (row.isLong) {
        auto* lines = new QPlainTextEdit(m_body);
        lines->setTabChangesFocus(true);
        lines->setPlainText(initial);
        lines->setFixedHeight(scaledLength(72));
        connect(lines, &QPlainTextEdit::textChanged, this, &AnswerForm::edited);
        return lines;
    }
    auto* line = new QLineEdit(initial, m_body);
    line->setMaxLength(1 << 20);
    if (row.type == FieldType::List || row.type == FieldType::Object)
        line->setFont(monoFont());
    makeDense(line);
    connect(line, &QLineEdit::textEdited, this, &AnswerForm::edited);
    return line;
}

void AnswerForm::addField(const AnswerFieldRow& row)
{
    auto* name = new QLabel(row.title.isEmpty() ? row.name : row.title, m_body);
    name->setTextFormat(Qt::PlainText);
    name->setFont(uiFont(TextSize::Dense));
    name->setToolTip(row.help.toHtmlEscaped());
    name->setMaximumWidth(scaledLength(200));
    QWidget* editor = editorOf(row);
    editor->setObjectName(QStringLiteral("answer-") + row.name);
    editor->setAccessibleName(name->text() + (row.isRequired ? QString() : tr(", optional")));
    editor->setAccessibleDescription(row.help);
    editor->setToolTip(row.help.toHtmlEscaped());
    if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setPlaceholderText(!row.help.isEmpty()  ? row.help
                                     : row.isRequired ? QString()
                                                      : tr("optional"));
    name->setBuddy(editor);
    auto* fault = new InkLabel(&Tokens::failed, TextSize::Small, QFont::DemiBold, m_body);
    fault->setObjectName(QStringLiteral("fault-") + row.name);
    fault->hide();
    const int at = m_grid->rowCount();
    m_grid->addWidget(name, at, 0, Qt::AlignTop);
    m_grid->addWidget(editor, at, 1);
    m_grid->addWidget(fault, at + 1, 1);
    m_fields.push_back({ row, editor, fault });
}

void AnswerForm::setForm(const AnswerFormRow& form)
{
    m_fault->hide();
    setVisible(!form.fields.empty());
    m_form = form;
    m_fields.clear();
    m_body = new QWidget; // the former ends with its fields, below
    m_grid = new QGridLayout(m_body);
    m_grid->setContentsMargins(0, 0, 4, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    for (const AnswerFieldRow& row : form.fields)
        addField(row);
    m_scroll->setWidget(m_body);
    m_body->setAutoFillBackground(false); // setWidget() fills it
    m_scroll->setFixedHeight(std::min(m_body->sizeHint().height() + 2, scaledLength(kMostHeight)));
}

QString AnswerForm::textOf(const Field& field) const
{
    if (const auto* box = qobject_cast<const QComboBox*>(field.editor))
        return box->currentData().toString();
    if (const auto* lines = qobject_cast<const QPlainTextEdit*>(field.editor))
        return lines->toPlainText();
    return qobject_cast<const QLineEdit*>(field.editor)->text();
}

std::optional<Value> AnswerForm::valueOf(const Field& field, QString& wrong) const
{
    const QString given = textOf(field);
    auto value = inputValueOf(inputType(field.row.type), given);
    if (!value) {
        wrong = QString::fromStdString(value.error().message);
        return std::nullopt;
    }
    if (*value)
        return *std::move(*value);
    if (field.row.type == FieldType::Text && !field.row.isNullable
        && (m_form.isWhole || field.row.initial.isString()))
        return Value(""); // it was emptied
    if (field.row.isNullable && field.row.isRequired)
        return Value();
    return std::nullopt;
}

int AnswerForm::changes() const
{
    return static_cast<int>(std::ranges::count_if(m_fields, [this](const Field& field) {
        QString wrong;
        const auto now = valueOf(field, wrong);
        return !wrong.isEmpty() || (now ? *now != field.row.initial : !field.row.initial.isNull());
    }));
}

void AnswerForm::clearFaults()
{
    m_fault->hide();
    for (const Field& field : m_fields)
        field.fault->hide();
}

std::optional<Value> AnswerForm::value()
{
    clearFaults();
    ValueMap answer = m_form.others;
    bool isWrong = false;
    const auto blame = [&isWrong](const Field& field, const QString& why) {
        field.fault->setText(why);
        field.fault->show();
        if (!std::exchange(isWrong, true))
            field.editor->setFocus();
    };
    for (const Field& field : m_fields) {
        QString wrong;
        auto value = valueOf(field, wrong);
        if (!wrong.isEmpty())
            blame(field, wrong);
        else if (value)
            answer.set(field.row.name.toStdString(), std::move(*value));
        else if (field.row.isRequired)
            blame(field, tr("This is needed"));
    }
    m_scroll->setFixedHeight(std::min(m_body->sizeHint().height() + 2, scaledLength(kMostHeight)));
    if (isWrong)
        return std::nullopt;
    Value whole = m_form.isWhole ? answer.begin()->second : Value(std::move(answer));
    if (const auto fault = answerFault(m_form.schema, whole)) {
        showFault(*fault);
        return std::nullopt;
    }
    return whole;
}

void AnswerForm::showFault(const AnswerFault& fault)
{
    clearFaults();
    const auto at = std::ranges::find_if(
        m_fields, [&](const Field& field) { return m_form.isWhole || field.row.name == fault.field; });
    InkLabel* label = at == m_fields.end() ? m_fault : at->fault;
    label->setText(at == m_fields.end() && !fault.field.isEmpty()
                       ? QStringLiteral("%1: %2").arg(fault.field, fault.what)
                       : fault.what);
    label->show();
    if (at != m_fields.end())
        at->editor->setFocus();
    m_scroll->setFixedHeight(std::min(m_body->sizeHint().height() + 2, scaledLength(kMostHeight)));
}

void AnswerForm::setCanEdit(bool canEdit, const QString& why)
{
    for (const Field& field : m_fields) {
        field.editor->setEnabled(canEdit);
        if (!canEdit)
            field.editor->setToolTip(why);
    }
}

void AnswerForm::focusFirst()
{
    if (!m_fields.empty())
        m_fields.front().editor->setFocus();
}

} // namespace sg::ui
