#include "ui/graph/forms/bound_rows.h"

#include "core/base/json.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/setting_text.h"
#include "ui/widgets/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSignalBlocker>

#include <cmath>

namespace sg::ui {
namespace {

// The text as a number, if it is one.
std::optional<double> numberIn(const QString& text)
{
    bool isNumber = false;
    const double number = QLocale::c().toDouble(text.trimmed(), &isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

QString numberText(std::optional<double> number)
{
    return number ? QString::number(*number, 'g', 12) : QString();
}

bool fits(double number, const BoundRows::Range& range)
{
    return number >= range.least && number <= range.most && (!range.isWhole || number == std::floor(number));
}

} // namespace

BoundRows::BoundRows(GraphDocument& document, QWidget* parent)
    : FormRows(parent)
    , m_document(document)
{
}

void BoundRows::setScope(const QString& scope)
{
    m_isOther = m_isOther || scope != m_scope;
    m_scope = scope;
}

void BoundRows::fill()
{
    for (const auto& fillOne : m_fill)
        fillOne();
    m_isOther = false;
}

void BoundRows::edit(const QString& title, const std::function<void(graph::Graph&)>& change, bool merges)
{
    m_document.edit(title, change, merges ? m_scope + QLatin1Char('/') + title : QString());
}

QLineEdit* BoundRows::bindText(const QString& title, const QString& placeholder, const Read<QString>& read,
                               const Write<QString>& write)
{
    QLineEdit* line = addLine(title, placeholder);
    connect(line, &QLineEdit::textEdited, this, [this, title, write](const QString& text) {
        edit(title, [&](graph::Graph& graph) { write(graph, text); });
    });
    onFill([line, read] { showText(*line, read()); });
    return line;
}

QPlainTextEdit* BoundRows::bindProgram(const QString& title, int lines, const Read<QString>& read,
                                       const Write<QString>& write)
{
    QPlainTextEdit* program = addCode(title, lines);
    connect(program, &QPlainTextEdit::textChanged, this, [this, program, title, write] {
        edit(title, [&](graph::Graph& graph) { write(graph, program->toPlainText()); });
    });
    onFill([program, read] { showText(*program, read()); });
    return program;
}

QPlainTextEdit* BoundRows::bindJson(const QString& title, int lines, const Read<std::optional<Value>>& read,
                                    const Write<std::optional<Value>>& write)
{
    return bindValue(title, lines, std::nullopt, read, write, [](const Value&) { return QString(); });
}

QPlainTextEdit* BoundRows::bindObject(const QString& title, int lines, const Read<ValueMap>& read,
                                      const Write<ValueMap>& write)
{
    return bindValue(
        title, lines, Value(ValueMap()), [read] { return std::optional<Value>(read()); },
        [write](graph::Graph& graph, const std::optional<Value>& typed) { write(graph, typed->asMap()); },
        [](const Value& typed) {
            return typed.isMap() ? QString() : tr("An object is wanted: {\"key\": value}");
        });
}

QPlainTextEdit* BoundRows::bindValue(const QString& title, int lines, const std::optional<Value>& nothing,
                                     const Read<std::optional<Value>>& read,
                                     const Write<std::optional<Value>>& write, const FaultOf& faultOf)
{
    QPlainTextEdit* code = addCode(title, lines);
    // `fault` gets the reason why the text cannot be taken.
    const auto valueIn = [nothing, faultOf](const QString& text, QString& fault) -> std::optional<Value> {
        if (text.trimmed().isEmpty())
            return nothing;
        auto value = parseJson(text.toStdString());
        if (!value) {
            fault = tr("Not JSON: %1").arg(QString::fromStdString(value.error().message));
            return nothing;
        }
        fault = faultOf(*value);
        return *std::move(value);
    };
    connect(code, &QPlainTextEdit::textChanged, this, [this, code, title, write, valueIn] {
        QString fault;
        const auto value = valueIn(code->toPlainText(), fault);
        setFault(code, fault);
        if (fault.isEmpty())
            edit(title, [&](graph::Graph& graph) { write(graph, value); });
    });
    onFill([this, code, nothing, read, valueIn] {
        const auto now = read();
        QString fault;
        const auto shown = valueIn(code->toPlainText(), fault);
        const bool isHalfTyped = !m_isOther && code->hasFocus() && !fault.isEmpty();
        if (isHalfTyped || (fault.isEmpty() && shown == now))
            return;
        showText(*code, now == nothing ? QString() : QString::fromStdString(toJson(*now, JsonStyle::Spaced)));
        setFault(code, {});
    });
    return code;
}

QLineEdit* BoundRows::bindNumber(const QString& title, const QString& placeholder, const Range& range,
                                 const Read<std::optional<double>>& read,
                                 const Write<std::optional<double>>& write)
{
    QLineEdit* line = addLine(title, placeholder);
    connect(line, &QLineEdit::textEdited, this, [this, line, title, range, write](const QString& text) {
        const auto number = numberIn(text);
        const bool isEmpty = text.trimmed().isEmpty();
        const bool isGood = isEmpty || (number && fits(*number, range));
        setFault(line,
                 isGood ? QString()
                        : (range.isWhole ? tr("A whole number from %1 to %2") : tr("A number from %1 to %2"))
                              .arg(numberText(range.least), numberText(range.most)));
        if (isGood && !isEmpty)
            edit(title, [&](graph::Graph& graph) { write(graph, number); });
    });
    // An empty field mostly precedes another number, so it counts only when the field is left.
    connect(line, &QLineEdit::editingFinished, this, [this, line, title, read, write] {
        if (line->text().trimmed().isEmpty() && read())
            edit(title, [&](graph::Graph& graph) { write(graph, std::nullopt); });
    });
    onFill([this, line, read] {
        const auto now = read();
        const bool isHalfTyped = !m_isOther && line->hasFocus()
            && (!line->accessibleDescription().isEmpty() || line->text().trimmed().isEmpty());
        if (isHalfTyped || (!m_isOther && numberIn(line->text()) == now))
            return; // "1." may become "1.5"
        showText(*line, numberText(now));
        setFault(line, {});
    });
    return line;
}

QLineEdit* BoundRows::bindNames(const QString& title, const QString& placeholder, const Read<Names>& read,
                                const Write<Names>& write,
                                const std::function<QString(const std::string&)>& faultOf)
{
    QLineEdit* line = addLine(title, placeholder);
    connect(line, &QLineEdit::textEdited, this, [this, title, write](const QString& text) {
        edit(title, [&](graph::Graph& graph) { write(graph, listIn(text)); });
    });
    onFill([this, line, read, faultOf] {
        const Names now = read();
        QStringList faults;
        if (faultOf)
            for (const std::string& name : now.value_or(std::vector<std::string>()))
                if (const QString fault = faultOf(name); !fault.isEmpty())
                    faults << fault;
        setFault(line, faults.join(QLatin1Char(' ')));
        if (m_isOther || listIn(line->text()) != now)
            showText(*line, listText(now));
    });
    return line;
}

QCheckBox* BoundRows::bindFlag(const QString& title, const QString& words, const Read<bool>& read,
                               const Write<bool>& write)
{
    auto* box = new QCheckBox(words, this);
    makeDense(box);
    addRow(title, box);
    connect(box, &QCheckBox::clicked, this, [this, title, write](bool checked) {
        edit(
            title, [&](graph::Graph& graph) { write(graph, checked); }, false);
    });
    onFill([box, read] { box->setChecked(read()); });
    return box;
}

QComboBox* BoundRows::bindChoice(const QString& title, const QStringList& words, const Read<int>& read,
                                 const Write<int>& write)
{
    auto* box = new QComboBox(this);
    box->addItems(words);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    makeDense(box);
    addRow(title, box);
    connect(box, &QComboBox::activated, this, [this, title, write](int index) {
        edit(
            title, [&](graph::Graph& graph) { write(graph, index); }, false);
    });
    onFill([box, read] { box->setCurrentIndex(read()); });
    return box;
}

} // namespace sg::ui
