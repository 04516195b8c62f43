#include "ui/run/input_editor.h"

#include "core/base/json.h"
#include "ui/run/input_form.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kWidth = 640;
constexpr int kPages = 380; // most height of form and JSON
constexpr int kLeastPages = 140;
constexpr int kSummary = 60; // letters of a last input in the menu
enum Tab { Form, Json };

} // namespace

InputEditor::InputEditor(QWidget* parent)
    : Overlay(parent)
    , m_pages(new QStackedWidget(this))
    , m_form(new InputForm(this))
    , m_text(new QPlainTextEdit(this))
    , m_message(new QLabel(this))
    , m_run(new QPushButton(tr("Run with this input"), this))
{
    setObjectName(QStringLiteral("inputEditor"));
    setAccessibleName(tr("Input of the next run"));
    setFixedWidth(scaledLength(kWidth));
    m_text->setFont(monoFont());
    m_text->setAccessibleName(tr("Input as JSON"));
    m_text->setTabChangesFocus(true);
    m_text->installEventFilter(this);
    m_message->setFont(uiFont(TextSize::Dense));
    m_message->setWordWrap(true);
    m_run->setProperty("sgPrimary", true);
    makeDense(m_run);
    auto* scroll = new QScrollArea(m_pages);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    m_pages->addWidget(scroll);
    m_pages->addWidget(m_text);
    m_pages->setFixedHeight(scaledLength(kPages));

    auto* cancel = new QPushButton(tr("Cancel"), this);
    makeDense(cancel);
    connect(cancel, &QPushButton::clicked, this, &Overlay::lift);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_message, 1);
    foot->addWidget(cancel);
    foot->addWidget(m_run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(8);
    layout->addWidget(makeHead());
    layout->addWidget(m_pages, 1);
    layout->addLayout(foot);

    connect(m_form, &InputForm::edited, this, &InputEditor::formEdited);
    connect(m_text, &QPlainTextEdit::textChanged, this, &InputEditor::check);
    connect(m_run, &QPushButton::clicked, this, [this] {
        lift();
        Q_EMIT runRequested();
    });
    setFields({});
    check();
}

QWidget* InputEditor::makeHead()
{
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_title = new QLabel(head);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    setThread({});
    m_tabs = new QTabBar(head);
    m_tabs->setAccessibleName(tr("Form or JSON"));
    m_tabs->setDrawBase(false);
    m_tabs->addTab(tr("Form"));
    m_tabs->addTab(tr("JSON"));
    connect(m_tabs, &QTabBar::currentChanged, this, &InputEditor::showTab);
    m_last = new QToolButton(head);
    m_last->setObjectName(QStringLiteral("lastInputs"));
    m_last->setText(tr("Last inputs"));
    m_last->setPopupMode(QToolButton::InstantPopup);
    m_last->setAutoRaise(true);
    m_lastMenu = new QMenu(m_last);
    m_last->setMenu(m_lastMenu);
    connect(m_lastMenu, &QMenu::aboutToShow, this, &InputEditor::fillLast);
    auto* empty = new QToolButton(head);
    empty->setText(tr("Empty all"));
    empty->setAutoRaise(true);
    connect(empty, &QToolButton::clicked, this, [this] { setJson({}); });
    auto* row = new QHBoxLayout;
    row->addWidget(m_tabs);
    row->addWidget(m_last);
    row->addStretch(1);
    row->addWidget(empty);
    column->addWidget(m_title);
    column->addLayout(row);
    return head;
}

void InputEditor::setThread(const QString& thread)
{
    m_title->setText(thread.isEmpty() ? tr("Input of the next run") : tr("Run on thread %1").arg(thread));
}

void InputEditor::setFields(const std::vector<InputFieldRow>& fields)
{
    m_fields = fields;
    m_form->setFields(fields);
    updateLast();
    m_tabs->setTabEnabled(Form, !fields.empty());
    if (fields.empty())
        m_tabs->setCurrentIndex(Json);
}

bool InputEditor::asks() const
{
    return std::ranges::any_of(m_fields, &InputFieldRow::isDeclared);
}

void InputEditor::setLastInputs(const std::vector<LastInputRow>& inputs)
{
    m_lastInputs = inputs;
    updateLast();
}

void InputEditor::updateLast()
{
    const bool hasAny = !m_lastInputs.empty() || !example().empty();
    m_last->setEnabled(hasAny);
    m_last->setToolTip(hasAny ? QString() : tr("No run of this thread was given anything"));
}

void InputEditor::fillLast()
{
    m_lastMenu->clear();
    for (const LastInputRow& input : m_lastInputs) {
        QString words = QString::fromStdString(toJson(input.values, JsonStyle::Spaced));
        if (words.size() > kSummary)
            words = words.left(kSummary - 1) + QChar(0x2026);
        words.replace(QLatin1Char('&'), QStringLiteral("&&"));
        const QString time = formatDay(input.timeMs, QDateTime::currentDateTime());
        m_lastMenu->addAction(words + QLatin1Char('\t') + time, this,
                              [this, values = input.values] { take(values.asMap()); });
    }
    if (const ValueMap example = this->example(); !example.empty())
        m_lastMenu->addAction(tr("The graph's example"), this, [this, example] { take(example); });
}

ValueMap InputEditor::example() const
{
    ValueMap values;
    for (const InputFieldRow& field : m_fields)
        if (field.hasExample)
            values.set(field.channel.toStdString(), field.example);
    return values;
}

void InputEditor::take(const ValueMap& values)
{
    setJson(QString::fromStdString(toJson(Value(values), JsonStyle::Indented)));
}

void InputEditor::setJson(const QString& json)
{
    m_text->setPlainText(json);
    showTab(m_tabs->currentIndex());
}

QString InputEditor::json() const
{
    return m_text->toPlainText().trimmed();
}

void InputEditor::popUp(const QPoint& globalTopLeft)
{
    if (json().isEmpty() && !m_lastInputs.empty())
        take(m_lastInputs.front().values.asMap());
    else if (const ValueMap example = this->example(); json().isEmpty() && !example.empty())
        take(example);
    m_tabs->setCurrentIndex(m_fields.empty() || !isValid() ? Json : Form);
    showTab(m_tabs->currentIndex());
    const int wanted = m_form->sizeHint().height() + scaledLength(8);
    m_pages->setFixedHeight(std::clamp(wanted, scaledLength(kLeastPages), scaledLength(kPages)));
    adjustSize();
    layOver(globalTopLeft);
    if (m_tabs->currentIndex() == Form)
        m_form->focusFirst();
    else
        m_text->setFocus();
}

void InputEditor::submit()
{
    m_run->click();
}

void InputEditor::showTab(int tab)
{
    m_pages->setCurrentIndex(tab);
    const auto value = parseJson(json().toStdString());
    if (json().isEmpty())
        m_form->setValues({});
    else if (value && value->isMap())
        m_form->setValues(value->asMap());
    check();
}

void InputEditor::formEdited()
{
    const ValueMap values = m_form->values();
    const QSignalBlocker quiet(m_text);
    m_text->setPlainText(values.empty() ? QString()
                                        : QString::fromStdString(toJson(Value(values), JsonStyle::Indented)));
    check();
}

void InputEditor::check()
{
    m_problem.clear();
    const QByteArray text = json().toUtf8();
    if (!text.isEmpty()) {
        auto value = parseJson(std::string_view(text.constData(), static_cast<std::size_t>(text.size())));
        if (!value)
            m_problem = QString::fromStdString(value.error().message);
        else if (!value->isMap())
            m_problem = tr("The input is an object: {\"channel\": value}");
    }
    const int faults = m_pages->currentIndex() == Form ? m_form->faults() : 0;
    if (m_problem.isEmpty() && faults > 0)
        m_problem = faults == 1 ? tr("1 field to correct") : tr("%1 fields to correct").arg(faults);
    m_run->setEnabled(isValid());
    m_message->setText(isValid() ? tr("Ctrl+Enter runs") : m_problem);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, color(isValid() ? &Tokens::muted : &Tokens::failed));
    m_message->setPalette(colors);
    Q_EMIT changed();
}

bool InputEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)
            && key->modifiers() == Qt::ControlModifier) {
            submit();
            return true;
        }
    }
    return Overlay::eventFilter(watched, event);
}

void InputEditor::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && event->modifiers() == Qt::ControlModifier)
        submit();
    else
        Overlay::keyPressEvent(event);
}

} // namespace sg::ui
