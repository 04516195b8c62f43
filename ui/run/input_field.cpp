#include "ui/run/input_field.h"

#include "core/base/json.h"
#include "ui/widgets/ink_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

using Type = InputFieldRow::Type;

constexpr int kNameWidth = 148;
constexpr int kTextHeight = 48;

QString tr(const char* text)
{
    return InputFieldEdit::tr(text);
}

QString typeText(Type type)
{
    switch (type) {
    case Type::Any: return tr("text or JSON");
    case Type::Text: return tr("text");
    case Type::Number: return tr("number");
    case Type::Integer: return tr("whole number");
    case Type::Flag: return tr("yes or no");
    case Type::List: return tr("list");
    case Type::Object: return tr("object");
    }
    return {};
}

QString demandOf(Type type)
{
    switch (type) {
    case Type::Number: return tr("This is no number");
    case Type::Integer: return tr("This is no whole number");
    case Type::List: return tr("A list is written as JSON: [1, \"two\"]");
    case Type::Object: return tr("An object is written as JSON: {\"key\": 1}");
    case Type::Flag: return tr("This is neither yes nor no");
    case Type::Any:
    case Type::Text: break;
    }
    return {};
}

bool fits(Type type, const Value& value)
{
    switch (type) {
    case Type::Any: return true;
    case Type::Text: return value.isString();
    case Type::Number: return value.isNumber();
    case Type::Integer: return value.kind() == Value::Kind::Int || value.kind() == Value::Kind::Unsigned;
    case Type::Flag: return value.isBool();
    case Type::List: return value.isList();
    case Type::Object: return value.isMap();
    }
    return false;
}

} // namespace

Result<std::optional<Value>> inputValueOf(Type type, const QString& text)
{
    if (type == Type::Text)
        return text.isEmpty() ? std::optional<Value>() : std::optional<Value>(Value(text.toStdString()));
    const std::string plain = text.trimmed().toStdString();
    if (plain.empty())
        return std::optional<Value>();
    auto parsed = parseJson(plain);
    if (type == Type::Any) // what is no JSON is a text
        return std::optional<Value>(parsed ? std::move(*parsed) : Value(text.toStdString()));
    if (!parsed || !fits(type, *parsed))
        return Error{ Errc::InvalidArgument, demandOf(type).toStdString() };
    return std::optional<Value>(std::move(*parsed));
}

QString inputTextOf(Type type, const Value& value)
{
    if (value.isString() && (type == Type::Text || (type == Type::Any && !parseJson(value.asString()))))
        return QString::fromStdString(value.asString());
    return QString::fromStdString(toJson(value, JsonStyle::Spaced));
}

InputFieldEdit::InputFieldEdit(const InputFieldRow& field, QWidget* parent)
    : QWidget(parent)
    , m_field(field)
    , m_note(new InkLabel(&Tokens::muted, TextSize::Small, QFont::Normal, this))
    , m_fault(new InkLabel(&Tokens::failed, TextSize::Small, QFont::DemiBold, this))
{
    auto* name = new InkLabel(&Tokens::text, TextSize::Normal, QFont::DemiBold, this);
    name->setText(field.channel);
    auto* type = new InkLabel(&Tokens::text2, TextSize::Small, QFont::Normal, this);
    type->setText(typeText(field.type));
    if (field.type == Type::Flag) {
        m_flag = new QComboBox(this);
        m_flag->addItem(tr("not given"));
        m_flag->addItem(tr("yes"), QStringLiteral("true"));
        m_flag->addItem(tr("no"), QStringLiteral("false"));
        connect(m_flag, &QComboBox::currentIndexChanged, this, &InputFieldEdit::check);
        connect(m_flag, &QComboBox::activated, this, &InputFieldEdit::edited);
    } else if (field.type == Type::Text) {
        m_lines = new QPlainTextEdit(this);
        m_lines->setTabChangesFocus(true);
        m_lines->setFixedHeight(scaledLength(kTextHeight));
        connect(m_lines, &QPlainTextEdit::textChanged, this, &InputFieldEdit::check);
        connect(m_lines, &QPlainTextEdit::textChanged, this, &InputFieldEdit::edited);
    } else {
        m_line = new QLineEdit(this);
        m_line->setMaxLength(1 << 20);
        connect(m_line, &QLineEdit::textChanged, this, &InputFieldEdit::check);
        connect(m_line, &QLineEdit::textEdited, this, &InputFieldEdit::edited);
    }
    editor()->setObjectName(QStringLiteral("input-") + field.channel);
    editor()->setAccessibleName(field.channel);
    name->setBuddy(editor());
    const QString given =
        field.hasDefault ? tr("default: %1").arg(inputTextOf(field.type, field.defaultValue)) : QString();
    if (m_line != nullptr)
        m_line->setPlaceholderText(given);
    if (m_lines != nullptr)
        m_lines->setPlaceholderText(given);
    m_fault->setObjectName(QStringLiteral("inputFault"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 6, 0, 6);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    auto* what = new QVBoxLayout;
    what->setSpacing(2);
    what->addWidget(name);
    what->addWidget(type);
    what->addStretch(1);
    grid->addLayout(what, 0, 0, 2, 1);
    grid->addWidget(editor(), 0, 1);
    grid->addWidget(m_note, 1, 1);
    grid->addWidget(m_fault, 1, 1);
    grid->setColumnMinimumWidth(0, scaledLength(kNameWidth));
    grid->setColumnStretch(1, 1);
    check();
}

QWidget* InputFieldEdit::editor() const
{
    if (m_flag != nullptr)
        return m_flag;
    return m_lines != nullptr ? static_cast<QWidget*>(m_lines) : m_line;
}

QString InputFieldEdit::text() const
{
    if (m_flag != nullptr)
        return m_flag->currentData().toString();
    return m_lines != nullptr ? m_lines->toPlainText() : m_line->text();
}

void InputFieldEdit::setValue(const Value* value)
{
    const QSignalBlocker quiet(this); // it was not the user
    const QString text = value == nullptr ? QString() : inputTextOf(m_field.type, *value);
    if (m_flag != nullptr)
        m_flag->setCurrentIndex(text.isEmpty() ? 0 : std::max(0, m_flag->findData(text)));
    else if (m_lines != nullptr)
        m_lines->setPlainText(text);
    else
        m_line->setText(text);
    check();
}

std::optional<Value> InputFieldEdit::value() const
{
    auto value = inputValueOf(m_field.type, text());
    return value ? std::move(*value) : std::optional<Value>();
}

void InputFieldEdit::check()
{
    const auto value = inputValueOf(m_field.type, text());
    m_isWrong = !value;
    m_fault->setVisible(m_isWrong);
    m_note->setVisible(!m_isWrong);
    if (m_isWrong)
        m_fault->setText(QString::fromStdString(value.error().message));
    else
        m_note->setText(hint());
}

QString InputFieldEdit::hint() const
{
    const std::optional<Value> given = value();
    if (given && m_field.type == Type::Any)
        return given->isNull() ? tr("Given as null") : tr("Given as: %1").arg(typeText(inputTypeOf(*given)));
    if (m_field.collects)
        return tr("Added to what the thread has");
    if (given)
        return {};
    if (m_field.hasDefault)
        return tr("Not given: the default holds until something is written");
    return m_field.isDeclared ? tr("Not given yet: the graph asks for it") : tr("Not given");
}

} // namespace sg::ui
